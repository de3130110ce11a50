// SPDX-License-Identifier: Apache-2.0
// batch_norm.gen.cu: the kernel of a rule that has values for channels or reduces columns, and its
// launches, which do all phases or one.
#include "backends/common/call_text.h"
#include "backends/cuda/pieces.h"
#include "emit/names.h"
#include "emit/template.h"

namespace mgen {
namespace cuda {
namespace {

/// What is kept between launches: "&Kept::mean_sum".
std::vector<std::string> KeptMembers(const PlanText &rule) {
  const Plan &plan = rule.plan();
  std::vector<std::string> kept;
  for (size_t i = 0; i < plan.reductions.size(); ++i) {
    kept.push_back("&Kept::" + rule.reduction_name(i));
  }
  for (size_t i = 0; i < plan.operands.size(); ++i) {
    const int operand = static_cast<int>(i);
    if (!plan.operands[i].is_temporary || !plan.IsKept(operand)) continue;
    kept.push_back("&Kept::" + rule.operand_name(operand));
  }
  return kept;
}

}  // namespace

std::string PhasedChoiceText(const PlanText &rule) {
  std::vector<std::string> phases;
  for (const Phase &phase : rule.plan().phases) {
    phases.emplace_back(phase.is_sweep ? "true" : "false");
  }
  const std::vector<std::string> kept = KeptMembers(rule);
  const std::vector<std::string> args = {"\"" + rule.rule() + "\"", "kernel", "plan", "stream",
                                         "{" + Join(phases, ", ") + "}"};
  const std::string launch = SkeletonOf(rule.plan()).gpu_launch;
  Values values;
  values.Set("rule", rule.rule())
      .Set("template", TemplateLine(rule.TypenameParams()))
      .Set("signature", StartSignature(rule, "Start" + rule.Function("")))
      .Set("kernel", ChosenKernel(rule, {}))
      .Set("plan_type", rule.PlanType())
      .Set("keeps", !kept.empty())
      .Set("launch",
           RenderList("mshadow::cuda::" + launch + "(", Append(args, kept), ");", kLineWidth - 2));
  return RenderTemplate("cuda/phase_choice.tmpl.gen.cu", values);
}

}  // namespace cuda
}  // namespace mgen
