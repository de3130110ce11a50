// SPDX-License-Identifier: Apache-2.0
// adamw.gen.cu: the kernel of a rule that reduces rows, and its launch.
#include <algorithm>

#include "backends/common/row_text.h"
#include "backends/common/call_text.h"
#include "backends/cuda/pieces.h"
#include "emit/names.h"
#include "emit/template.h"
#include "ir/walk.h"

namespace mgen {
namespace cuda {
namespace {

/// What a phase gathers: between what the team's threads write before and after it.
std::string Gathers(const PlanText &rule, const PhaseText &phase) {
  const std::string loads = GatherLoads(rule, phase);
  return loads.empty() ? "" : "team.Sync();\n" + loads + "team.Sync();\n";
}

std::string RowPhaseBody(const PlanText &rule, const PhaseText &phase) {
  const std::string gathers = Gathers(rule, phase);
  if (!phase.phase->is_sweep) {
    return gathers +
           PhaseCallText(rule, phase, {"N", "plan.scalars", "", ".Finish()", "{y, 0}", "", 4}) +
           "\n";
  }
  std::vector<std::string> declarations;
  for (int i : phase.reductions) {
    declarations.push_back("mshadow::cuda::" + ReductionType(rule, i) + "> " +
                           rule.reduction_name(i) + "(team);");
  }
  Values values;
  values.Set("reductions", Join(declarations, "\n"))
      .Set("begin", ForReductions(rule, phase, ".Begin();"))
      .Set("step", PhaseCallText(rule, phase,
                                 {"N", "plan.scalars", "i", ".part()", "{y, i}", "AllLanes()", 8}))
      .Set("push", ForReductions(rule, phase, ".Push(leaf);"));
  return gathers + RenderTemplate("cuda/sweep.tmpl.gen.cu", values);
}

}  // namespace

std::string SyncBeforeStores(const PlanText &rule) {
  const Plan &plan = rule.plan();
  const bool waits = !plan.reductions.empty() || plan.sweeps() == 0;
  const bool is_read_first =
      std::any_of(plan.operands.begin(), plan.operands.end(), [&](const Operand &operand) {
        return operand.map == ValueMap(plan.frame) && operand.load && !operand.store.never();
      });
  return is_read_first && !waits ? "team.Sync();  // every thread has read the values\n" : "";
}

std::string RowKernelText(const PlanText &rule) {
  std::vector<std::string> params = rule.ConditionParams();
  for (const std::string &type : rule.TypenameParams()) params.push_back(type);
  std::vector<std::string> phases;
  for (const PhaseText &phase : PhasesOf(rule)) phases.push_back(RowPhaseBody(rule, phase));
  const std::string stores = RowStores(rule, "y");
  Values values;
  values.Set("rule", rule.rule())
      .Set("kernel_template", TemplateLine(params))
      .Set("function", rule.Function("Kernel"))
      .Set("plan_type", rule.PlanType())
      .Set("buffers", rule.plan().has_row_buffers())
      .Set("locals", RowLocals(rule, "y"))
      .Set("phases", Join(phases, ""))
      .Set("has_stores", !stores.empty())
      .Set("sync", SyncBeforeStores(rule))
      .Set("stores", stores);
  return RenderTemplate("cuda/row_kernel.tmpl.gen.cu", values);
}

std::string RowChoiceText(const PlanText &rule) {
  Values values;
  values.Set("rule", rule.rule())
      .Set("template", TemplateLine(rule.TypenameParams()))
      .Set("start", "Start" + rule.Function(""))
      .Set("plan_type", rule.PlanType())
      .Set("kernel", ChosenKernel(rule, {}))
      .Set("launch", rule.plan().by_plane() ? "LaunchPlanes" : "LaunchRows");
  return RenderTemplate("cuda/row_choice.tmpl.gen.cu", values);
}

}  // namespace cuda
}  // namespace mgen
