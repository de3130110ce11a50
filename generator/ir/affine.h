// SPDX-License-Identifier: Apache-2.0
/// \file affine.h
/// Sums of whole multiples of i64 values: what index expressions are made of. Equal sums have equal
/// terms, so that what cancels is gone: flip of flip is the element in place.
#ifndef MSHADOW_GENERATOR_IR_AFFINE_H_
#define MSHADOW_GENERATOR_IR_AFFINE_H_

#include <cstdint>
#include <vector>

#include "ir/expr.h"

namespace mgen {

class Affine {
 public:
  /// A value that appears in the sum `factor` times.
  struct Term {
    Expr value;  ///< kAxis, kDim, kParam, kLocal, kHoisted, a quotient or a product; i64
    int64_t factor;
  };

  Affine(int64_t constant = 0) : constant_(constant) {}  // NOLINT: numbers are sums
  /// Of a literal its value; of any other value the sum of it alone.
  static Affine Of(const Expr &value);

  const std::vector<Term> &terms() const { return terms_; }
  int64_t constant() const { return constant_; }
  bool is_constant() const { return terms_.empty(); }
  /// How often axis `dim` is in the sum.
  int64_t FactorOfAxis(int dim) const;
  /// The sum where axis d is `axes[d]`.
  Affine At(const std::vector<Affine> &axes) const;
  /// The sum as an expression.
  Expr ToExpr() const;

  friend Affine operator+(const Affine &a, const Affine &b);
  friend Affine operator-(const Affine &a, const Affine &b);
  friend bool operator==(const Affine &a, const Affine &b);
  friend Affine Multiple(const Affine &sum, int64_t factor);

 private:
  void Add(const Expr &value, int64_t factor);
  void Add(const Affine &sum, int64_t factor);

  std::vector<Term> terms_;
  int64_t constant_;
};

/// A sum, times a number that is known.
Affine Multiple(const Affine &sum, int64_t factor);
/// A product of two sums: a multiple, if one is a number that is known, else a sum of one value.
Affine ProductOf(const Affine &a, const Affine &b);
/// A sum that is not negative over a divisor that is at least 1, rounded down.
Affine QuotientOf(const Affine &sum, int64_t divisor);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_IR_AFFINE_H_
