// SPDX-License-Identifier: Apache-2.0
#include "passes/stages.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "ir/builder.h"
#include "ir/effects.h"
#include "ir/stages.h"
#include "ir/view_call.h"
#include "ir/walk.h"
#include "passes/names.h"
#include "passes/unset.h"
#include "passes/value_numbers.h"

namespace mgen {
namespace {

class StagesCheck {
 public:
  StagesCheck(const Rule &rule, Diagnostics &diagnostics)
      : rule_(rule), diagnostics_(diagnostics) {}

  bool Run() {
    const int errors_before = diagnostics_.error_count();
    ForEachStatement(rule_, [this](const Statement &statement) {
      if (!statement.writes()) return;
      for (const int target : statement.targets()) {
        if (statement.is_call()) CheckTarget(statement, rule_.params[target]);
        writes_.emplace(target, &statement);
        writes_.emplace(OwnerOf(rule_, target), &statement);
      }
    });
    CheckIndices();
    CheckUnset(rule_, Workspaces(), diagnostics_);
    if (!WritesSomething(rule_)) {
      diagnostics_.Report(DiagId::kNoWrite, rule_.location, rule_.name)
          .Note(DiagId::kNoWriteNote, rule_.location);
    }
    return diagnostics_.error_count() == errors_before;
  }

 private:
  void CheckTarget(const Statement &call, const Param &target) {
    if (!target.is_const) return;
    diagnostics_.Report(DiagId::kConstWrite, call.location, target.name)
        .Note(DiagId::kConstWriteNote, target.location, target.name);
  }

  /// A launch checks indices before any stage runs, so an earlier stage must not write them.
  void CheckIndices() {
    ForEachStatement(rule_, [this](const Statement &statement) {
      if (statement.kind != Statement::kAssign) return;
      for (const int tensor : EffectsOf(statement).used()) {
        const int indices = rule_.params[tensor].Indices();
        if (indices >= 0) CheckIndex(MakeRead(indices, rule_.params[indices].type), statement);
      }
      ForEachNode(statement.value, [&](const Expr &node) {
        if (node->op != Op::kRead) return;
        for (const Expr &index : node->args) CheckIndex(index, statement);
      });
    });
  }

  void CheckIndex(const Expr &index, const Statement &statement) {
    for (const Expr &read : ReadNodesOf(index)) {
      const auto write = writes_.find(read->index);
      if (write == writes_.end()) continue;
      const std::string &name = rule_.params[read->index].name;
      diagnostics_.Report(DiagId::kIndexWritten, statement.location, name)
          .Note(DiagId::kWrittenHere, write->second->location, name)
          .Note(DiagId::kIndexTensorNote, statement.location);
    }
  }

  /// The temporaries with memory, which must be written before they are read. (The pass check looks
  /// at the temporaries of a single kernel.)
  std::set<int> Workspaces() const {
    std::set<int> workspaces;
    for (size_t i = 0; i < rule_.params.size(); ++i) {
      if (rule_.params[i].is_workspace) workspaces.insert(static_cast<int>(i));
    }
    return workspaces;
  }

  const Rule &rule_;
  Diagnostics &diagnostics_;
  std::map<int, const Statement *> writes_;  // the first of each tensor
};

bool IsDiagonal(const Param &param) { return param.view && DiagonalIn(*param.view); }

/// The vectors that the front end has made for what is assigned to diagonals.
std::set<int> ValuesOfDiagonals(const Rule &rule) {
  std::set<int> made, values;
  ForEachStatement(rule, [&](const Statement &statement) {
    if (statement.is_made) made.insert(statement.target);
    if (!statement.writes() || !IsDiagonal(rule.params[statement.target])) return;
    for (const Expr &read : ReadNodesOf(statement.value)) {
      if (made.count(read->index) != 0) values.insert(read->index);
    }
  });
  return values;
}

class Joiner {
 public:
  Joiner(const Rule &rule, std::vector<Plan> kernels)
      : rule_(rule), kernels_(std::move(kernels)), values_(ValuesOfDiagonals(rule)) {
    plan_.rule = rule;
  }

  Plan Run() {
    size_t next = 0;
    for (const Stage &stage : rule_.stages) {
      PlanStage part;
      if (CallOf(stage) != nullptr) {
        part.call = PlanCall(stage);
        Count(*part.call);
      } else {
        part.kernel.push_back(std::move(kernels_[next++]));
        part.kernel[0].stage_of = rule_.name;
        ForgetWorkspaces(&part.kernel[0].aliases);
        CompareExtents(&part.kernel[0]);
        Count(part.kernel[0]);
      }
      plan_.stages.push_back(std::move(part));
    }
    std::sort(plan_.operands.begin(), plan_.operands.end(),
              [](const Operand &a, const Operand &b) { return a.param < b.param; });
    return std::move(plan_);
  }

 private:
  StageCall PlanCall(const Stage &stage) {
    const Statement &statement = *CallOf(stage);
    for (int tensor : EffectsOf(stage.body).used()) HoistRange(tensor);
    StageCall call{statement.kind, statement.number, statement.target, statement.saver,
                   statement.left, statement.right,  statement.clips,  statement.sort};
    const bool is_one = statement.value->op == Op::kLiteral && IsOne(statement.value->value);
    if (!is_one) {
      const std::string name = "scale" + std::to_string(statement.number);
      plan_.scalars.push_back({names_.Unique(name), statement.value->type, statement.value});
      call.scale = static_cast<int>(plan_.scalars.size()) - 1;
    }
    if (const Expr condition = ConditionOf(stage.body)) {
      const std::string name = "runs" + std::to_string(statement.number);
      plan_.conditions.push_back({names_.Unique(name), condition});
      call.condition = static_cast<int>(plan_.conditions.size()) - 1;
    }
    return call;
  }

  /// Turns the bounds of a slice into scalars.
  void HoistRange(int tensor) {
    Param &part = plan_.rule.params[tensor];
    if (!part.is_part()) return;
    for (View::Operand &operand : part.view->operands) {
      const bool is_done = !operand.has_value() || operand.value->op == Op::kHoisted;
      if (is_done || operand.value->op == Op::kLiteral) continue;
      operand.value = MakeHoisted(BoundOf(operand.value, part.name), operand.value->type);
    }
  }

  int BoundOf(const Expr &value, const std::string &part) {
    const auto [known, is_new] =
        bounds_.emplace(numbers_.Of(value), static_cast<int>(plan_.scalars.size()));
    if (is_new) {
      const auto leaf_name = [this](const Node &leaf) { return RuleLeafName(rule_, leaf); };
      const std::string name = NameOf(value, leaf_name);
      plan_.scalars.push_back(
          {names_.Unique(name.empty() ? part + "_bound" : name), value->type, value});
    }
    return known->second;
  }

  bool HasOwnMemory(int tensor) const {
    return rule_.params[tensor].is_workspace || rule_.params[OwnerOf(rule_, tensor)].is_workspace;
  }

  /// Removes the alias rules of temporaries, since no caller passes these. Two views of one
  /// temporary keep theirs.
  void ForgetWorkspaces(std::vector<AliasRule> *aliases) const {
    const auto is_own = [this](const AliasRule &alias) {
      const bool is_one = OwnerOf(rule_, alias.written) == OwnerOf(rule_, alias.other);
      return !is_one && (HasOwnMemory(alias.written) || HasOwnMemory(alias.other));
    };
    aliases->erase(std::remove_if(aliases->begin(), aliases->end(), is_own), aliases->end());
  }

  /// A kernel may have views that the rule has not, behind the parameters that both have.
  bool IsOfRule(int param) const { return param < static_cast<int>(rule_.params.size()); }
  bool IsOfRule(const Operand &operand) const { return IsOfRule(operand.param); }
  const Param &ParamOf(const Plan &kernel, const Operand &operand) const {
    return (IsOfRule(operand) ? rule_ : kernel.rule).params[static_cast<size_t>(operand.param)];
  }

  /// Whether an operand is an argument with an element for each of the kernel, where this runs.
  bool SaysShape(const Plan &kernel, const Operand &operand) const {
    const Param &param = ParamOf(kernel, operand);
    const bool is_used = operand.used.always() || operand.used == kernel.runs;
    return operand.axes.is_every() && is_used && param.is_argument() && param.rank != 2;
  }

  /// A tensor of the rule that a kernel uses along some axes, be it to no effect.
  struct Values {
    int param;
    Axes axes;
    bool load;
    Guard used;
  };

  std::vector<Values> ValuesOf(const Plan &kernel) const {
    std::vector<Values> all;
    const auto add = [&](const Values &values) {
      if (IsOfRule(values.param)) all.push_back(values);
    };
    for (const Operand &operand : kernel.operands) {
      add({operand.param, operand.axes, operand.load, operand.used});
    }
    for (const Fitting &fits : kernel.fitting) {
      const Node &e = *fits.tensor;
      if (e.op == Op::kRead) add({e.index, e.axes, true, fits.used});
    }
    return all;
  }

  /// The tensor by whose rows, or by whose combinations of the coordinates that the axes stand for,
  /// values are counted; -1: they are not, or no argument counts them.
  int CounterOf(const Values &values) const {
    const Param &param = rule_.params[values.param];
    if (!param.is_workspace || param.extents.size() != 1) return -1;
    if (!values.axes.is_rows() && values.axes.without() < 0) return -1;
    std::set<int> counters;
    bool has_rows = false;
    ForEachNode(param.extents[0], [&](const Expr &node) {
      if (node->op != Op::kDim) return;
      counters.insert(node->index);
      has_rows = has_rows || node->dim == Node::kRows;
    });
    const bool is_known = counters.size() == 1 && has_rows == values.axes.is_rows();
    return is_known && rule_.params[*counters.begin()].is_argument() ? *counters.begin() : -1;
  }

  /// Such values are found by their number. So the launch must compare the extents along which they
  /// are counted: with those of an argument, or, if views and temporaries alone have elements, with
  /// the kernel's shape.
  void CompareExtents(Plan *kernel) const {
    const auto says = [&](const Operand &operand) { return SaysShape(*kernel, operand); };
    const auto like = std::find_if(kernel->operands.begin(), kernel->operands.end(), says);
    for (const Values &values : ValuesOf(*kernel)) {
      const int counter = CounterOf(values);
      if (counter < 0 || HasShapeOf(*kernel, counter, values.used)) continue;
      const int rank = rule_.params[counter].rank;
      if (like == kernel->operands.end()) {
        if (rank != 2 && HasRank(*kernel, rank)) AddShapeBut(counter, values, kernel);
      } else if (values.load && rule_.params[like->param].rank == rank) {
        for (const Axes &axes : PartsOf(values.axes, rank)) {
          kernel->same_shapes.push_back({{like->param, counter}, values.used, axes});
        }
      }
    }
  }

  /// Whether the elements of `tensor`, or of a temporary of its shape, are a kernel's in every
  /// launch in which `used` holds.
  bool HasShapeOf(const Plan &kernel, int tensor, const Guard &used) const {
    return std::any_of(kernel.operands.begin(), kernel.operands.end(), [&](const Operand &operand) {
      return operand.axes.is_every() && IsOfRule(operand) &&
             ShapeOf(rule_, operand.param) == tensor && Or(operand.used, used) == operand.used;
    });
  }

  /// Whether all that has the kernel's elements is of this rank.
  bool HasRank(const Plan &kernel, int rank) const {
    return std::all_of(kernel.operands.begin(), kernel.operands.end(), [&](const Operand &operand) {
      const int own = ParamOf(kernel, operand).rank;
      return !operand.axes.is_every() || own == 1 || own == rank;
    });
  }

  /// Adds, once, that `tensor` must have the kernel's shape but for the dimension that the axes of
  /// the values leave out.
  static void AddShapeBut(int tensor, const Values &values, Plan *kernel) {
    const int without = values.axes.without();
    const int dim = without < 0 ? Node::kRows : Node::kRest - without;
    const auto is_known = [&](const Fitting &known) {
      const Node &e = *known.tensor;
      return e.op == Op::kDim && e.index == tensor && e.dim == dim && known.used == values.used;
    };
    const std::vector<Fitting> &all = kernel->fitting;
    if (std::any_of(all.begin(), all.end(), is_known)) return;
    kernel->fitting.push_back({MakeDim(tensor, dim), values.used});
  }

  /// Axes that a launch compares at once, which together are the axes of values.
  static std::vector<Axes> PartsOf(const Axes &axes, int rank) {
    if (axes.without() < 0) return {axes};
    std::vector<Axes> parts;
    if (rank == Param::kRankParam) {  // of another dimension, extents on both sides
      if (axes.without() == 0) parts.push_back(axes);
      return parts;
    }
    for (int dim = 0; dim < rank; ++dim) {
      if (dim != axes.without()) parts.push_back(dim + 1 == rank ? Axes::Last() : Axes::Only(dim));
    }
    return parts;
  }

  static bool IsOne(const LiteralValue &value) {
    return std::visit([](auto v) { return v == 1; }, value);
  }

  /// The condition under which the only statement of the body runs; null: always.
  static Expr ConditionOf(const std::vector<Statement> &body) {
    const Statement &statement = body.front();
    if (statement.kind != Statement::kIf) return nullptr;
    const bool is_then = !statement.then_body.empty();
    const Expr own = is_then ? statement.condition : MakeOp(Op::kNot, {statement.condition});
    const Expr inner = ConditionOf(is_then ? statement.then_body : statement.else_body);
    return inner == nullptr ? own : MakeOp(Op::kAnd, {own, inner});
  }

  void Count(const StageCall &call) {
    for (const int source : call.sources()) UseOf(source, true, false);
    for (const int target : call.targets()) UseOf(target, call.saver != Saver::kSave, true);
    ++plan_.unfused_passes;
    plan_.bytes += BytesOf(rule_, call);
    plan_.unfused_bytes += BytesOf(rule_, call);
  }

  /// Notes a use of a tensor, or of a slice or a diagonal: then the rest of the tensor keeps its
  /// values. A reshaped tensor has no rest.
  void UseOf(int tensor, bool load, bool store) {
    const Param &param = rule_.params[tensor];
    if (param.is_part()) {
      const bool has_rest = !param.view->is_reshaped || IsDiagonal(param);
      Use(param.view->Sources().front(), load || has_rest, store);
      if (param.Indices() >= 0) Use(param.Indices(), true, false, std::nullopt);
    } else {
      Use(tensor, load, store);
    }
  }

  void Count(const Plan &kernel) {
    for (size_t i = 0; i < kernel.operands.size(); ++i) {
      const Operand &operand = kernel.operands[i];
      if (operand.is_temporary) continue;
      if (const View *view = kernel.ViewOf(static_cast<int>(i))) {
        for (int argument : view->Arguments()) Use(argument, true, false, std::nullopt);
      } else if (kernel.PartOf(static_cast<int>(i)) != nullptr) {
        UseOf(operand.param, operand.load, !operand.store.never());
      } else {
        // In a kernel of vectors a vector has elements; in another one it may have values of rows.
        const bool is_vector = rule_.params[operand.param].rank == 1;
        const bool says_map = !is_vector || !operand.axes.is_every();
        Use(operand.param, operand.load, !operand.store.never(),
            says_map ? std::optional(operand.axes) : std::nullopt);
      }
    }
    for (const Fitting &fits : kernel.fitting) {
      if (!HasOwnMemory(fits.tensor->index)) plan_.fitting.push_back(fits);
    }
    for (SameShape same : kernel.same_shapes) {
      std::vector<int> &tensors = same.tensors;
      tensors.erase(std::remove_if(tensors.begin(), tensors.end(),
                                   [this](int tensor) { return HasOwnMemory(tensor); }),
                    tensors.end());
      if (tensors.size() > 1) plan_.same_shapes.push_back(std::move(same));
    }
    if (!IsOfExpression(kernel)) plan_.unfused_passes += kernel.unfused_passes;
    if (IsOfVectors(kernel) && HasElements()) return;
    plan_.bytes += kernel.bytes;
    plan_.unfused_bytes += kernel.unfused_bytes;
    if (kernel.leaves) plan_.bytes -= kernel.leaves->bytes;
  }

  /// Whether an unfused expression computes in its own pass what the kernel computes: temporaries
  /// that the front end has made for reductions of axes (frontend/materialise.h) and for diagonals.
  /// But what a view repeats is computed before, unfused, too.
  bool IsOfExpression(const Plan &kernel) const {
    return std::all_of(kernel.operands.begin(), kernel.operands.end(), [&](const Operand &operand) {
      const std::optional<View> &view = ParamOf(kernel, operand).view;
      return operand.store.never() || values_.count(operand.param) != 0 ||
             (view && view->is_flat && !IsReadByView(view->Sources().front()));
    });
  }
  bool IsReadByView(int tensor) const {
    return std::any_of(rule_.params.begin(), rule_.params.end(), [tensor](const Param &param) {
      if (!param.view || param.is_part()) return false;
      const std::vector<int> sources = param.view->Sources();
      return std::find(sources.begin(), sources.end(), tensor) != sources.end();
    });
  }

  /// Whether a kernel uses only vectors and diagonals, none of which is all elements of a larger
  /// tensor. Bytes are counted for an element, so in a rule over matrices such a kernel counts as
  /// moving none.
  bool IsOfVectors(const Plan &kernel) const {
    return std::all_of(kernel.operands.begin(), kernel.operands.end(), [&](const Operand &o) {
      const Param &param = ParamOf(kernel, o);
      if (IsDiagonal(param)) return true;
      return param.rank == 1 && !(param.view && param.view->is_reshaped);
    });
  }
  bool HasElements() const {
    return std::any_of(rule_.params.begin(), rule_.params.end(),
                       [](const Param &param) { return param.is_tensor && param.rank != 1; });
  }

  /// Notes a use of a tensor. If an earlier stage wrote the tensor, it need not be loaded from
  /// before the launch, unless that stage kept some of its values.
  /// \param axes nothing: the kernel does not show the axes of the tensor
  void Use(int tensor, bool load, bool store, std::optional<Axes> axes = Axes::Every()) {
    auto operand = std::find_if(plan_.operands.begin(), plan_.operands.end(),
                                [tensor](const Operand &known) { return known.param == tensor; });
    if (operand == plan_.operands.end()) {
      const Param &param = rule_.params[tensor];
      const Axes first = axes.value_or(Axes::Every());
      operand = plan_.operands.insert(operand, {tensor, param.name, param.type, first});
      operand->is_temporary = param.is_temporary;
    }
    if (axes && viewed_.erase(tensor) != 0) operand->axes = *axes;
    if (!axes && mapped_.count(tensor) == 0) viewed_.insert(tensor);
    if (axes) mapped_.insert(tensor);
    if (axes && operand->axes != *axes) operand->axes = Axes::Every();
    operand->load = operand->load || (load && operand->store.never());
    if (store) operand->store.terms = {{}};
  }

  const Rule &rule_;
  std::vector<Plan> kernels_;
  const std::set<int> values_;  // of diagonals
  NameSet names_;
  ValueNumbers numbers_;
  std::map<int, int> bounds_;      // of slices, by value number: the scalar
  std::set<int> mapped_, viewed_;  // tensors of which a kernel shows the axes; others
  Plan plan_;
};

}  // namespace

bool CheckStages(const Rule &rule, Diagnostics &diagnostics) {
  return !IsStaged(rule) || StagesCheck(rule, diagnostics).Run();
}

std::vector<Rule> KernelsOf(const Rule &rule) {
  std::vector<Rule> kernels;
  if (!IsStaged(rule)) return kernels;
  for (size_t i = 0; i < rule.stages.size(); ++i) {
    if (CallOf(rule.stages[i]) == nullptr) kernels.push_back(StageRule(rule, i));
  }
  return kernels;
}

Plan JoinStages(const Rule &rule, std::vector<Plan> kernels) {
  return Joiner(rule, std::move(kernels)).Run();
}

}  // namespace mgen
