// SPDX-License-Identifier: Apache-2.0
/// \file lower_tensor.h
/// Tensor expressions as IR expressions for one element. The type of a C++ expression says what it
/// is: BinaryMapExp<op::mul, …> is op::mul::Map of its two operands.
#ifndef MSHADOW_GENERATOR_FRONTEND_LOWER_TENSOR_H_
#define MSHADOW_GENERATOR_FRONTEND_LOWER_TENSOR_H_

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "frontend/front_end.h"
#include "frontend/lower_reducer.h"
#include "frontend/rule_scalars.h"
#include "ir/rule.h"

namespace mgen {

class Materialiser;

/// The axis that an expression reduces (lower_axes.h), and what the reduction is.
struct ReducedAxis {
  int number;            ///< kLastAxis: in a rule for any rank, the last one
  int rank;              ///< of what is reduced, or Param::kRankParam
  bool keeps_dimension;  ///< with extent 1
  int kept;              ///< as Node::dim of the reduction
  Order order;
  static constexpr int kLastAxis = -1;
};

/// A name that the spec gave an expression: `auto g = tcast<float>(grad);`. It is read where it is
/// used, so a tensor written in between gives its new value.
struct Alias {
  Expr value;  ///< null of `reduced`, until it is used as a view
  SourceLocation location;
  std::vector<Expr> fitting = {};          ///< as Statement::fitting
  std::vector<CountedExtent> counts = {};  ///< as Statement::counts
  std::map<int, int> versions =
      {};                  ///< tensors that it reads: how often each was written before it
  Expr reduced = nullptr;  ///< what has a value for each row or column, as such (lower_axes.h)
  std::optional<ReducedAxis> axis = {};  ///< of `reduced`
};

/// What one of the runtime's reducers does; kOwn: it is none of them.
Reducing ReducingBy(clang::QualType reducer);
/// Whether a record of this name is a node that reduces.
bool IsReduction(const std::string &record);

/// Adds to Statement::fitting those of `fitting` that the statement's value does not read, which is
/// there already.
void AddFitting(const Rule &rule, const std::vector<Expr> &fitting, Statement *statement);

class TensorLowering {
 public:
  /// Makes a view a tensor of the rule, named like `name`; gives its place among the parameters.
  using AddView = std::function<int(const std::string &name, Param view)>;

  TensorLowering(RuleScalars &scalars, AddView add_view, std::vector<Reducer> *reducers)
      : scalars_(scalars),
        front_(scalars.front()),
        add_view_(std::move(add_view)),
        reducers_(scalars, reducers) {}

  /// What computes elsewhere what views cannot. Without one there is an error in its place.
  void set_materialiser(Materialiser *materialiser) { materialiser_ = materialiser; }

  /// The element of expression `e`, of its element type. Throws Rejected after reporting.
  Expr Lower(const clang::Expr *e);

  /// The reduction of expression `e` that `reduce` makes of its element.
  using MakeReduced = std::function<Expr(const Expr &value)>;
  Expr LowerReduced(const clang::Expr *e, const MakeReduced &reduce);

  /// The same of what `statement` saves.
  /// \param save what a saver of the spec's own makes of the expression's element
  void LowerValue(const clang::Expr *e, Statement *statement,
                  const std::function<Expr(const Expr &)> &save = nullptr);

  /// The tensor that a part of an argument is, which may be written; -1 if `e` is none.
  int PartOf(const clang::Expr *e);

  /// Names an expression; `variable`'s uses give it.
  void Declare(const clang::VarDecl *variable);

  /// Says that a statement at `location` writes `param`: names that read it are stale from now on.
  void Written(int param, const SourceLocation &location);

  /// Whether a statement so far writes `param`, or only statements give it values.
  bool IsWritten(int param) const {
    return writes_.count(param) != 0 || scalars_.rule().params[param].is_temporary;
  }

  /// What a name of the rule's stands for; null if it is none.
  const Alias *AliasOf(const clang::VarDecl *variable) const {
    const auto alias = aliases_.find(variable);
    return alias == aliases_.end() ? nullptr : &alias->second;
  }

  const AddView &add_view() const { return add_view_; }

  // What expressions that read elements at other places are lowered with.
  RuleScalars &scalars() { return scalars_; }
  /// Of the statement or name at hand, as Statement::fitting and Statement::counts.
  std::vector<Expr> &fitting() { return fitting_; }
  std::vector<CountedExtent> &counts() { return counts_; }
  /// Whether what is lowered has a value for each row or column, and not elements.
  bool &in_values() { return in_values_; }
  /// The element of a view, which becomes a tensor of the rule.
  Expr LowerView(const clang::Expr *e);
  /// The element type of `e`, or an error about it.
  ScalarKind ElementKind(const clang::Expr *e);
  [[noreturn]] void RejectNode(const clang::Expr *e);

  /// Whether the rank of the rule is its template parameter.
  static bool HasRankParam(const Rule &rule);

 private:
  Expr LowerNew(const clang::Expr *e);
  Expr LowerName(const clang::DeclRefExpr *e);
  bool CountsColumns(const clang::CallExpr *e) const;
  bool SpreadsChoice(const clang::CallExpr *e) const;
  int AddViewOf(const clang::Expr *e, View view);
  Expr LowerCall(const clang::CallExpr *e);
  Expr LowerNode(const clang::Expr *e, const std::vector<const clang::Expr *> &operands);
  Expr LowerOperand(const clang::Expr *e, ScalarKind element);
  Expr LowerWhere(const clang::CallExpr *e);
  void NoteUnread(const std::vector<Expr> &operands, const Expr &result);
  Expr LowerReduction(const clang::Expr *e, const std::vector<const clang::Expr *> &operands);
  void CheckRankOf(const clang::Expr *e, int kept);
  Expr LowerHelper(const clang::CallExpr *e);
  Alias LowerAlias(const clang::VarDecl *variable, bool in_values);
  void CheckUsed(const clang::VarDecl *variable);
  void CheckFresh(const clang::DeclRefExpr *e, const Alias &alias);
  void RejectReductionIn(const std::vector<const clang::Expr *> &operands);
  [[noreturn]] void RejectReduction(const clang::Expr *e);

  /// Where a tensor is written, and what must hold for that.
  struct Write {
    SourceLocation location;
    Expr guard;
  };

  RuleScalars &scalars_;
  FrontEnd &front_;
  AddView add_view_;
  ReducerLowering reducers_;
  std::pair<const clang::Expr *, std::string> named_;  // what a declaration names
  std::vector<Expr> fitting_;                          // of the statement or name at hand
  std::vector<CountedExtent> counts_;                  // likewise
  std::map<const clang::VarDecl *, Alias> aliases_;    // looked up only
  std::map<int, std::vector<Write>> writes_;           // by param
  Materialiser *materialiser_ = nullptr;
  bool in_values_ = false;
  int helpers_ = 0;  // nested calls of functions that return expressions
};

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_LOWER_TENSOR_H_
