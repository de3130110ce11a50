// SPDX-License-Identifier: Apache-2.0
/// \file lower_view.h
/// Index maps as views: the C++ text of the expression, with holes for arguments and numbers.
#ifndef MSHADOW_GENERATOR_FRONTEND_LOWER_VIEW_H_
#define MSHADOW_GENERATOR_FRONTEND_LOWER_VIEW_H_

#include <optional>
#include <string>

#include "frontend/front_end.h"
#include "frontend/rule_scalars.h"
#include "ir/view.h"

namespace mgen {

class Materialiser;

/// Whether an expression of this type is read at other places than its own: an index map, the
/// runtime's or the user's, that the generator gives no meaning of its own.
bool IsView(clang::QualType type);
/// Whether one element of what the function `name` gives takes as many of its operands' as a
/// dimension has.
bool ReducesDimension(const std::string &name);
/// Whether such a function is called in `e`, or in what names stand for, and nothing gives each
/// element of its result to several: below a broadcast there are as many elements as before.
bool IsReduced(const clang::Stmt *e);
/// Whether what is written is `slice<d>(…)`, and no tensor.
bool IsSlice(const clang::Expr *target);

/// `slice<dim>(tensor, begin, end)`, or `tensor.Slice(begin, end)`.
struct Range {
  int dim;  ///< or what DimensionNamedBy gives where it is in terms of the rule's rank
  const clang::Expr *tensor, *begin, *end;
};

/// Ranges of a tensor, or of a part of it, each within the one before.
struct Ranges {
  int source;  ///< index into Rule::params
  std::vector<Range> added;
};

class ViewLowering {
 public:
  /// \param materialiser null: views have no memory of their own
  explicit ViewLowering(RuleScalars &scalars, Materialiser *materialiser = nullptr)
      : scalars_(scalars), front_(scalars.front()), materialiser_(materialiser) {}

  /// Whether `e`, or what names in it stand for, has a view in it that is no part.
  bool IsMentionedIn(const clang::Stmt *e) const;
  /// `e` as a view. Throws Rejected after reporting.
  View Lower(const clang::Expr *e);
  /// `e` as a part, which may be written: a range of a dimension of an argument or a temporary, or
  /// of a part of it, in a rule for any rank of the first or the last one. Nothing if it is none.
  std::optional<View> LowerPart(const clang::Expr *e);
  /// A name for it: its last function's.
  static std::string NameOf(const View &view);

 private:
  std::optional<Ranges> RangesIn(const clang::Expr *e) const;
  bool IsPart(const Ranges &ranges) const;
  std::string Text(const clang::Expr *e);
  std::string NameText(const clang::DeclRefExpr *e);
  std::string CallText(const clang::CallExpr *e);
  std::string MemberText(const clang::CXXMemberCallExpr *e);
  std::string OperatorText(const clang::CXXOperatorCallExpr *e);
  std::string Argument(const clang::Expr *e);
  std::string Argument(const clang::Expr *e, const clang::FunctionDecl *callee, unsigned number);
  void CheckRank(const clang::Expr *e);
  std::optional<std::string> RankHole(const clang::Expr *e);
  std::string PartShapeText(const clang::Expr *e, int part);
  std::string ShapeText(const clang::Expr *e);
  std::string TemplateText(const clang::DeclRefExpr *callee);
  std::string TypeArgument(clang::QualType type, const clang::Expr *e);
  std::string Hole(View::Operand operand);
  void Include(const clang::Decl *decl, const std::string &name, const clang::Expr *e);
  bool IsLazy(const clang::CallExpr *e);
  std::optional<std::string> Materialised(const clang::CallExpr *e);
  [[noreturn]] void Reject(const clang::Expr *e, const std::string &what,
                           DiagId note = DiagId::kViewPartsNote);

  RuleScalars &scalars_;
  FrontEnd &front_;
  Materialiser *materialiser_;
  View view_;
};

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_LOWER_VIEW_H_
