// SPDX-License-Identifier: Apache-2.0
#include "passes/share.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "ir/builder.h"
#include "ir/walk.h"
#include "passes/angles.h"
#include "passes/names.h"
#include "passes/value_numbers.h"

namespace mgen {
namespace {

/// The place of a step: its index in the outermost block; then, for each `if` around it, the branch
/// (0 or 1) and the index in that branch.
using Place = std::vector<int>;

/// The last place that is at or before both, in a block that contains both.
Place Meet(const Place &a, const Place &b) {
  size_t same = 0;
  while (same < a.size() && same < b.size() && a[same] == b[same]) ++same;
  Place meet(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(same));
  const bool differ_in_index = same % 2 == 0 && same < a.size() && same < b.size();
  if (differ_in_index) meet.push_back(std::min(a[same], b[same]));
  return meet;
}

/// A value, by its value number.
struct Value {
  int uses = 0;
  Place place;         ///< the last place before all uses
  std::string hint;    ///< the first name that the spec gave it
  std::string target;  ///< the name of what the first step that uses it assigns
  int let = -1;
};

/// Numbers every value of the steps and counts its uses.
class Survey {
 public:
  Survey(const Plan &plan, const std::vector<Step> &steps) : plan_(plan) { Visit(steps, Place()); }

  ValueNumbers numbers;
  std::vector<Value> values;
  std::map<const Step *, int> roots;  ///< number of each assigned value
  std::map<const Step *, Place> places;

 private:
  void Visit(const std::vector<Step> &steps, const Place &block) {
    for (size_t i = 0; i < steps.size(); ++i) {
      Place place = block;
      place.push_back(static_cast<int>(i));
      if (steps[i].kind == Step::kIf) {
        VisitIf(steps[i], place);
      } else {
        VisitAssign(steps[i], place);
      }
    }
  }

  void VisitIf(const Step &step, const Place &place) {
    const ValueNumbers::Versions before = numbers.versions();
    std::set<int> written;
    for (int branch : {0, 1}) {
      const std::vector<Step> &steps = branch == 0 ? step.then_steps : step.else_steps;
      Place block = place;
      block.push_back(branch);
      Visit(steps, block);
      for (const auto &[param, version] : numbers.versions()) {
        const auto old = before.find(param);
        if (old == before.end() || old->second != version) written.insert(param);
      }
      numbers.set_versions(before);
    }
    // After the branches have joined, a tensor that either of them wrote has a new value.
    for (int param : written) numbers.Written(param);
  }

  void VisitAssign(const Step &step, const Place &place) {
    const int root = numbers.Of(step.value);
    values.resize(numbers.size());
    CollectHints(step.value);
    roots[&step] = root;
    places[&step] = place;
    if (step.kind == Step::kReduce) return Use(root, plan_.reductions[step.reduction].name);
    Use(root, plan_.operands[step.operand].name);
    numbers.Written(plan_.operands[step.operand].param);
  }

  void CollectHints(const Expr &root) {
    ForEachNode(root, [this](const Expr &node) {
      if (node->op == Op::kCall || node->name.empty()) return;
      std::string &hint = values[numbers.Of(node)].hint;
      if (hint.empty()) hint = node->name;
    });
  }

  /// Counts a use of `root`; its operands are used once for all of its own uses.
  void Use(int root, const std::string &target) {
    std::vector<int> pending = {root};
    while (!pending.empty()) {
      const int number = pending.back();
      pending.pop_back();
      if (values[number].uses++ > 0) continue;
      values[number].target = target;
      const std::vector<int> &args = numbers.args(number);
      pending.insert(pending.end(), args.begin(), args.end());
    }
  }

  const Plan &plan_;
};

/// The names of lets, which are variables of the emitted formula. They must differ from its
/// parameters, and may hide names of the runtime.
class LetNames {
 public:
  explicit LetNames(const Plan &plan) {
    // A temporary that was forwarded leaves its name to its value.
    for (const Param &param : plan.rule.params) {
      if (!param.is_temporary) names_.Take(param.name);
    }
    for (const Operand &operand : plan.operands) names_.Take(operand.name);
    for (const Reduction &reduction : plan.reductions) names_.Take(reduction.name);
    for (const TemplateParam &param : plan.rule.template_params) names_.Take(param.name);
    for (const char *name : {"s", "N", "V", "Vec", "Mask", "mshadow", "lanes"}) names_.Take(name);
#define MGEN_OP(id, ir_name, arity, op_class, spelling) names_.Take(spelling);
#include "ir/ops.def"
#undef MGEN_OP
  }

  /// The number of a new let. `stem` is its name without the type: sigmoid_in, not sigmoid_in_f32.
  int Add(const std::string &stem, const std::string &name) {
    stems_.push_back(stem);
    all_.push_back(names_.Unique(name));
    return static_cast<int>(all_.size()) - 1;
  }
  const std::string &name(int let) const { return all_[let]; }
  const std::string &stem(int let) const { return stems_[let]; }

 private:
  NameSet names_;
  std::vector<std::string> all_, stems_;
};

/// Shares the values of one list of steps.
class Sharer {
 public:
  Sharer(const Plan &plan, const std::vector<Step> &steps, LetNames *names)
      : plan_(plan), steps_(steps), survey_(plan, steps), names_(*names) {}

  std::vector<Step> Run() {
    FindPlaces();
    MakeLets();
    return Rebuild(steps_, Place());
  }

 private:
  /// A scan is a let, since its accumulator has the let's name.
  bool IsShared(int number) const {
    const OpClass op_class = ClassOf(survey_.numbers.node(number)->op);
    return op_class == OpClass::Scan ||
           (survey_.values[number].uses > 1 && op_class != OpClass::Leaf);
  }

  /// Finds where values are needed: where their users are computed, at a step or at a let.
  void FindPlaces() {
    for (const auto &[step, root] : survey_.roots) NeedAt(root, survey_.places.at(step));
    for (int number = survey_.numbers.size() - 1; number >= 0; --number) {
      // Users have larger numbers: this value's place is final.
      for (int arg : survey_.numbers.args(number)) NeedAt(arg, survey_.values[number].place);
    }
  }

  void NeedAt(int number, const Place &place) {
    Place &known = survey_.values[number].place;
    known = known.empty() ? place : Meet(known, place);
  }

  /// Names the lets and writes every value in terms of them, operands first.
  void MakeLets() {
    for (int number = 0; number < survey_.numbers.size(); ++number) {
      const Expr &node = survey_.numbers.node(number);
      std::vector<Expr> args;
      for (int arg : survey_.numbers.args(number)) args.push_back(Reference(arg));
      built_.push_back(WithArgs(node, std::move(args)));
      if (!IsShared(number)) continue;
      built_.back() = WithName(built_.back(), "");  // the let has it
      Value &value = survey_.values[number];
      value.let = NewLet(number);
      lets_at_[value.place].push_back(number);
    }
  }

  Expr Reference(int number) const {
    const Value &value = survey_.values[number];
    if (value.let < 0) return built_[number];
    return MakeLet(value.let, built_[number]->type);
  }

  int NewLet(int number) {
    const Value &value = survey_.values[number];
    const Expr &node = built_[number];
    std::string name = value.hint;
    if (name.empty()) name = NameOf(node, [this](const Node &leaf) { return LeafName(leaf); });
    if (name.empty() && IsFunction(ClassOf(node->op))) {
      name = std::string(IrName(node->op)) + "_term";
    }
    if (name.empty() && ClassOf(node->op) == OpClass::Scan) name = value.target + "_scan";
    if (name.empty()) name = value.target + "_term";
    const std::string stem = name;
    if (value.hint.empty() && node->op == Op::kCast) {
      name += "_" + TypeSuffix(plan_.rule, node->type);
    }
    return names_.Add(stem, name);
  }

  std::string LeafName(const Node &leaf) const {
    if (leaf.op == Op::kHoisted) return plan_.scalars[leaf.index].name;
    if (leaf.op == Op::kReduced) return plan_.reductions[leaf.index].name;
    if (leaf.op == Op::kLet) return names_.stem(leaf.index);
    return RuleLeafName(plan_.rule, leaf);
  }

  std::vector<Step> Rebuild(const std::vector<Step> &old, const Place &block) {
    std::vector<Step> steps;
    for (size_t i = 0; i < old.size(); ++i) {
      Place place = block;
      place.push_back(static_cast<int>(i));
      AddLets(place, &steps);
      Step step = old[i];
      if (step.kind == Step::kIf) {
        Place branch = place;
        branch.push_back(0);
        step.then_steps = Rebuild(old[i].then_steps, branch);
        branch.back() = 1;
        step.else_steps = Rebuild(old[i].else_steps, branch);
      } else {
        step.value = Reference(survey_.roots.at(&old[i]));
      }
      steps.push_back(std::move(step));
    }
    return steps;
  }

  void AddLets(const Place &place, std::vector<Step> *steps) {
    const auto found = lets_at_.find(place);
    if (found == lets_at_.end()) return;
    for (int number : found->second) {
      Step step{};
      step.kind = Step::kLet;
      step.let = survey_.values[number].let;
      step.name = names_.name(step.let);
      step.value = built_[number];
      steps->push_back(std::move(step));
    }
  }

  const Plan &plan_;
  const std::vector<Step> &steps_;
  Survey survey_;
  LetNames &names_;
  std::vector<Expr> built_;
  std::map<Place, std::vector<int>> lets_at_;  // in order of their numbers: operands first
};

}  // namespace

Plan Share(Plan plan) {
  LetNames names(plan);
  PairAngles(plan, &plan.steps);
  plan.steps = Sharer(plan, plan.steps, &names).Run();
  for (Phase &phase : plan.phases) PairAngles(plan, &phase.steps);
  for (Phase &phase : plan.phases) phase.steps = Sharer(plan, phase.steps, &names).Run();
  return plan;
}

}  // namespace mgen
