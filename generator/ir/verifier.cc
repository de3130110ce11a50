// SPDX-License-Identifier: Apache-2.0
#include "ir/verifier.h"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

#include "ir/builder.h"
#include "ir/walk.h"

namespace mgen {
namespace {

using Lines = std::vector<std::string>;

/// Why the type of `node` does not follow from its operands, or "".
std::string DerivedTypeError(const Node &node) {
  if (node.op == Op::kCast) return node.args.size() == 1 ? "" : "cast takes 1 operand";
  if (node.op == Op::kBitCast) return BitCastError(node.type, node.args);
  if (node.op == Op::kRoundStochastic) {
    const bool takes_floats = node.args.size() == 2 && node.args[0]->type == kFloatType &&
                              node.args[1]->type == kFloatType;
    return takes_floats ? "" : "round_stochastic takes two f32";
  }
  if (node.op == Op::kCall) return node.name.empty() ? "call has no function" : "";
  const bool is_own =
      node.op == Op::kReduceOwn || (node.op == Op::kScan && node.reducer == Op::kReduceOwn);
  if (is_own && node.index < 0) return "a reduction or scan by no reducer";
  std::string error = TypeError(node.op, node.args);
  const bool reduces = ClassOf(node.op) == OpClass::Reduce || node.op == Op::kScan;
  if (reduces && error.empty() && node.args[0]->type == node.type) return "";
  if (error.empty() && (reduces || MakeOp(node.op, node.args)->type != node.type)) {
    error = std::string(IrName(node.op)) + " has another type than its operands give";
  }
  return error;
}

/// Checks expressions of one rule or plan.
class ExprVerifier {
 public:
  ExprVerifier(const Rule &rule, Lines *problems) : rule_(rule), problems_(problems) {}

  /// What leaves may occur: set before expressions are checked.
  size_t locals = 0;                    ///< that many entries of the prologue
  bool host = false;                    ///< kParam, kLocal and kDim
  bool in_reducer = false;              ///< kOperand, and no other but literals
  const Plan *plan = nullptr;           ///< kHoisted, and kRead only of operands
  bool per_row = false;                 ///< kReduced
  const std::set<int> *lets = nullptr;  ///< kLet, these
  const std::map<int, Type> *let_types = nullptr;

  void Check(const Expr &root, const std::string &where) {
    if (root == nullptr) return problems_->push_back(where + ": no value");
    ForEachNode(root, [this, &where](const Expr &node) { CheckNode(*node, where); });
  }

  void CheckNode(const Node &node, const std::string &where) {
    const bool is_leaf = ClassOf(node.op) == OpClass::Leaf;
    std::string error = is_leaf ? LeafError(node) : DerivedTypeError(node);
    const bool has_elements = plan == nullptr || !per_row;
    if (ClassOf(node.op) == OpClass::Scan && !has_elements) {
      error = "a row has no elements to scan between sweeps";
    }
    if (!error.empty()) problems_->push_back(where + ": " + error);
    CheckType(node.type, where);
  }

  void CheckType(Type type, const std::string &where) {
    if (type.param >= static_cast<int>(rule_.type_params().size())) {
      problems_->push_back(where + ": type parameter " + std::to_string(type.param) +
                           " does not exist");
    }
  }

 private:
  static std::string Wrong(const Node &leaf, const char *what) {
    return std::string(IrName(leaf.op)) + " of " + std::to_string(leaf.index) + ", which " + what;
  }

  std::string LeafError(const Node &leaf) const {
    switch (leaf.op) {
      case Op::kLiteral:
        return "";
      case Op::kOperand:
        if (!in_reducer) return Wrong(leaf, "cannot be here");
        return leaf.index == 0 || leaf.index == 1 ? "" : Wrong(leaf, "does not exist");
      case Op::kAxis:
        return plan != nullptr || host ? "an axis cannot be here" : "";
      case Op::kRead:
      case Op::kParam:
      case Op::kDim:
      case Op::kIndex:
        return ParamError(leaf);
      case Op::kLocal:
        if (!host) return Wrong(leaf, "is not hoisted");
        if (!(leaf.index >= 0 && leaf.index < static_cast<int>(locals))) {
          return Wrong(leaf, "is not defined here");
        }
        return rule_.prologue[leaf.index].type == leaf.type ? "" : Wrong(leaf, "has another type");
      case Op::kHoisted:
        if (plan == nullptr || host) return Wrong(leaf, "cannot be here");
        if (leaf.index >= static_cast<int>(plan->scalars.size()))
          return Wrong(leaf, "does not exist");
        return plan->scalars[leaf.index].type == leaf.type ? "" : Wrong(leaf, "has another type");
      case Op::kCondition:
        if (host) return Wrong(leaf, "cannot be here");
        return plan == nullptr || leaf.index < static_cast<int>(plan->conditions.size())
                   ? ""
                   : Wrong(leaf, "does not exist");
      case Op::kReduced:
        if (plan == nullptr || !per_row) return Wrong(leaf, "cannot be here");
        if (leaf.index >= static_cast<int>(plan->reductions.size()))
          return Wrong(leaf, "does not exist");
        return plan->reductions[leaf.index].type == leaf.type ? ""
                                                              : Wrong(leaf, "has another type");
      case Op::kLet:
        if (lets == nullptr || lets->count(leaf.index) == 0)
          return Wrong(leaf, "is not bound here");
        return let_types->at(leaf.index) == leaf.type ? "" : Wrong(leaf, "has another type");
      default:
        return "unknown leaf";
    }
  }

  std::string ParamError(const Node &leaf) const {
    if (in_reducer) return Wrong(leaf, "cannot be here");
    if (!(leaf.index >= 0 && leaf.index < static_cast<int>(rule_.params.size()))) {
      return Wrong(leaf, "does not exist");
    }
    const Param &param = rule_.params[leaf.index];
    if (param.is_tensor != (leaf.op != Op::kParam)) return Wrong(leaf, "is of the other kind");
    const bool is_element = leaf.op == Op::kRead || leaf.op == Op::kIndex;
    if (is_element == host) return Wrong(leaf, "cannot be here");
    if (leaf.op == Op::kIndex) {
      return leaf.dim < 0 || leaf.dim < param.rank ? "" : Wrong(leaf, "has no such dimension");
    }
    if (leaf.op != Op::kDim && param.type != leaf.type) return Wrong(leaf, "has another type");
    if (leaf.op == Op::kRead && !leaf.args.empty()) return IndexError(leaf, param);
    if (plan != nullptr && leaf.op == Op::kRead && plan->FindOperand(leaf) < 0) {
      return Wrong(leaf, "is no operand");
    }
    return "";
  }

  /// An index expression for each dimension.
  std::string IndexError(const Node &read, const Param &param) const {
    if (plan != nullptr) return Wrong(read, "has index expressions");
    if (static_cast<int>(read.args.size()) != param.rank) {
      return Wrong(read, "has another rank than indices");
    }
    const bool are_indices = std::all_of(read.args.begin(), read.args.end(), [](const Expr &index) {
      return index->type == kIndexType;
    });
    return are_indices ? "" : Wrong(read, "has an index that is no i64");
  }

  const Rule &rule_;
  Lines *problems_;
};

class RuleVerifier {
 public:
  explicit RuleVerifier(const Rule &rule) : rule_(rule), exprs_(rule, &problems_) {}

  Lines Run() {
    CheckSignature();
    exprs_.host = true;
    for (const Local &local : rule_.prologue) {
      exprs_.Check(local.value, local.name);
      if (local.value != nullptr && local.value->type != local.type) {
        Problem(local.name, "its value has another type");
      }
      ++exprs_.locals;
    }
    for (const Param &param : rule_.params) {
      if (param.view) CheckView(param);
    }
    for (const Reducer &reducer : rule_.reducers) CheckReducer(reducer);
    for (const Stage &stage : rule_.stages) CheckStage(stage);
    return std::move(problems_);
  }

 private:
  void Problem(const std::string &where, const std::string &what) {
    problems_.push_back(where + ": " + what);
  }

  /// Statements are in their order, but those of another stage may stand between them. A pass may
  /// make two of one.
  void CheckStage(const Stage &stage) {
    int last = 0;
    std::set<int> numbers;
    ForEachStatement(stage.body, [&](const Statement &statement) {
      CheckStatement(statement);
      if (!statement.writes()) return;
      const bool is_next = statement.number >= last && numbers_.count(statement.number) == 0;
      if (!is_next) Problem("statement " + std::to_string(statement.number), "number out of order");
      last = statement.number;
      if (!statement.is_made) numbers.insert(last);
    });
    if (rule_.stages.size() > 1 && HasBoundary(stage.body) && !numbers.empty()) {
      Problem("stage", "a boundary beside statements in a rule that has been split");
    }
    numbers_.insert(numbers.begin(), numbers.end());
  }

  static bool HasBoundary(const std::vector<Statement> &body) {
    bool has_boundary = false;
    ForEachStatement(body, [&has_boundary](const Statement &statement) {
      has_boundary = has_boundary || statement.kind == Statement::kBoundary;
    });
    return has_boundary;
  }

  void CheckSignature() {
    for (const auto &instance : rule_.instances) {
      if (instance.size() != rule_.type_params().size())
        Problem(rule_.name, "instance of wrong size");
    }
    std::set<std::string> names;
    const auto check = [&](const std::string &name, Type type) {
      if (name.empty() || !names.insert(name).second) Problem(name, "name is empty or used twice");
      exprs_.CheckType(type, name);
    };
    for (const Param &param : rule_.params) check(param.name, param.type);
    for (const Local &local : rule_.prologue) check(local.name, local.type);
  }

  /// A view is made of arguments, and of temporaries that have memory.
  void CheckView(const Param &param) {
    for (const View::Operand &operand : param.view->operands) {
      if (operand.has_value()) exprs_.Check(operand.value, param.name);
      if (operand.kind == View::Operand::kType) exprs_.CheckType(operand.type, param.name);
      if (operand.kind == View::Operand::kRank && param.rank != Param::kRankParam) {
        Problem(param.name, "it knows of a rank that its rule does not have");
      }
      if (!operand.has_argument()) continue;
      const int count = static_cast<int>(rule_.params.size());
      const bool exists = operand.param >= 0 && operand.param < count;
      if (!exists || !rule_.params[operand.param].is_tensor || rule_.params[operand.param].view) {
        Problem(param.name, "it reads what is no tensor");
      }
    }
    if (param.is_part()) CheckPart(param);
  }

  /// A part is of a tensor of its own type, and of its rank unless it is in another shape.
  void CheckPart(const Param &param) {
    const std::vector<int> sources = param.view->Sources();
    const std::vector<int> &dims = param.view->ranges;
    const size_t count = param.view->names_rows ? 2 : 1;  // a tensor cannot be its own indices
    const bool has_rank = param.view->is_reshaped
                              ? param.view->Reshapes()
                              : param.rank == (param.view->is_flat || sources.empty()
                                                   ? 1
                                                   : rule_.params[sources.front()].rank);
    if (sources.size() != count || rule_.params[sources.front()].view ||
        rule_.params[sources.front()].type != param.type || !has_rank) {
      Problem(param.name, "it is no part of a tensor");
    }
    const Param &source = rule_.params[sources.front()];
    if (param.view->is_flat && !source.is_temporary && !source.is_workspace) {
      Problem(param.name, "the rows of its tensor may be padded");
    }
    int inner = -1;
    for (const int dim : dims) {
      const bool is_known = param.rank == Param::kRankParam ? dim == 0 || dim == Node::kLastDim
                                                            : 0 <= dim && dim < param.rank;
      if (!is_known) Problem(param.name, "a part of a dimension that it does not have");
      if (param.rank == Param::kRankParam && dim != dims.front()) {
        Problem(param.name, "a part of dimensions that may be one");
      }
      if (inner >= 0 && dim != inner) Problem(param.name, "an inner range before another one's");
      if (param.IsInner(dim)) inner = dim;
    }
  }

  void CheckReducer(const Reducer &reducer) {
    ExprVerifier exprs(rule_, &problems_);
    exprs.in_reducer = true;
    for (const Expr &value : {reducer.initial, reducer.reduce, reducer.merge}) {
      exprs.Check(value, reducer.name);
      if (value != nullptr && value->type != reducer.type) {
        Problem(reducer.name, "it gives another type than it takes");
      }
    }
  }

  void CheckStatement(const Statement &statement) {
    if (statement.kind == Statement::kIf) {
      exprs_.host = true;
      exprs_.Check(statement.condition, "if");
      if (statement.condition != nullptr && statement.condition->type != kBoolType) {
        Problem("if", "its condition is not bool");
      }
      return;
    }
    const std::string where = "statement " + std::to_string(statement.number);
    if (statement.kind == Statement::kBoundary) {
      return;
    }
    if (!IsTensor(statement.target)) return Problem(where, "its target is not a tensor");
    for (int other : statement.apart) {
      if (!IsTensor(other)) Problem(where, "it lies apart from what is no tensor");
    }
    for (const int tensor : statement.flattened) {
      if (!IsTensor(tensor) || rule_.params[tensor].view) Problem(where, "it flattens no tensor");
    }
    for (Expr e : statement.fitting) {
      if (ClassOf(e->op) == OpClass::Reduce) e = e->args[0];  // until they are lifted
      const bool is_known = (e->op == Op::kRead || e->op == Op::kDim) && IsTensor(e->index);
      if (!is_known) Problem(where, "what must fit is no tensor");
    }
    const Param &target = rule_.params[statement.target];
    if (target.view && !target.is_part()) return Problem(where, "its target is a view");
    if (!AreTensors(statement)) return Problem(where, "its operands are not tensors");
    if (statement.kind == Statement::kScatter) CheckScatter(statement, where);
    if (statement.kind == Statement::kSort) CheckSort(statement, where);
    CheckValue(statement, where);
  }

  bool IsTensor(int param) const {
    return param >= 0 && param < static_cast<int>(rule_.params.size()) &&
           rule_.params[param].is_tensor;
  }

  /// Whether the operands of a call are tensors.
  bool AreTensors(const Statement &statement) const {
    if (!statement.is_call()) return true;
    if (!IsTensor(statement.left.tensor)) return false;
    if (statement.kind != Statement::kSort) return IsTensor(statement.right.tensor);
    return statement.sort.columns < 0 || IsTensor(statement.sort.columns);
  }

  /// A sort has matrices, and its elements keep their type.
  void CheckSort(const Statement &statement, const std::string &where) {
    const bool has_value = statement.value != nullptr && statement.value->op != Op::kLiteral;
    const bool transposes = statement.left.transposed || statement.right.tensor >= 0;
    if (has_value || transposes || statement.saver != Saver::kSave) {
      Problem(where, "a sort does more than sort rows");
    }
    const Param &target = rule_.params[statement.target];
    const Param &source = rule_.params[statement.left.tensor];
    const int columns = statement.sort.columns;
    const bool has_elements = columns != statement.target;
    if (target.rank != 2 || source.rank != 2 || (has_elements && target.type != source.type) ||
        (columns >= 0 && rule_.params[columns].rank != 2)) {
      Problem(where, "a sort of other ranks or types");
    }
  }

  /// A scatter-add has a matrix, a vector of indices and a matrix, and adds in the type of both.
  void CheckScatter(const Statement &statement, const std::string &where) {
    const Param &target = rule_.params[statement.target];
    const Param &index = rule_.params[statement.left.tensor];
    const Param &rows = rule_.params[statement.right.tensor];
    const bool has_value = statement.value != nullptr && statement.value->op != Op::kLiteral;
    const bool transposes = statement.left.transposed || statement.right.transposed;
    if (has_value || transposes || statement.saver != Saver::kPlus) {
      Problem(where, "a scatter-add does more than add rows");
    }
    if (target.rank != 2 || index.rank != 1 || rows.rank != 2 || target.type != rows.type) {
      Problem(where, "a scatter-add of other ranks or types");
    }
  }

  /// In a statement tensors and scalars mix.
  void CheckValue(const Statement &statement, const std::string &where) {
    if (statement.value == nullptr) return Problem(where, "no value");
    if (statement.value->type != rule_.params[statement.target].type) {
      Problem(where, "its value has another type than its target");
    }
    ForEachNode(statement.value, [&](const Expr &node) {
      const bool is_element = node->op == Op::kRead || node->op == Op::kAxis ||
                              node->op == Op::kIndex || node->op == Op::kCondition;
      exprs_.host = !is_element;
      exprs_.CheckNode(*node, where);
    });
  }

  const Rule &rule_;
  Lines problems_;
  ExprVerifier exprs_;
  std::set<int> numbers_;  // of the statements of stages that were looked at
};

class PlanVerifier {
 public:
  explicit PlanVerifier(const Plan &plan)
      : plan_(plan), host_(plan.rule, &problems_), element_(plan.rule, &problems_) {
    host_.host = true;
    host_.locals = plan.rule.prologue.size();
    element_.plan = &plan;
    element_.let_types = &let_types_;
  }

  Lines Run() {
    for (const HostScalar &scalar : plan_.scalars) host_.Check(scalar.value, scalar.name);
    for (const Condition &condition : plan_.conditions) {
      host_.Check(condition.value, condition.name);
    }
    CheckNames();
    CheckOrders();
    CheckLoops();
    CheckViews();
    CheckSteps(plan_.steps, {});
    for (const Phase &phase : plan_.phases) {
      element_.per_row = !phase.is_sweep;
      CheckSteps(phase.steps, {});
    }
    return std::move(problems_);
  }

 private:
  void CheckNames() {
    std::set<std::string> names;
    for (const HostScalar &scalar : plan_.scalars) {
      if (!names.insert(scalar.name).second) problems_.push_back(scalar.name + ": name used twice");
    }
    for (const Condition &condition : plan_.conditions) {
      if (!names.insert(condition.name).second) {
        problems_.push_back(condition.name + ": name used twice");
      }
    }
    names.clear();
    for (const Operand &operand : plan_.operands) {
      if (!names.insert(operand.name).second) {
        problems_.push_back(operand.name + ": name used twice");
      }
    }
  }

  /// A kernel's loops take elements in one order. The leaves of another kernel are in that one's.
  void CheckOrders() {
    const Reduction *first = nullptr;
    for (const Reduction &reduction : plan_.reductions) {
      if (reduction.is_leaf()) continue;
      if (first == nullptr) first = &reduction;
      if (reduction.order != first->order) {
        problems_.push_back(reduction.name + ": is reduced by " +
                            std::string(IrName(reduction.order)) + ", but " + first->name + " by " +
                            std::string(IrName(first->order)));
      }
      const bool has_rows = plan_.kept.is_rows() || plan_.kept.is_none();
      if (IsOfRow(reduction.order) != has_rows) {
        problems_.push_back(reduction.name + ": what is kept leaves no elements to reduce by " +
                            std::string(IrName(reduction.order)));
      }
    }
  }

  /// The loops, once they are scheduled, go over each axis once, over those of values outside.
  void CheckLoops() {
    const std::vector<Loop> &loops = plan_.schedule.loops;
    if (loops.empty()) return;
    std::vector<Axes> axes = {plan_.kept, plan_.kept.Others()};
    axes.erase(std::remove(axes.begin(), axes.end(), Axes::None()), axes.end());
    const auto goes_over = [](const Loop &loop, const Axes &over) { return loop.axes == over; };
    if (!std::equal(loops.begin(), loops.end(), axes.begin(), axes.end(), goes_over)) {
      problems_.push_back("the loops go over other axes than those of values, and the others");
    }
  }

  /// What views and parts are made with is among the plan's scalars.
  void CheckViews() {
    for (const Operand &operand : plan_.operands) {
      const std::optional<View> &view = plan_.rule.params[operand.param].view;
      if (!view) continue;
      for (const View::Operand &part : view->operands) {
        if (part.has_value()) element_.Check(part.value, operand.name);
      }
      if (operand.read) CheckRead(operand.name, *operand.read, *view);
    }
  }

  /// The indices of a read are made of what its view takes, and of nothing else.
  void CheckRead(const std::string &operand, const IndexedRead &read, const View &view) {
    const std::vector<int> tensors = view.Arguments();
    const auto takes = [&](const Node &node) {
      if (node.op == Op::kDim) {
        return std::find(tensors.begin(), tensors.end(), node.index) != tensors.end();
      }
      return std::any_of(view.operands.begin(), view.operands.end(), [&](const auto &part) {
        return part.has_value() && part.value->op == node.op && part.value->index == node.index;
      });
    };
    for (const IndexedRead::Source &source : read.sources) {
      for (const IndexedRead &inner : source.inner) CheckRead(operand, inner, view);
      for (const int tensor : {source.tensor, source.rows_by}) {
        const bool is_known = tensor < 0 || takes(*MakeDim(tensor, 0));
        if (!is_known) problems_.push_back(operand + ": reads what its view does not take");
      }
    }
    ForEachNumber(read, [&](const Affine &number) {
      ForEachNode(number.ToExpr(), [&](const Expr &node) {
        const bool is_known = node->op == Op::kAxis || node->op == Op::kLiteral ||
                              !node->args.empty() || takes(*node);
        if (!is_known)
          problems_.push_back(operand +
                              ": an index is made of a number that its view does not take");
      });
    });
  }

  /// `lets` are those bound in the blocks around.
  void CheckSteps(const std::vector<Step> &steps, std::set<int> lets) {
    for (const Step &step : steps) {
      element_.lets = &lets;
      if (step.kind == Step::kIf) {
        if (step.condition < 0 || step.condition >= static_cast<int>(plan_.conditions.size())) {
          problems_.push_back("if: no such condition");
        }
        CheckSteps(step.then_steps, lets);
        CheckSteps(step.else_steps, lets);
        continue;
      }
      const std::string where =
          step.kind == Step::kLet ? "let " + step.name : "step " + std::to_string(step.statement);
      element_.Check(step.value, where);
      if (step.value == nullptr) continue;
      if (step.kind == Step::kLet) {
        if (!let_types_.emplace(step.let, step.value->type).second) {
          problems_.push_back(where + ": bound twice");
        }
        lets.insert(step.let);
      } else if (step.kind == Step::kReduce) {
        CheckReduction(step, where);
      } else {
        CheckTarget(step, where);
      }
    }
  }

  void CheckReduction(const Step &step, const std::string &where) {
    if (step.reduction < 0 || step.reduction >= static_cast<int>(plan_.reductions.size())) {
      return problems_.push_back(where + ": no such reduction");
    }
    if (plan_.reductions[step.reduction].type != step.value->type) {
      problems_.push_back(where + ": value of another type");
    }
    if (element_.per_row) problems_.push_back(where + ": a row has no elements between sweeps");
  }

  void CheckTarget(const Step &step, const std::string &where) {
    if (step.operand < 0 || step.operand >= static_cast<int>(plan_.operands.size())) {
      return problems_.push_back(where + ": no such operand");
    }
    const Operand &operand = plan_.operands[step.operand];
    if (operand.type != step.value->type) problems_.push_back(where + ": value of another type");
    if (operand.store.never())
      problems_.push_back(where + ": " + operand.name + " is never stored");
  }

  const Plan &plan_;
  Lines problems_;
  ExprVerifier host_;
  ExprVerifier element_;
  std::map<int, Type> let_types_;
};

void ThrowIfAny(const std::string &what, const Lines &problems) {
  if (problems.empty()) return;
  std::string text = what + " is not well-formed:";
  for (const std::string &problem : problems) text += "\n  " + problem;
  throw std::logic_error(text);
}

}  // namespace

Lines Problems(const Rule &rule) { return RuleVerifier(rule).Run(); }
Lines Problems(const Plan &plan) { return PlanVerifier(plan).Run(); }

void Verify(const Rule &rule) { ThrowIfAny("rule " + rule.name, Problems(rule)); }
void Verify(const Plan &plan) { ThrowIfAny("plan of " + plan.rule.name, Problems(plan)); }

}  // namespace mgen
