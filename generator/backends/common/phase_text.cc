// SPDX-License-Identifier: Apache-2.0
#include "backends/common/phase_text.h"

#include "backends/common/reducer_text.h"
#include "emit/names.h"
#include "ir/walk.h"

namespace mgen {
namespace {

PhaseText PhaseTextOf(const PlanText &rule, const Phase &phase, int number, int sweeps) {
  const Plan &plan = rule.plan();
  PhaseText text{};
  text.phase = &phase;
  text.number = number;
  text.when = sweeps == 0 ? "before pass 1" : "after pass " + std::to_string(sweeps);
  std::set<int> values, reductions, views;
  ForEachStep(phase.steps, [&](const Step &step) {
    if (ClassOf(step.value->op) == OpClass::Scan) text.scans.push_back(&step);
    ForEachNode(step.value, [&](const Expr &node) {
      if (node->op == Op::kReduced) reductions.insert(node->index);
      text.uses_scalars = text.uses_scalars || node->op == Op::kHoisted;
      text.uses_place = text.uses_place || node->op == Op::kIndex || node->op == Op::kAtColumn;
      const bool is_number =
          node->op == Op::kIndex && node->dim < 0 && plan.kept.has_several_rows();
      text.uses_number = text.uses_number || is_number;
      const bool is_value = node->op == Op::kRead && plan.IsValue(node->axes);
      if (is_value) values.insert(plan.FindOperand(*node));
      if (node->op != Op::kRead) return;
      const int operand = plan.FindOperand(*node);
      if (plan.ViewOf(operand) != nullptr) (step.again ? text.again : views).insert(operand);
    });
    if (phase.is_sweep || step.kind != Step::kAssign) return;
    values.insert(step.operand);
    text.given.insert(step.operand);
  });
  for (const int view : views) text.again.erase(view);
  for (const Phase::Use &use : phase.reductions) reductions.insert(use.index);
  text.values.assign(values.begin(), values.end());
  for (const int i : reductions) {
    (plan.reductions[i].is_leaf() ? text.leaves : text.reductions).push_back(i);
  }
  if (rule.divides_exactly()) text.divisors = phase.divisors;
  return text;
}

}  // namespace

std::vector<PhaseText> PhasesOf(const PlanText &rule) {
  std::vector<PhaseText> phases;
  int numbers[2] = {0, 0};
  for (const Phase &phase : rule.plan().phases) {
    ++numbers[phase.is_sweep];
    phases.push_back(PhaseTextOf(rule, phase, numbers[phase.is_sweep], numbers[true]));
  }
  return phases;
}

std::string ForReductions(const PlanText &rule, const PhaseText &phase, const std::string &call) {
  std::vector<std::string> lines;
  for (int i : phase.reductions) lines.push_back(rule.reduction_name(i) + call);
  return Join(lines, "\n");
}

std::string GuardedLine(const PlanText &rule, const Guard &guard, const std::string &line) {
  if (guard.always()) return line;
  return "if constexpr (" + rule.GuardText(guard) + ") {\n  " + line + "\n}";
}

std::string ReductionArgs(const PlanText &rule, int reduction) {
  const Reduction &r = rule.plan().reductions[reduction];
  return ReducerName(rule, r) + ", " + rule.TypeName(r.type);
}

}  // namespace mgen
