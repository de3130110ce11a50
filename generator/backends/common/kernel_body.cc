// SPDX-License-Identifier: Apache-2.0
#include "backends/common/kernel_body.h"

#include <algorithm>

#include "backends/common/skeleton.h"
#include "emit/names.h"
#include "ir/walk.h"

namespace mgen {

bool StoresWhatIsRead(const Plan &plan) {
  if (plan.sweeps() == 0) return false;
  return std::any_of(plan.operands.begin(), plan.operands.end(), [&](const Operand &operand) {
    return operand.axes == plan.kept && operand.load && !operand.store.never();
  });
}

bool AlwaysFinishes(const Phase &phase) {
  if (phase.is_sweep) return false;
  return std::any_of(phase.steps.begin(), phase.steps.end(), [](const Step &step) {
    bool reads = false;
    if (step.kind == Step::kIf) return false;
    ForEachNode(step.value,
                [&reads](const Expr &node) { reads = reads || node->op == Op::kReduced; });
    return reads;
  });
}

std::string BodyTemplate(const PlanText &rule, const std::string &target) {
  return TemplateLine(Append(Append(rule.ConditionParams(), rule.TypenameParams()),
                             {"typename Plan", "typename " + target}));
}

std::string KernelBodyText(const PlanText &rule) { return SkeletonOf(rule.plan()).body(rule); }

std::string PhaseTitle(const PlanText &rule, const PhaseText &phase) {
  return phase.phase->is_sweep ? "Pass " + std::to_string(phase.number) + " of " + rule.rule()
                               : "The epilogue of " + rule.rule() + " " + phase.when;
}

std::string PhaseSuffix(const PhaseText &phase) {
  return (phase.phase->is_sweep ? "Sweep" : "Once") + std::to_string(phase.number);
}

}  // namespace mgen
