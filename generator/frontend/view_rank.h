// SPDX-License-Identifier: Apache-2.0
/// \file view_rank.h
/// The ranks of a view's expressions. Clang sees a rule for any rank at rank 2 only, and launchers
/// make the view for each: what an expression would be there is found out here.
#ifndef MSHADOW_GENERATOR_FRONTEND_VIEW_RANK_H_
#define MSHADOW_GENERATOR_FRONTEND_VIEW_RANK_H_

#include <optional>
#include <vector>

#include "frontend/front_end.h"
#include "frontend/lower_tensor.h"

namespace mgen {

/// A rank, or a dimension: a number, or the rule's rank and a number.
struct RankNumber {
  bool of_rule = false;
  int number = 0;

  bool operator==(const RankNumber &other) const {
    return of_rule == other.of_rule && number == other.number;
  }
};

/// `dim`, `dim - 1` or a constant; nothing if it is of another form.
std::optional<RankNumber> RankNumberOf(const clang::Expr *e, const clang::ASTContext &ast);
/// A template argument as it was written; null if it is no expression.
const clang::Expr *SourceOf(const clang::TemplateArgumentLoc &argument);

/// Whether the first template argument of this call was written in terms of the rule's rank: of an
/// index of the last dimension, that it is this at every rank.
bool NamesRank(const clang::Expr *e);
/// A dimension in terms of the rule's rank that is not its last one.
constexpr int kOtherDim = -3;
/// The dimension that the first template argument of this call says: a number, kOtherDim, or
/// Node::kLastDim where `dim - 1` is written.
int DimensionNamedBy(const clang::CallExpr *e, const clang::ASTContext &ast);

class ViewRanks {
 public:
  ViewRanks(const RuleScalars &scalars, const clang::ASTContext &ast)
      : scalars_(scalars), ast_(ast) {}

  /// The rank of expression `e`; nothing where it would be no expression, or not the same one, at
  /// other ranks than 2.
  std::optional<RankNumber> Of(const clang::Expr *e);

  /// The least rank of the rule at which all that was looked at is there.
  int least() const { return least_; }
  /// A call among what was looked at that takes no expression of so low a rank; null if there is
  /// none.
  const clang::CallExpr *too_low() const { return too_low_; }

 private:
  std::optional<RankNumber> OfMember(const clang::CXXMemberCallExpr *e);
  std::optional<RankNumber> OfOperator(const clang::CXXOperatorCallExpr *e);
  std::optional<RankNumber> OfCall(const clang::CallExpr *e);
  std::optional<RankNumber> OfElements(const clang::Expr *e,
                                       const std::vector<const clang::Expr *> &operands);
  std::optional<RankNumber> OfShape(const clang::Expr *e) const;
  bool HasShapesOf(const clang::CallExpr *e, RankNumber rank) const;
  bool HasDimensions(const clang::CallExpr *e, RankNumber rank);
  void RequireAxis(const clang::Expr *axis, RankNumber rank);
  /// Says that `rank` must be `least` or more.
  void Require(RankNumber rank, int least);

  const RuleScalars &scalars_;
  const clang::ASTContext &ast_;
  const clang::CallExpr *too_low_ = nullptr;
  int least_ = 1;
};

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_VIEW_RANK_H_
