// SPDX-License-Identifier: Apache-2.0
#include "passes/unswitch.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "ir/builder.h"
#include "ir/walk.h"

namespace mgen {
namespace {

/// Calls `visit(Expr *)` for the value of every step.
template <typename Visit>
void ForEachStepValue(std::vector<Step> *steps, Visit &&visit) {
  for (Step &step : *steps) {
    if (step.kind != Step::kIf) visit(&step.value);
    ForEachStepValue(&step.then_steps, visit);
    ForEachStepValue(&step.else_steps, visit);
  }
}

/// Calls `visit(Expr *)` for every scalar that is an operand of a slice or a view.
template <typename Visit>
void ForEachViewScalar(Plan *plan, Visit &&visit) {
  for (Param &param : plan->rule.params) {
    if (!param.view) continue;
    for (View::Operand &operand : param.view->operands) {
      if (operand.has_value()) visit(&operand.value);
    }
  }
}

/// Calls `visit(Expr *)` for the value of every step of a plan.
template <typename Visit>
void ForEachStepValue(Plan *plan, Visit &&visit) {
  ForEachStepValue(&plan->steps, visit);
  for (Phase &phase : plan->phases) ForEachStepValue(&phase.steps, visit);
}

class Unswitcher {
 public:
  explicit Unswitcher(Plan plan) : plan_(std::move(plan)) {}

  Plan Run() {
    Find();
    if (conditions_.empty()) return std::move(plan_);
    for (const auto &[scalar, condition] : conditions_) {
      (void)condition;
      plan_.conditions.push_back({plan_.scalars[scalar].name, plan_.scalars[scalar].value, true});
    }
    Renumber();
    return std::move(plan_);
  }

 private:
  /// Chooses the scalars that become conditions, in the order of the scalars.
  void Find() {
    std::set<int> asked;
    ForEachStepValue(&plan_, [&asked](const Expr *value) {
      ForEachNode(*value, [&asked](const Expr &node) {
        if (node->op != Op::kSelect || node->args[0]->op != Op::kHoisted) return;
        asked.insert(node->args[0]->index);
      });
    });
    int condition = static_cast<int>(plan_.conditions.size());
    for (const int scalar : asked) {
      if (condition >= kMaxUnswitched) break;
      conditions_[scalar] = condition++;
    }
  }

  /// Removes the scalars that became conditions, and renumbers the others.
  void Renumber() {
    std::vector<int> place(plan_.scalars.size());
    std::vector<HostScalar> kept;
    for (size_t i = 0; i < plan_.scalars.size(); ++i) {
      place[i] = static_cast<int>(kept.size());
      if (conditions_.count(static_cast<int>(i)) == 0) kept.push_back(plan_.scalars[i]);
    }
    plan_.scalars = std::move(kept);
    Rewriter rewrite([&](const Expr &node, std::vector<Expr> args) {
      if (node->op != Op::kHoisted) return WithArgs(node, std::move(args));
      const auto condition = conditions_.find(node->index);
      const Expr leaf = condition != conditions_.end()
                            ? MakeCondition(condition->second)
                            : MakeHoisted(place[node->index], node->type);
      return WithLocation(leaf, node->location);
    });
    const auto renumber = [&rewrite](Expr *value) { *value = rewrite(*value); };
    ForEachStepValue(&plan_, renumber);
    ForEachViewScalar(&plan_, renumber);
  }

  Plan plan_;
  std::map<int, int> conditions_;  // by the scalar's index
};

}  // namespace

Plan Unswitch(Plan plan) { return Unswitcher(std::move(plan)).Run(); }

}  // namespace mgen
