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

/// A name that the spec gave an expression: `auto g = tcast<float>(grad);`. The expression is
/// evaluated where the name is used: it reads the new value of a tensor written in between.
struct Alias {
  /// Null if `reduced` is set, or if axes are reduced in it, until the name is used as elements.
  Expr value;
  SourceLocation location;
  std::vector<Expr> fitting = {};          ///< as Statement::fitting
  std::vector<CountedExtent> counts = {};  ///< as Statement::counts
  std::map<int, int> versions =
      {};                  ///< tensors that it reads: how often each was written before it
  Expr reduced = nullptr;  ///< set if it has a value for each row or column (lower_axes.h)
  std::optional<ReducedAxis> axis = {};  ///< of `reduced`
};

/// What `reducer` computes; kOwn: it is none of the runtime's reducers.
Reducing ReducingBy(clang::QualType reducer);
/// Whether a record of this name is a node that reduces.
bool IsReduction(const std::string &record);

/// Adds to Statement::fitting those of `fitting` that the statement's value does not read. The
/// statement must have its value.
void AddFitting(const Rule &rule, const std::vector<Expr> &fitting, Statement *statement);

class TensorLowering {
 public:
  /// Adds a view to the rule's tensors, with a name like `name`. Returns its index in Rule::params.
  using AddView = std::function<int(const std::string &name, Param view)>;

  TensorLowering(RuleScalars &scalars, AddView add_view, std::vector<Reducer> *reducers)
      : scalars_(scalars),
        front_(scalars.front()),
        add_view_(std::move(add_view)),
        reducers_(scalars, reducers) {}

  /// Sets what makes temporaries for reductions that a view repeats. Without it, these are errors.
  void set_materialiser(Materialiser *materialiser) { materialiser_ = materialiser; }

  /// The element of expression `e`, of its element type. Throws Rejected after reporting.
  Expr Lower(const clang::Expr *e);

  /// Lowers `e`, and gives the reduction that `reduce` makes of its element.
  using MakeReduced = std::function<Expr(const Expr &value)>;
  Expr LowerReduced(const clang::Expr *e, const MakeReduced &reduce);

  /// Lowers `e`, which `statement` saves, and sets the statement's value, fitting and counts.
  /// \param save what a saver of the spec's own makes of the expression's element
  void LowerValue(const clang::Expr *e, Statement *statement,
                  const std::function<Expr(const Expr &)> &save = nullptr);

  /// The rule's tensor for the slice `e`, which may be written; -1 if `e` is no slice.
  int PartOf(const clang::Expr *e);

  /// Declares a name of an expression. Its uses are lowered to the expression.
  void Declare(const clang::VarDecl *variable);

  /// Notes that a statement at `location` writes `param`: names that read it are stale from now on.
  void Written(int param, const SourceLocation &location);

  /// Whether a statement so far writes `param`, or it is a temporary, which has no other values.
  bool IsWritten(int param) const {
    const auto writes = writes_.find(param);
    const bool is_written = writes != writes_.end() && !writes->second.empty();
    return is_written || scalars_.rule().params[param].is_temporary;
  }

  /// What `variable` stands for; null if it names no expression.
  const Alias *AliasOf(const clang::VarDecl *variable) const {
    const auto alias = aliases_.find(variable);
    return alias == aliases_.end() ? nullptr : &alias->second;
  }

  const AddView &add_view() const { return add_view_; }

  // For classes that lower certain expressions: AxisLowering, IndexLowering, Materialiser.
  RuleScalars &scalars() { return scalars_; }
  /// As Statement::fitting and Statement::counts, of the statement or name that is being lowered.
  std::vector<Expr> &fitting() { return fitting_; }
  std::vector<CountedExtent> &counts() { return counts_; }
  /// Whether the expression that is being lowered has a value for each row or column, not elements.
  bool &in_values() { return in_values_; }
  /// Whether the expression that is being lowered is reduced, and so may have any shape.
  bool in_reduced() const { return in_reduced_; }
  /// Whether values of rows or columns are repeated by views of temporaries, which have elements.
  bool repeats_by_views() const { return repeats_by_views_; }
  /// A dimension of expressions of a rank: the one that the vector which is being lowered is
  /// broadcast along.
  struct Along {
    int rank = 1, dim = 0;
  };
  Along &along() { return along_; }
  /// The name that is being declared, if it is that of `e`; else "".
  std::string NameDeclaredFor(const clang::Expr *e) const {
    return named_.first == e ? named_.second : "";
  }
  /// The element of a view, which becomes a tensor of the rule, or is computed of several.
  Expr LowerView(const clang::Expr *e);
  /// Adds `view`, which is `e`, to the rule's tensors. Its elements have the type of `of`.
  int AddViewOf(const clang::Expr *e, View view, const clang::Expr *of);
  /// What `e` computes, which maps elements (expressions.h). \param element gives the element of an
  /// operand that is an expression
  using LowerElement = std::function<Expr(const clang::Expr *operand)>;
  Expr LowerMap(const clang::Expr *e, const std::vector<const clang::Expr *> &operands,
                const LowerElement &element);
  /// The element type of `e`, or an error about it.
  ScalarKind ElementKind(const clang::Expr *e);
  [[noreturn]] void RejectNode(const clang::Expr *e);

  /// Whether the rank of the rule is its template parameter.
  static bool HasRankParam(const Rule &rule);

 private:
  Expr LowerNew(const clang::Expr *e);
  Expr LowerName(const clang::DeclRefExpr *e);
  Expr LowerAnew(const clang::VarDecl *variable);
  bool CountsColumns(const clang::CallExpr *e) const;
  bool SpreadsChoice(const clang::CallExpr *e) const;
  Expr ReadOf(int param, const clang::Expr *e);
  LowerElement in_place() {
    return [this](const clang::Expr *operand) { return Lower(operand); };
  }
  Expr LowerCall(const clang::CallExpr *e);
  Expr LowerNode(const clang::Expr *e, const std::vector<const clang::Expr *> &operands);
  Expr LowerOperand(const clang::Expr *e, ScalarKind kind, const LowerElement &element);
  Expr LowerRounding(const clang::Expr *e, ScalarKind kind, const Expr &value, const Expr &uniform);
  Expr LowerWhere(const clang::Expr *e, const std::vector<const clang::Expr *> &operands,
                  const LowerElement &element);
  Expr NoteUnread(const std::vector<Expr> &operands, Expr result);
  bool RepeatsValuesAlone(const Expr &value) const;
  bool HasRowsOfIndicesAlone(const Expr &value) const;
  Expr LowerReduction(const clang::Expr *e, const std::vector<const clang::Expr *> &operands);
  void CheckRankOf(const clang::Expr *e, int kept);
  Expr LowerHelper(const clang::CallExpr *e);
  Alias LowerAlias(const clang::VarDecl *variable, bool in_values);
  void CheckUsed(const clang::VarDecl *variable);
  void CheckFresh(const clang::DeclRefExpr *e, const Alias &alias);
  void RejectAloneIn(const std::vector<const clang::Expr *> &operands);
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
  std::vector<Expr> fitting_;                          // of what is being lowered
  std::vector<CountedExtent> counts_;                  // likewise
  std::map<const clang::VarDecl *, Alias> aliases_;    // looked up only
  std::map<int, std::vector<Write>> writes_;           // by param
  Materialiser *materialiser_ = nullptr;
  bool in_values_ = false;
  bool repeats_by_views_ = false;
  bool in_reduced_ = false;
  bool one_hots_are_views_ = false;  // where no tensor says how many rows they have
  Along along_;
  int helpers_ = 0;  // nested calls of functions that return expressions
};

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_LOWER_TENSOR_H_
