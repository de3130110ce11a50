// SPDX-License-Identifier: Apache-2.0
#include "passes/plan.h"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

#include "ir/builder.h"
#include "ir/effects.h"
#include "ir/walk.h"
#include "passes/accesses.h"
#include "passes/hoist.h"
#include "passes/names.h"
#include "passes/phases.h"
#include "passes/traffic.h"
#include "passes/variants.h"

namespace mgen {
namespace {

void Require(const Rule &rule, const RuleConditions &conditions) {
  const auto refuse = [&rule](const char *why) {
    throw std::invalid_argument("rule " + rule.name + " cannot be planned: " + why);
  };
  if (rule.stages.size() != 1) refuse("it does not have one stage");
  if (conditions.values.size() > kMaxConditions) refuse("it has too many conditions");
  ForEachStatement(rule, [&refuse](const Statement &statement) {
    if (statement.kind == Statement::kAssign && statement.saver != Saver::kSave) {
      refuse("its savers are not expanded");
    }
  });
}

template <typename T>
void AddOnce(const T &value, std::vector<T> *to) {
  if (std::find(to->begin(), to->end(), value) == to->end()) to->push_back(value);
}

class Planner {
 public:
  Planner(const Rule &whole, const Rule &forwarded)
      : whole_(whole), rule_(forwarded), conditions_(ConditionsOf(rule_)), hoister_(rule_) {
    Require(rule_, conditions_);
  }

  Plan Run() {
    plan_.rule = whole_;
    plan_.kept = KeptBy(rule_);
    const Accesses accesses = AccessesOf(rule_, conditions_);
    const Accesses unfused = AccessesOf(whole_, ConditionsOf(whole_));
    FindUses(accesses);
    FindUses(unfused);
    FindShapes();
    FindOnlyIndices();
    PlanOperands(accesses);
    PlanGathers();
    PlanFitting();
    PlanRuns(accesses);
    PlanConditions();
    if (!plan_.kept.is_every()) {
      PlanSweeps();
    } else {
      plan_.steps = PlanBody(rule_.stages.front().body);
    }
    plan_.aliases = AliasesOf(rule_, accesses);
    PlanViews();
    PlanCounts();
    plan_.scalars = hoister_.Scalars(plan_.conditions);
    plan_.bytes =
        plan_.kept.has_last() || plan_.kept.is_none() ? BytesOfSweeps() : accesses.traffic.fused;
    plan_.unfused_bytes = unfused.traffic.unfused;
    plan_.unfused_passes = unfused.traffic.passes;
    return std::move(plan_);
  }

 private:
  /// By parameter and axes: in which variants a statement uses the tensor, as is or as a shape. A
  /// launch checks what statements of the spec use that are forwarded, too: unfused, they run.
  void FindUses(const Accesses &accesses) {
    for (const auto &[place, access] : accesses.operands) {
      for (unsigned variant = 0; variant < access.used.size(); ++variant) {
        if (access.used[variant]) NoteUse(place.first, place.second, variant);
      }
    }
  }
  void FindShapes() {
    const RuleConditions conditions = ConditionsOf(whole_);  // with the numbers of conditions_
    for (unsigned variant = 0; variant < conditions.variant_count(); ++variant) {
      for (const Statement *statement : Linearize(whole_, conditions, variant)) {
        for (const Expr &e : statement->fitting) {
          if (!AsksForExtent(e)) NoteUse(e->index, AxesOf(e), variant);
        }
        if (const int tensor = ShapeOfTarget(*statement); tensor >= 0) {
          NoteUse(tensor, Axes::Every(), variant);
        }
        NoteVector(statement->target, variant);
        statements_[statement->number].resize(conditions.variant_count(), false);
        statements_[statement->number][variant] = true;
      }
    }
  }
  void NoteUse(int param, Axes axes, unsigned variant) {
    std::vector<bool> &variants = uses_[{param, axes}];
    variants.resize(conditions_.variant_count(), false);
    variants[variant] = true;
  }
  /// A temporary vector of the shape of another vector: the launch compares that with the values.
  void NoteVector(int target, unsigned variant) {
    const Param &param = whole_.params[target];
    if (!param.is_temporary || param.is_workspace || param.rank != 1) return;
    for (auto &[place, variants] : uses_) {
      if (place.first == ShapeOf(target)) variants[variant] = true;
    }
  }
  static Axes AxesOf(const Expr &fitting) {
    return fitting->op == Op::kRead ? fitting->axes : Axes::Every();
  }
  /// The tensor of whose shape the temporary is that a statement writes; -1: none.
  int ShapeOfTarget(const Statement &statement) const {
    const Param &target = whole_.params[statement.target];
    const bool has_shape = target.is_temporary && !target.is_workspace && target.rank != 1;
    return has_shape ? target.shape_of : -1;
  }

  Guard GuardOf(const std::vector<bool> &variants) const {
    return mgen::GuardOf(variants, static_cast<int>(conditions_.values.size()));
  }
  Guard WhereUsed(int param, Axes axes) const { return GuardOf(uses_.at({param, axes})); }

  void PlanOperands(const Accesses &accesses) {
    for (const auto &[place, access] : accesses.operands) {
      if (!access.is_operand) continue;
      const auto &[index, axes] = place;
      const Param &param = rule_.params[index];
      const bool is_second = !plan_.operands.empty() && plan_.operands.back().param == index;
      std::string name = param.name;
      if (is_second) name += "_" + std::string(IrName(axes));
      plan_.operands.push_back({index, name, param.type, axes, access.loaded,
                                GuardOf(access.stored), param.is_temporary});
      if (!param.is_temporary) plan_.operands.back().used = WhereUsed(index, axes);
      if (only_indices_.count(index) == 0) AddOnce(param.type, &plan_.lane_types);
    }
  }

  /// Finds the tensors that must fit without being operands, such as those that are read only for a
  /// temporary that nobody reads. If a temporary has the shape of a tensor, this must fit, too.
  void PlanFitting() {
    ForEachStatement(whole_, [&](const Statement &statement) {
      if (statement.kind == Statement::kIf || statements_.count(statement.number) == 0) return;
      for (const Expr &e : statement.fitting) {
        AsksForExtent(e) ? AddExtent(statement, *e) : AddFitting(e);
      }
      if (statement.flattened.size() > 1) AddSameShape(statement, statement.flattened);
      for (const auto &[tensor, axes] : ReadsOf(statement.value).operands) {
        if (!axes.is_picked()) AddFitting(MakeRead(tensor, whole_.params[tensor].type, axes));
      }
      const int tensor = ShapeOfTarget(statement);
      if (tensor >= 0) AddFitting(MakeDim(tensor, -1));
      if (const Expr length = LengthOfTarget(statement)) AddLength(statement, *length);
    });
  }

  /// The extent of a tensor that is the length of the temporary vector that a statement writes; or
  /// null.
  Expr LengthOfTarget(const Statement &statement) const {
    const Param &target = whole_.params[statement.target];
    const bool has_length = target.is_temporary && !target.is_workspace && target.rank == 1 &&
                            !target.extents.empty() && target.extents[0]->op == Op::kDim;
    return has_length ? target.extents[0] : nullptr;
  }

  /// The length must be that of the statement's values, also where the kernel does not use the
  /// tensor. There it is compared with another tensor of the kernel, or else the tensor must have
  /// all of its shape.
  void AddLength(const Statement &statement, const Node &length) {
    const int tensor = ShapeOf(length.index), rank = whole_.params[tensor].rank;
    if (plan_.FindOperand(tensor) < 0 || IsElementOf(statement, tensor)) return;
    for (const Operand &operand : plan_.operands) {
      if (!HasExtents(operand.param, rank) || !IsElementOf(statement, operand.param)) continue;
      return AddSameShape(statement, {operand.param, tensor}, AxesOf(length.dim, rank));
    }
    AddShape(statement, tensor);
  }

  void AddSameShape(const Statement &statement, const std::vector<int> &tensors,
                    Axes axes = Axes::Every()) {
    const std::vector<bool> &variants = statements_.at(statement.number);
    std::vector<SameShape> &all = plan_.same_shapes;
    const auto same = std::find_if(all.begin(), all.end(), [&](const SameShape &known) {
      return known.tensors == tensors && known.axes == axes;
    });
    if (same == all.end()) {
      same_shapes_.push_back(variants);
      all.push_back({tensors, GuardOf(variants), axes});
      return;
    }
    std::vector<bool> &known = same_shapes_[static_cast<size_t>(same - all.begin())];
    for (size_t i = 0; i < known.size(); ++i) known[i] = known[i] || variants[i];
    same->used = GuardOf(known);
  }

  /// A tensor whose extents a launch knows and that has this one's shape.
  int ShapeOf(int tensor) const {
    const Param &param = whole_.params[tensor];
    return param.is_temporary && param.shape_of >= 0 ? ShapeOf(param.shape_of) : tensor;
  }

  /// The extent of a tensor must be that of the statement's elements, or of another operand of the
  /// kernel. Where no tensor says the shape, the tensor must have all of it.
  void AddExtent(const Statement &statement, const Node &extent) {
    const int tensor = ShapeOf(extent.index);
    const int rank = whole_.params[tensor].rank;
    const auto has_extents = [&](int other) { return HasExtents(other, rank); };
    if (!has_extents(tensor)) return;
    std::vector<int> elements = {ShapeOf(statement.target)};
    for (const int read : EffectsOf(statement).in_place) elements.push_back(ShapeOf(read));
    elements.insert(elements.end(), statement.flattened.begin(), statement.flattened.end());
    if (std::find(elements.begin(), elements.end(), tensor) != elements.end()) return;
    for (const Operand &operand : plan_.operands) {
      const bool is_element = operand.axes.is_every() && IsElementOf(statement, operand.param);
      if (is_element) elements.push_back(operand.param);
    }
    const auto other = std::find_if(elements.begin(), elements.end(), has_extents);
    if (other == elements.end()) return AddShape(statement, tensor);
    if (IsElementOf(statement, tensor)) return;
    AddSameShape(statement, {*other, tensor}, AxesOf(extent.dim, rank));
  }

  /// Whether a launch knows the extents of a tensor, which has that rank.
  bool HasExtents(int tensor, int rank) const {
    const Param &param = whole_.params[tensor];
    return param.rank == rank && (param.is_argument() || param.is_part());
  }

  /// The axes along which a dimension, or a number that stands for several, counts.
  static Axes AxesOf(int dim, int rank) {
    if (dim == Node::kRows) return Axes::Rows();
    if (dim <= Node::kRest) return Axes::Without(Node::kRest - dim);
    return dim == Node::kLastDim || dim == rank - 1 ? Axes::Last() : Axes::Only(dim);
  }

  /// Whether the kernel uses the elements of a tensor wherever the statement runs.
  bool IsElementOf(const Statement &statement, int tensor) const {
    const int operand = plan_.FindOperand(tensor);
    if (operand < 0) return false;
    const Guard &used = plan_.operands[operand].used;
    return used.always() || used == GuardOf(statements_.at(statement.number));
  }

  void AddShape(const Statement &statement, int tensor) {
    const std::vector<bool> &variants = statements_.at(statement.number);
    for (unsigned variant = 0; variant < variants.size(); ++variant) {
      if (variants[variant]) NoteUse(tensor, Axes::Every(), variant);
    }
    AddFitting(MakeDim(tensor, -1));
    const int operand = plan_.FindOperand(tensor);
    if (operand >= 0) plan_.operands[operand].used = WhereUsed(tensor, Axes::Every());
  }

  void AddFitting(const Expr &e) {
    const Axes axes = AxesOf(e);
    const Param &param = whole_.params[e->index];
    if (plan_.FindOperand(e->index, axes) >= 0) return;
    if (param.view && !param.is_part()) {
      if (e->op == Op::kRead) AddUnreadView(e->index);
      return;
    }
    if (!param.is_argument() && !param.is_part()) return;
    // It is a vector among values, and no read says whether it is one of rows or the like.
    if (!plan_.kept.is_every() && param.rank == 1 && axes.is_every()) return;
    const auto is_same = [&e](const Fitting &known) {
      return known.tensor->op == e->op && known.tensor->index == e->index &&
             known.tensor->axes == e->axes;
    };
    std::vector<Fitting> &all = plan_.fitting;
    if (std::none_of(all.begin(), all.end(), is_same)) {
      all.push_back({e, WhereUsed(e->index, axes)});
    }
  }

  /// Adds a view that nobody reads: as an operand, it is checked.
  void AddUnreadView(int view) {
    Operand operand{};
    operand.param = view;
    operand.name = whole_.params[view].name;
    operand.type = whole_.params[view].type;
    plan_.operands.push_back(operand);
  }

  void PlanRuns(const Accesses &accesses) {
    std::vector<bool> runs(conditions_.variant_count(), false);
    for (const auto &[place, access] : accesses.operands) {
      if (rule_.params[place.first].is_temporary) continue;
      for (size_t i = 0; i < runs.size(); ++i) runs[i] = runs[i] || access.stored[i];
    }
    plan_.runs = GuardOf(runs);
  }

  /// Finds tensors whose elements are only indices of columns, and so occupy no lane.
  void FindOnlyIndices() {
    std::set<int> others;
    ForEachStatement(rule_, [&](const Statement &statement) {
      if (statement.kind == Statement::kIf) return;
      others.insert(statement.target);
      ForEachNode(statement.value, [&](const Expr &node) {
        if (node->op == Op::kRead && node->axes.is_picked()) only_indices_.insert(node->by);
        if (node->op == Op::kAtColumn && node->args[0]->op == Op::kRead) {
          only_indices_.insert(node->args[0]->index);
        } else {
          for (const Expr &arg : node->args) {
            if (arg->op == Op::kRead) others.insert(arg->index);
          }
        }
      });
      if (statement.value->op == Op::kRead) others.insert(statement.value->index);
    });
    for (int param : others) only_indices_.erase(param);
  }

  /// Adds the gathers from rows, after the other operands.
  void PlanGathers() {
    NameSet names;
    for (const Param &param : rule_.params) names.Take(param.name);
    std::map<int, std::vector<bool>> used;  // by operand: in which variants
    for (unsigned variant = 0; variant < conditions_.variant_count(); ++variant) {
      for (const Statement *statement : Linearize(rule_, conditions_, variant)) {
        ForEachNode(ValueIn(statement->value, variant), [&](const Expr &node) {
          if (node->op != Op::kRead || !node->axes.is_picked()) return;
          std::vector<bool> &variants = used[GatherOperand(*node, &names)];
          variants.resize(conditions_.variant_count(), false);
          variants[variant] = true;
        });
      }
    }
    for (const auto &[operand, variants] : used) {
      plan_.operands[operand].used = GuardOf(variants);
    }
  }

  int GatherOperand(const Node &node, NameSet *names) {
    const int known = plan_.FindOperand(node);
    if (known >= 0) return known;
    Operand gather{};
    gather.param = node.index;
    gather.name = names->Unique(GatherName(rule_, node));
    gather.type = node.type;
    gather.axes = node.axes;
    gather.load = gather.is_temporary = true;
    gather.by = node.by;
    plan_.operands.push_back(gather);
    return static_cast<int>(plan_.operands.size()) - 1;
  }

  std::vector<bool> VariantsThatRead(int param) const {
    const RuleConditions conditions = ConditionsOf(whole_);  // with the numbers of conditions_
    std::vector<bool> reads(conditions.variant_count(), false);
    for (unsigned variant = 0; variant < conditions.variant_count(); ++variant) {
      for (const Statement *statement : Linearize(whole_, conditions, variant)) {
        const bool fits = std::any_of(statement->fitting.begin(), statement->fitting.end(),
                                      [param](const Expr &e) { return e->index == param; });
        reads[variant] =
            reads[variant] || fits || ReadsOf(ValueIn(statement->value, variant)).Has(param);
      }
    }
    return reads;
  }

  /// Finds when views are read, and hoists the operands of views and slices.
  void PlanViews() {
    std::set<int> hoisted;  // one slice may be several operands
    for (Operand &operand : plan_.operands) {
      Param &param = plan_.rule.params[operand.param];
      if (!param.view) continue;
      if (!param.is_part()) {
        operand.used = GuardOf(VariantsThatRead(operand.param));
        plan_.uses_views = true;
      }
      if (hoisted.insert(operand.param).second) HoistScalarsOf(&param);
    }
    for (const AliasRule &alias : plan_.aliases) {
      Param &param = plan_.rule.params[alias.other];
      if (param.is_part() && hoisted.insert(alias.other).second) HoistScalarsOf(&param);
    }
    for (const auto &[tensor, used] : plan_.Compared()) {
      Param &param = plan_.rule.params[tensor];
      if (param.is_part() && hoisted.insert(tensor).second) HoistScalarsOf(&param);
    }
  }

  void HoistScalarsOf(Param *view) {
    for (View::Operand &part : view->view->operands) {
      if (part.has_value()) part.value = hoister_.HoistAll(part.value, view->name);
    }
  }

  /// Finds when the indices of reduced elements are computed.
  void PlanCounts() {
    for (const Counted &counted : rule_.counted) {
      std::vector<bool> used(conditions_.variant_count(), false);
      std::string name;
      for (unsigned variant = 0; variant < conditions_.variant_count(); ++variant) {
        for (const Statement *statement : Linearize(rule_, conditions_, variant)) {
          if (statement->number != counted.statement) continue;
          used[variant] = true;
          name = rule_.params[statement->target].name;
        }
      }
      plan_.counts.push_back({name, counted.type, GuardOf(used)});
    }
  }

  void PlanSweeps() {
    const auto hoist = [this](const Expr &value, const std::string &target) {
      const Expr hoisted = hoister_.Hoist(value, target);
      ForEachNode(hoisted, [this](const Expr &node) { Note(*node); });
      return hoisted;
    };
    PlanPhases(rule_, conditions_, hoist, &plan_);
    for (const int i : plan_.OwnReducers()) {
      const Reducer &own = rule_.reducers[i];
      for (const Expr &value : {own.initial, own.reduce, own.merge}) {
        ForEachNode(value, [this](const Expr &node) { Note(*node); });
      }
    }
    // Rows are reduced in 16 lanes, so a packet must not have more.
    AddOnce(Type{ScalarKind::kFloat32}, &plan_.lane_types);
  }

  /// The bytes that all sweeps move for an element, if each of them goes over memory.
  int BytesOfSweeps() const {
    int bytes = 0;
    for (const Phase &phase : plan_.phases) {
      for (const Phase::Use &use : phase.operands) {
        const Operand &operand = plan_.operands[use.index];
        if (!operand.axes.is_every() || !IsTraffic(rule_.params[operand.param])) continue;
        bytes += Bytes(operand.type.kind) * (use.load + !use.store.never());
      }
    }
    return bytes;
  }

  void PlanConditions() {
    const auto leaf_name = [this](const Node &leaf) { return RuleLeafName(rule_, leaf); };
    NameSet names;
    for (const Expr &value : conditions_.values) {
      const std::string name = NameOf(value, leaf_name);
      plan_.conditions.push_back({names.Unique(name.empty() ? "condition" : name), value});
    }
  }

  std::vector<Step> PlanBody(const std::vector<Statement> &body) {
    std::vector<Step> steps;
    for (const Statement &statement : body) {
      if (statement.kind == Statement::kIf) {
        PlanIf(statement, &steps);
      } else {
        steps.push_back(PlanAssign(statement));
      }
    }
    return steps;
  }

  void PlanIf(const Statement &statement, std::vector<Step> *to) {
    const RuleConditions::Use use = conditions_.uses.at(&statement);
    const auto known = known_.find(use.condition);
    if (known != known_.end()) {  // the other branch never runs, so it has no operands
      const bool takes = known->second != use.negated;
      for (Step &step : PlanBody(takes ? statement.then_body : statement.else_body)) {
        to->push_back(std::move(step));
      }
      return;
    }
    Step step{};
    step.kind = Step::kIf;
    step.condition = use.condition;
    // The then branch comes first, so scalars are numbered in the order of the statements.
    step.then_steps = PlanBranch(statement.then_body, use.condition, !use.negated);
    step.else_steps = PlanBranch(statement.else_body, use.condition, use.negated);
    if (use.negated) std::swap(step.then_steps, step.else_steps);
    if (!step.then_steps.empty() || !step.else_steps.empty()) to->push_back(std::move(step));
  }

  std::vector<Step> PlanBranch(const std::vector<Statement> &body, int condition, bool holds) {
    known_.emplace(condition, holds);
    std::vector<Step> steps = PlanBody(body);
    known_.erase(condition);
    return steps;
  }

  Step PlanAssign(const Statement &statement) {
    Step step{};
    step.kind = Step::kAssign;
    step.operand = plan_.FindOperand(statement.target);
    step.value = hoister_.Hoist(statement.value, rule_.params[statement.target].name);
    step.statement = statement.number;
    ForEachNode(step.value, [this](const Expr &node) { Note(*node); });
    return step;
  }

  /// Notes the type of a value. Bools within an expression are masks, as wide as its other lanes.
  void Note(const Node &node) {
    const bool is_index = node.op == Op::kRead && only_indices_.count(node.index) != 0;
    if (node.type != kBoolType && !is_index) AddOnce(node.type, &plan_.lane_types);
    if (node.op == Op::kIndex) AddOnce(kIntType, &plan_.lane_types);  // they are counted in these
    const bool is_number = node.op == Op::kIndex && node.dim < 0 && plan_.kept.has_several_rows();
    plan_.uses_numbers = plan_.uses_numbers || is_number;
    const bool is_place = node.op == Op::kIndex || node.op == Op::kAtColumn;
    plan_.uses_place = plan_.uses_place || (is_place && !is_number);
    plan_.uses_math = plan_.uses_math || IsElementary(node.op);
    plan_.scans = plan_.scans || ClassOf(node.op) == OpClass::Scan;
    if (node.op == Op::kCall) AddOnce(node.name, &plan_.lanewise_calls);
  }

  const Rule &whole_;  ///< the rule with the statements that are forwarded
  const Rule &rule_;   ///< the rule that runs
  const RuleConditions conditions_;
  Hoister hoister_;
  std::set<int> only_indices_;
  std::map<int, bool> known_;                               // conditions of the branches around
  std::map<std::pair<int, Axes>, std::vector<bool>> uses_;  // by parameter and axes: the variants
  std::map<int, std::vector<bool>> statements_;  // by number: the variants that run it, if some do
  std::vector<std::vector<bool>> same_shapes_;   // likewise, for each of Plan::same_shapes
  Plan plan_;
};

}  // namespace

Plan MakePlan(const Rule &rule, const Rule &forwarded) { return Planner(rule, forwarded).Run(); }

}  // namespace mgen
