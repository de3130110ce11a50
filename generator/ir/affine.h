// SPDX-License-Identifier: Apache-2.0
/// \file affine.h
/// Sums of integer multiples of i64 values, as in index expressions. Equal sums have equal terms,
/// so terms that cancel disappear: a flip of a flip reads the element in place.
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
    Expr value;  ///< kAxis, kDim, kParam, kLocal, kHoisted, a quotient or a product, which may be
                 ///< of an axis and a number of the launch; i64
    int64_t factor;
  };

  Affine(int64_t constant = 0) : constant_(constant) {}  // NOLINT: a number is a sum, too
  /// The sum that equals \p value: a constant for a literal, a single term for any other value.
  static Affine Of(const Expr &value);

  const std::vector<Term> &terms() const { return terms_; }
  int64_t constant() const { return constant_; }
  bool is_constant() const { return terms_.empty(); }
  /// The factor of axis `dim` in the sum. 0: the axis does not occur; kOfLaunch: only the launch
  /// knows it.
  int64_t FactorOfAxis(int dim) const;
  static constexpr int64_t kOfLaunch = INT64_MIN;
  /// Whether some axis is in the sum.
  bool has_axes() const;
  /// The sum with `axes[d]` in place of each axis d.
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

/// \p sum times a constant.
Affine Multiple(const Affine &sum, int64_t factor);
/// The product of two sums. If one of them is a constant, the result is a multiple of the other;
/// otherwise its only term is the product.
Affine ProductOf(const Affine &a, const Affine &b);
/// The sum times a factor that only the launch knows: each axis and the rest are multiplied.
Affine MultipleByLaunch(const Affine &sum, const Affine &factor);
/// sum / divisor, rounded down. The sum must not be negative, and the divisor must be at least 1.
Affine QuotientOf(const Affine &sum, const Affine &divisor);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_IR_AFFINE_H_
