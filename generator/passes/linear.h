// SPDX-License-Identifier: Apache-2.0
/// \file linear.h
/// Integers of a launch as linear sums, such as `2 * half + in.size(1) - 1`. By them the generator
/// compares two integers as far as that is possible before a launch.
#ifndef MSHADOW_GENERATOR_PASSES_LINEAR_H_
#define MSHADOW_GENERATOR_PASSES_LINEAR_H_

#include <cstdint>
#include <map>
#include <string>

#include "ir/rule.h"

namespace mgen {

/// A constant plus multiples of unknowns: parameters, extents, quotients.
struct Linear {
  std::map<std::string, int64_t> terms;  ///< the factor of each unknown, by name; none is 0
  int64_t constant = 0;

  bool is_zero() const { return terms.empty() && constant == 0; }
};
Linear operator+(Linear a, const Linear &b);
Linear operator-(Linear a, const Linear &b);

/// Makes linear sums of integers over kParam, kLocal, kDim and literals.
class LinearOf {
 public:
  explicit LinearOf(const Rule &rule) : rule_(rule) {}

  Linear operator()(const Expr &e);
  /// Whether `a` is known to be at least 0. Extents are, and k * (n / k) is at most n.
  bool IsNotNegative(Linear a) const;

 private:
  struct Quotient {
    Linear dividend;  ///< at least 0
    int64_t divisor;
  };

  Linear Atom(const std::string &name) const { return {{{name, 1}}, 0}; }
  Linear QuotientOf(const Expr &e);

  const Rule &rule_;
  std::map<int, Linear> locals_;
  std::map<std::string, bool> is_extent_;
  std::map<std::string, Quotient> quotients_;
};

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_LINEAR_H_
