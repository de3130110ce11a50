// SPDX-License-Identifier: Apache-2.0
/// \file lower_axes.h
/// Reductions of one axis that are expressions like others, reduce_with_axis and reduce_keepdim,
/// and the broadcasts that give them their axis back, broadcast_with_axis and broadcast_keepdim.
/// Where each reduction of an expression is of the same axis, in a rule for any rank the last one,
/// they are reductions of the rule. Elsewhere they are views.
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

  /// The axis of the reductions of an expression that has a value for each row, or column, of what
  /// they reduce: `1.0f / reduce_keepdim<red::sum, false>(x, dim - 1)`. Nothing of one without
  /// reductions, or with such of several axes.
  std::optional<ReducedAxis> AxisOf(const clang::Expr *e) const;
  /// Whether `broadcast<d>(…)` gives such values of a matrix their axis back.
  bool IsBroadcastOfValues(const clang::CallExpr *e) const;
  /// broadcast_with_axis or broadcast_keepdim of such an expression along the axis that was
  /// reduced, or of vectors that the rule writes; nothing if `e` is none.
  std::optional<Expr> LowerBroadcast(const clang::CallExpr *e);
  /// A reduction among such values, or of a matrix to a vector; nothing if `e` is none.
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

/// What has an element for each index of `axis` as a value in an expression of elements.
Expr ValueAt(const Expr &vector, const Expr &axis, const Rule &rule);

/// Whether a function of this name is one of those.
bool IsAxisReduction(const std::string &name);
bool IsAxisBroadcast(const std::string &name);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_LOWER_AXES_H_
