// SPDX-License-Identifier: Apache-2.0
/// \file linear.h
/// Numbers of a launch as sums, `2 * half + in.size(1) - 1`: what is known of their order before
/// there is a launch.
#ifndef MSHADOW_GENERATOR_PASSES_LINEAR_H_
#define MSHADOW_GENERATOR_PASSES_LINEAR_H_

#include <cstdint>
#include <map>
#include <string>

#include "ir/rule.h"

namespace mgen {

/// A constant, and so many times each of what is not known: parameters, extents, quotients.
struct Linear {
  std::map<std::string, int64_t> terms;  ///< by name; none is 0
  int64_t constant = 0;

  bool is_zero() const { return terms.empty() && constant == 0; }
};
Linear operator+(Linear a, const Linear &b);
Linear operator-(Linear a, const Linear &b);

/// Makes such sums of integers over kParam, kLocal, kDim and literals.
class LinearOf {
 public:
  explicit LinearOf(const Rule &rule) : rule_(rule) {}

  Linear operator()(const Expr &e);
  /// Whether it is known that `a` is not below 0: extents are not, and k * (n / k) is not above n.
  bool IsNotNegative(Linear a) const;

 private:
  struct Quotient {
    Linear dividend;  ///< not below 0
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
