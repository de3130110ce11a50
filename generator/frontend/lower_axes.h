// SPDX-License-Identifier: Apache-2.0
/// \file lower_axes.h
/// Reductions of one axis within an expression, reduce_with_axis and reduce_keepdim, and the
/// broadcasts that give the axis back, broadcast_with_axis and broadcast_keepdim. If all reductions
/// in an expression are of the same axis, they are reductions of the rule. In a rule for any rank
/// that axis must be the last one. Of the others, kernels of their own compute what they can
/// (reduced_axes.h); the rest are views.
#ifndef MSHADOW_GENERATOR_FRONTEND_LOWER_AXES_H_
#define MSHADOW_GENERATOR_FRONTEND_LOWER_AXES_H_

#include <optional>
#include <set>

#include "frontend/front_end.h"
#include "frontend/lower_tensor.h"
#include "frontend/view_rank.h"

namespace mgen {

class AxisLowering {
 public:
  explicit AxisLowering(TensorLowering &tensors)
      : tensors_(tensors), scalars_(tensors.scalars()), front_(tensors.scalars().front()) {}

  /// The axis that the reductions in `e` reduce, if `e` has a value for each row or column of what
  /// they reduce: `1.0f / reduce_keepdim<red::sum, false>(x, dim - 1)`. Nothing if `e` has no
  /// reductions, or reductions of several axes.
  std::optional<ReducedAxis> AxisOf(const clang::Expr *e) const;
  /// Whether `e` is a `broadcast<d>(…)` that gives such values of a matrix their axis back.
  bool IsBroadcastOfValues(const clang::CallExpr *e) const;
  /// Lowers a broadcast_with_axis or broadcast_keepdim that repeats such an expression along the
  /// axis that was reduced, or that repeats vectors that the rule writes. Else gives nothing.
  std::optional<Expr> LowerBroadcast(const clang::CallExpr *e);
  /// Lowers a reduction among such values, or one of a matrix to a vector; else gives nothing.
  std::optional<Expr> LowerReduction(const clang::CallExpr *e);

 private:
  std::optional<ReducedAxis> AxisOfReduction(const clang::CallExpr *e) const;
  std::optional<ReducedAxis> AxisOfOperands(const clang::CallExpr *e) const;
  std::optional<int> NumberOf(const clang::Expr *axis) const;
  std::optional<int> AlongOf(const clang::CallExpr *e, bool keeps) const;
  using Names = std::set<const clang::VarDecl *>;
  bool IsPlain(const clang::Stmt *e, bool (*allowed)(const clang::CallExpr *), Names *seen) const;
  std::optional<ReducedAxis> AxisBeside(const clang::CallExpr *e, int along) const;
  bool ReadsMatrix(const clang::Stmt *e, Names *seen) const;
  bool ReadsWritten(const clang::Stmt *e, Names *seen) const;
  int TensorWithExtent(const clang::Expr *size, const ReducedAxis &axis);

  TensorLowering &tensors_;
  RuleScalars &scalars_;
  FrontEnd &front_;
};

/// `vector`, which has an element for each coordinate of `axis`, as a value among elements.
Expr ValueAt(const Expr &vector, const Expr &axis, const Rule &rule);

/// Whether the function `name` is one of the reductions, or of the broadcasts, named above.
bool IsAxisReduction(const std::string &name);
bool IsAxisBroadcast(const std::string &name);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_LOWER_AXES_H_
