// SPDX-License-Identifier: Apache-2.0
/// \file rule_scalars.h
/// The scalar code of a rule's own body: extents and shapes of its tensors, the check of a step.
#ifndef MSHADOW_GENERATOR_FRONTEND_RULE_SCALARS_H_
#define MSHADOW_GENERATOR_FRONTEND_RULE_SCALARS_H_

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "frontend/front_end.h"
#include "frontend/lower_scalar.h"
#include "ir/rule.h"

namespace mgen {

class RuleScalars : public ScalarLowering {
 public:
  RuleScalars(FrontEnd &front, const Rule &rule) : ScalarLowering(front, "a rule"), rule_(rule) {}

  void AddTensor(const clang::VarDecl *variable, int param) { tensors_[variable] = param; }
  /// The tensor parameter that `e` names, or -1.
  int TensorOf(const clang::Expr *e) const;
  /// The tensor parameter whose `shape_` `e` is, or -1.
  int ShapeOf(const clang::Expr *e) const;
  /// `auto shape = x.shape_;`
  void AddShape(const clang::VarDecl *variable, int param) { shapes_[variable] = param; }
  /// `const Shape<2> shape = Shape2(x.size(1), x.size(0));`
  void AddExtents(const clang::VarDecl *variable, std::vector<Expr> extents) {
    extents_[variable] = std::move(extents);
  }
  /// The extents of the computed shape that `e` names; null if it names none.
  const std::vector<Expr> *NamedExtents(const clang::Expr *e) const;

  /// Says that `variable` names an expression from here on: its scalars have their values of now.
  void NameExpression(const clang::VarDecl *variable) { named_[variable] = variables(); }
  /// The scalars as they were there; null if it names none.
  const Variables *ScalarsOf(const clang::VarDecl *variable) const {
    const auto known = named_.find(variable);
    return known == named_.end() ? nullptr : &known->second;
  }

  /// An extent of a part of an argument.
  Expr PartExtent(int part, int dimension) const;
  /// One of a tensor of known rank, be it an argument, a part or a temporary.
  Expr ExtentOf(int param, int dimension) const;

  const Rule &rule() const { return rule_; }
  /// Reports that `e` says something about the rank of a rule that is for any rank.
  [[noreturn]] void RejectRank(const clang::Expr *e, const std::string &what,
                               DiagId note = DiagId::kRankDependentNote);
  /// Reports that an expression has at `location` what only a rule can have.
  [[noreturn]] void RejectBeyondFormula(const SourceLocation &location, const std::string &what);

 protected:
  Expr LowerSpecial(const clang::Expr *e) override;
  [[noreturn]] void RejectReduceScalar(const clang::CallExpr *e);

 private:
  Expr Extent(int param, const clang::Expr *index, const clang::Expr *e);
  Expr ExtentFromLast(int param, int count, const clang::Expr *e);
  Expr SizeOf(int param, const clang::Expr *e);
  int64_t Constant(const clang::Expr *index, const clang::Expr *e);

  const Rule &rule_;
  std::map<const clang::VarDecl *, int> tensors_;  // looked up only
  std::map<const clang::VarDecl *, int> shapes_;
  std::map<const clang::VarDecl *, std::vector<Expr>> extents_;
  std::map<const clang::VarDecl *, Variables> named_;
};

/// MSHADOW_CHECK_STEP(step): the parameter of `rule` is one that a launch checks.
void LowerStepCheck(RuleScalars &scalars, const clang::CallExpr *e, Rule *rule);

/// Static constants of the runtime's classes that hold a rank.
bool IsRankConstant(const clang::Expr *e);
/// Whether `e` mentions a template parameter that is a number: the rank.
bool MentionsRank(const clang::Stmt *e);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_RULE_SCALARS_H_
