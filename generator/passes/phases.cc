// SPDX-License-Identifier: Apache-2.0
#include "passes/phases.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "ir/builder.h"
#include "ir/walk.h"
#include "passes/names.h"
#include "passes/value_numbers.h"

namespace mgen {
namespace {

/// A scalar condition around a statement, and the branch that the statement is in.
using Path = std::vector<std::pair<int, bool>>;

// Numbers of phases: the epilogue before sweep k is 2 k, the sweep is 2 k + 1.
bool IsSweep(int phase) { return phase % 2 == 1; }
int SweepFrom(int phase) { return IsSweep(phase) ? phase : phase + 1; }
int OnceFrom(int phase) { return IsSweep(phase) ? phase + 1 : phase; }

class Scheduler {
 public:
  using Hoist = std::function<Expr(const Expr &, const std::string &)>;

  Scheduler(const Rule &rule, const RuleConditions &conditions, const Hoist &hoist, Plan *plan)
      : rule_(rule),
        conditions_(conditions),
        hoist_(hoist),
        plan_(*plan),
        values_(ValuesOf(rule)),
        value_map_(KeptBy(rule)) {
    for (const Param &param : rule_.params) names_.Take(param.name);
  }

  void Run() {
    Schedule(rule_.stages.front().body);
    for (auto &[number, phase] : phases_) plan_.phases.push_back(std::move(phase));
    for (Phase &phase : plan_.phases) FindUses(&phase);
  }

 private:
  /// When a tensor was last read and written.
  struct Touched {
    int written = 0;
    int read = 0;
  };

  void Schedule(const std::vector<Statement> &body) {
    for (const Statement &statement : body) {
      if (statement.kind == Statement::kAssign) {
        ScheduleAssign(statement);
        continue;
      }
      const RuleConditions::Use use = conditions_.uses.at(&statement);
      const auto known = std::find_if(path_.begin(), path_.end(), [&use](const auto &branch) {
        return branch.first == use.condition;
      });
      if (known != path_.end()) {  // the other branch never runs, so it has no operands
        Schedule(known->second != use.negated ? statement.then_body : statement.else_body);
        continue;
      }
      path_.push_back({use.condition, !use.negated});
      Schedule(statement.then_body);
      path_.back().second = use.negated;
      Schedule(statement.else_body);
      path_.pop_back();
    }
  }

  void ScheduleAssign(const Statement &statement) {
    const Param &target = rule_.params[statement.target];
    const Expr value = hoist_(WithoutReductions(statement), target.name);
    const bool is_value = values_.count(statement.target) != 0;
    Step step{};
    step.kind = Step::kAssign;
    step.statement = statement.number;
    step.operand = plan_.FindOperand(statement.target, is_value ? value_map_ : Axes::Every());
    step.value = value;
    const Touched &known = touched_[statement.target];
    const int least = std::max({ReadyAt(value), known.written, known.read});
    // Elements are written in the order of the statements: the alias rules assume that.
    const int phase = is_value ? OnceFrom(least) : SweepFrom(std::max(least, last_sweep_));
    Add(phase, std::move(step));
    Read(value, phase);
    touched_[statement.target].written = phase;
  }

  /// The statement's value, with its reductions replaced by their results. Sweeps compute these.
  Expr WithoutReductions(const Statement &statement) {
    ValueNumbers numbers;
    std::map<int, Expr> reduced;
    Rewriter rewrite([&](const Expr &node, std::vector<Expr> args) {
      const Expr same = WithArgs(node, std::move(args));
      if (ClassOf(node->op) != OpClass::Reduce) return same;
      Expr &result = reduced[numbers.Of(same)];
      if (result == nullptr) {
        result = WithLocation(Reduce(*node, same->args[0], statement), node->location);
      }
      return result;
    });
    return rewrite(statement.value);
  }

  Expr Reduce(const Node &node, const Expr &term, const Statement &statement) {
    Step step{};
    step.kind = Step::kReduce;
    step.statement = statement.number;
    step.reduction = static_cast<int>(plan_.reductions.size());
    const std::string &target = rule_.params[statement.target].name;
    const std::string name = target + "_" + std::string(IrName(node.op));  // "total_sum"
    plan_.reductions.push_back({names_.Unique(name), node.op, node.type, node.order, node.index});
    step.value = hoist_(term, plan_.reductions.back().name);
    const int phase = SweepFrom(ReadyAt(step.value));
    Read(step.value, phase);
    reduced_at_.push_back(phase + 1);
    Expr result = MakeReduced(step.reduction, node.type);
    Add(phase, std::move(step));
    return result;
  }

  /// The first phase that may read everything that `value` reads.
  int ReadyAt(const Expr &value) const {
    int ready = 0;
    ForEachNode(value, [&](const Expr &node) {
      if (node->op == Op::kReduced) ready = std::max(ready, reduced_at_[node->index]);
      if (node->op != Op::kRead) return;
      const auto known = touched_.find(node->index);
      if (known == touched_.end()) return;
      // An element that an index picks is known when the whole row is.
      const int written = known->second.written;
      ready = std::max(ready, IsGather(*node) ? OnceFrom(written) : written);
    });
    return ready;
  }

  static bool IsGather(const Node &node) { return node.axes.is_picked(); }

  void Read(const Expr &value, int phase) {
    ForEachNode(value, [&](const Expr &node) {
      if (node->op != Op::kRead) return;
      int &read = touched_[node->index].read;
      read = std::max(read, phase);
      // A gather loads before its phase, and before memory that may be the same is written.
      if (IsGather(*node)) last_sweep_ = std::max(last_sweep_, SweepFrom(phase));
    });
  }

  void Add(int number, Step step) {
    if (IsSweep(number)) last_sweep_ = std::max(last_sweep_, number);
    Phase &phase = phases_[number];
    phase.is_sweep = IsSweep(number);
    std::vector<Step> *steps = &phase.steps;
    for (const auto &[condition, branch] : path_) {
      const bool known = !steps->empty() && steps->back().kind == Step::kIf &&
                         steps->back().condition == condition;
      if (!known) {
        Step choice{};
        choice.kind = Step::kIf;
        choice.condition = condition;
        steps->push_back(std::move(choice));
      }
      steps = branch ? &steps->back().then_steps : &steps->back().else_steps;
    }
    steps->push_back(std::move(step));
  }

  /// Finds what a phase loads before its steps, and stores or reduces after them.
  void FindUses(Phase *phase) const {
    const unsigned variants = conditions_.variant_count();
    std::map<int, Phase::Use> operands, values, reductions;
    std::map<int, std::vector<bool>> stored, reduced;
    for (unsigned variant = 0; variant < variants; ++variant) {
      std::set<int> written;
      ForEachStepOf(phase->steps, variant, [&](const Step &step) {
        for (const auto &[param, axes] : ReadsOf(ValueIn(step.value, variant)).operands) {
          if (axes.is_picked()) continue;
          const int operand = plan_.FindOperand(param, axes);
          Phase::Use &use = (plan_.IsValue(axes) ? values : operands)[operand];
          use.load = use.load || written.count(operand) == 0;
        }
        const bool assigns = step.kind == Step::kAssign;
        const int index = assigns ? step.operand : step.reduction;
        (!assigns ? reductions : phase->is_sweep ? operands : values).try_emplace(index);
        std::vector<bool> &taken = (assigns ? stored : reduced)[index];
        taken.resize(variants, false);
        taken[variant] = true;
        if (assigns) written.insert(index);
      });
    }
    const int conditions = static_cast<int>(conditions_.values.size());
    const auto finish = [&](std::map<int, Phase::Use> *uses,
                            const std::map<int, std::vector<bool>> &taken,
                            std::vector<Phase::Use> *to) {
      for (auto &[index, use] : *uses) {
        use.index = index;
        const auto found = taken.find(index);
        if (found != taken.end()) use.store = GuardOf(found->second, conditions);
        to->push_back(std::move(use));
      }
    };
    finish(&operands, stored, &phase->operands);
    finish(&values, stored, &phase->values);
    finish(&reductions, reduced, &phase->reductions);
  }

  template <typename Visit>
  static void ForEachStepOf(const std::vector<Step> &steps, unsigned variant, Visit &&visit) {
    for (const Step &step : steps) {
      if (step.kind != Step::kIf) {
        visit(step);
        continue;
      }
      const bool taken = (variant >> step.condition & 1) != 0;
      ForEachStepOf(taken ? step.then_steps : step.else_steps, variant, visit);
    }
  }

  const Rule &rule_;
  const RuleConditions &conditions_;
  const Hoist &hoist_;
  Plan &plan_;
  const std::set<int> values_;
  const Axes value_map_;
  NameSet names_;
  Path path_;
  std::map<int, Phase> phases_;     // by number
  std::map<int, Touched> touched_;  // by tensor
  std::vector<int> reduced_at_;     // by reduction: the first phase that knows its result
  int last_sweep_ = 0;
};

}  // namespace

void PlanPhases(const Rule &rule, const RuleConditions &conditions,
                const std::function<Expr(const Expr &, const std::string &)> &hoist, Plan *plan) {
  Scheduler(rule, conditions, hoist, plan).Run();
}

}  // namespace mgen
