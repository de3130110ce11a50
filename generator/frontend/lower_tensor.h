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
#include "frontend/lower_scalar.h"
#include "ir/rule.h"

namespace mgen {

/// A name that the spec gave an expression: `auto g = tcast<float>(grad);`. It is read where it is
/// used, so a tensor written in between gives its new value.
struct Alias {
  Expr value;
  SourceLocation location;
  std::vector<Expr> fitting = {};          ///< as Statement::fitting
  std::vector<CountedExtent> counts = {};  ///< as Statement::counts
  std::map<int, int> versions =
      {};  ///< tensors that it reads: how often each was written before it
};

/// What a kernel reduces, in words, and where it does first.
struct Reduced {
  Frame frame;
  int dim = -1;  ///< kChannel: the dimension that is kept
  std::string what = {};
  SourceLocation location = {};
};

/// The scalar code of a rule's own body: knows its tensors' shapes.
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

 private:
  Expr Extent(int param, const clang::Expr *index, const clang::Expr *e);
  Expr SizeOf(int param, const clang::Expr *e);

  const Rule &rule_;
  std::map<const clang::VarDecl *, int> tensors_;  // looked up only
  std::map<const clang::VarDecl *, int> shapes_;
  std::map<const clang::VarDecl *, Variables> named_;
};

/// MSHADOW_CHECK_STEP(step): the parameter of `rule` is one that a launch checks.
void LowerStepCheck(RuleScalars &scalars, const clang::CallExpr *e, Rule *rule);

/// Whether a record of this name is a node that reduces.
bool IsReduction(const std::string &record);
/// Static constants of the runtime's classes that hold a rank.
bool IsRankConstant(const clang::Expr *e);
/// Whether `e` mentions a template parameter that is a number: the rank.
bool MentionsRank(const clang::Stmt *e);

class TensorLowering {
 public:
  /// Makes a view a tensor of the rule, named like `name`; gives its place among the parameters.
  using AddView = std::function<int(const std::string &name, Param view)>;

  TensorLowering(RuleScalars &scalars, AddView add_view, std::vector<Reducer> *reducers)
      : scalars_(scalars),
        front_(scalars.front()),
        add_view_(std::move(add_view)),
        reducers_(scalars, reducers) {}

  /// The element of expression `e`, of its element type. Throws Rejected after reporting.
  Expr Lower(const clang::Expr *e);

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

  /// What follows is another kernel, which may reduce something else.
  void EndStage() { reduced_.reset(); }

  /// Which dimension the channels are that kernels reduce or broadcast; -1: none.
  int channel_dim() const { return channels_ ? channels_->dim : -1; }

  const AddView &add_view() const { return add_view_; }

  /// Whether the rank of the rule is its template parameter.
  static bool HasRankParam(const Rule &rule);

 private:
  Expr LowerNew(const clang::Expr *e);
  Expr LowerName(const clang::DeclRefExpr *e);
  bool CountsColumns(const clang::CallExpr *e) const;
  bool SpreadsChoice(const clang::CallExpr *e) const;
  Expr LowerView(const clang::Expr *e);
  int AddViewOf(const clang::Expr *e, View view);
  Expr LowerCall(const clang::CallExpr *e);
  Expr LowerNode(const clang::Expr *e, const std::vector<const clang::Expr *> &operands);
  Expr LowerOperand(const clang::Expr *e, ScalarKind element);
  Expr LowerWhere(const clang::CallExpr *e);
  Expr LowerBroadcast(const clang::CallExpr *e, const std::string &name);
  Expr BroadcastAxis(const clang::CallExpr *e);
  void NoteUnread(const std::vector<Expr> &operands, const Expr &result);
  void CheckBroadcastShape(const clang::CallExpr *e, const std::string &name);
  [[noreturn]] void RejectBroadcastShape(const clang::CallExpr *e, const std::string &name);
  Expr LowerAt(const clang::Expr *e, const Expr &index, const clang::CallExpr *broadcast = nullptr);
  Expr LowerIndexAt(const Expr &number, bool is_row, const clang::CallExpr *broadcast);
  Expr LowerNumber(const clang::CallExpr *e, const Node &number);
  Expr LowerRange(const clang::CallExpr *e);
  Expr LowerOneHot(const clang::CallExpr *e);
  Expr LowerFill(const clang::CallExpr *e);
  Expr LowerChoose(const clang::CallExpr *e);
  Expr LowerIndices(const clang::Expr *e);
  Expr LowerExtent(const clang::Expr *e, const std::string &name, const std::string &instead);
  [[noreturn]] void RejectExtent(const SourceLocation &location, const std::string &name,
                                 const std::string &instead);
  Expr LowerReduction(const clang::Expr *e, const std::vector<const clang::Expr *> &operands);
  void CheckRankOf(const clang::Expr *e, Frame frame);
  void CheckOneFrame(const clang::Expr *e, Reduced reduced);
  Expr LowerHelper(const clang::CallExpr *e);
  void CheckUsed(const clang::VarDecl *variable);
  void CheckFresh(const clang::DeclRefExpr *e, const Alias &alias);
  ScalarKind ElementKind(const clang::Expr *e);
  [[noreturn]] void RejectNode(const clang::Expr *e);
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
  std::optional<Reduced> reduced_;                     // by this kernel
  std::optional<Reduced> channels_;  // by the first kernel that has to do with channels
  int helpers_ = 0;                  // nested calls of functions that return expressions
};

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_LOWER_TENSOR_H_
