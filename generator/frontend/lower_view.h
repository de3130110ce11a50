// SPDX-License-Identifier: Apache-2.0
/// \file lower_view.h
/// Views: the C++ text of the spec's expression, with holes for arguments and numbers.
#ifndef MSHADOW_GENERATOR_FRONTEND_LOWER_VIEW_H_
#define MSHADOW_GENERATOR_FRONTEND_LOWER_VIEW_H_

#include <map>
#include <optional>
#include <string>

#include "frontend/front_end.h"
#include "frontend/rule_scalars.h"
#include "ir/view.h"

namespace mgen {

class Materialiser;

/// Whether an expression of this type is a view, the runtime's or the user's own: it reads operands
/// at other coordinates, and the generator gives it no special meaning.
bool IsView(clang::QualType type);
/// Whether the function `name` computes each element from all elements along a dimension of its
/// operands.
bool ReducesDimension(const std::string &name);
/// Whether `e`, or what a name in it stands for, calls such a function outside of all broadcasts. A
/// broadcast repeats the reduced elements, so its result has as many elements as before.
bool IsReduced(const clang::Stmt *e);
/// Whether `target` is a `slice<d>(…)`, and not a tensor.
bool IsSlice(const clang::Expr *target);

/// `slice<dim>(tensor, begin, end)`, or `tensor.Slice(begin, end)`.
struct Range {
  int dim;  ///< as DimensionNamedBy gives it (view_rank.h)
  const clang::Expr *tensor, *begin, *end;
};

/// Ranges of a tensor or of a slice, each within the one before.
struct Ranges {
  int source;  ///< index into Rule::params
  std::vector<Range> added;
};

/// Expressions that stand in a view in the place of others.
using Replacements = std::map<const clang::Expr *, const clang::Expr *>;

class ViewLowering {
 public:
  /// \param materialiser null: no temporary is made for a reduction that a view repeats
  explicit ViewLowering(RuleScalars &scalars, Materialiser *materialiser = nullptr)
      : scalars_(scalars), front_(scalars.front()), materialiser_(materialiser) {}

  /// Whether `e`, or what a name in it stands for, contains a view that is no slice.
  bool IsMentionedIn(const clang::Stmt *e) const;
  /// `e` as a view, with some expressions in it in the place of others. Throws Rejected after
  /// reporting.
  View Lower(const clang::Expr *e, const Replacements &replaced = {});
  /// `e` as a slice, which may be written; nothing if it is none. A slice is a range of a dimension
  /// of an argument, a temporary or another slice. For any rank it is the first or the last. Rows
  /// that indices name and `tensor.FlatTo2D()` are treated as slices.
  std::optional<View> LowerPart(const clang::Expr *e);
  /// `reshape(tensor, shape)`, `tensor.FlatTo1D()` or `tensor.FlatTo2D()` as memory, which may be
  /// written; nothing if what is reshaped is no tensor of the rule.
  std::optional<View> LowerReshaped(const clang::Expr *e);
  /// A name for `view`: that of its last function.
  static std::string NameOf(const View &view);

 private:
  std::optional<Ranges> RangesIn(const clang::Expr *e) const;
  bool IsPart(const Ranges &ranges) const;
  bool IsFlat(const clang::Expr *e) const;
  std::optional<View> LowerRows(const clang::Expr *e);
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
  std::string ShapeText(const std::vector<Expr> &extents);
  std::string TemplateText(const clang::DeclRefExpr *callee);
  std::string TypeArgument(clang::QualType type, const clang::Expr *e);
  std::string Hole(View::Operand operand);
  void Include(const clang::Decl *decl, const std::string &name, const clang::Expr *e);
  bool IsLazy(const clang::CallExpr *e);
  void CheckKey(const clang::CallExpr *e, const std::string &name);
  std::optional<std::string> Materialised(const clang::CallExpr *e);
  [[noreturn]] void Reject(const clang::Expr *e, const std::string &what,
                           DiagId note = DiagId::kViewPartsNote);

  RuleScalars &scalars_;
  FrontEnd &front_;
  Materialiser *materialiser_;
  Replacements replaced_;
  View view_;
};

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_LOWER_VIEW_H_
