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

/// What a kernel goes over on a GPU.
struct Target {
  const char *what;
  const char *function;  ///< what is behind the rule's name in the body's
  const char *team;
};

Target TargetOf(const Plan &plan) {
  if (plan.reduces_columns()) {
    const char *const team =
        plan.reduced_axis() < 0
            ? "ColumnsOfTeam(plan.parts, plan.columns, plan.launch.phase)"
            : "ColumnsOfMatrices<true>(plan.parts, plan.columns, plan.launch.phase)";
    return {"takes kRowLanes columns of a part, a thread of it one", "Columns", team};
  }
  if (plan.by_plane()) {
    return {"takes a plane, or a part of one", "Channels",
            "PlanesOfTeam(plan.channels, plan.kept, plan.parts)"};
  }
  return {"takes a channel, or a part of one", "Channels",
          "ChannelsOfTeam(plan.channels, plan.parts, plan.launch.phase)"};
}

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

std::string PhasedKernelText(const PlanText &rule) {
  const Target target = TargetOf(rule.plan());
  const BodyCall call = {"",     rule.condition_params(),
                         "plan", std::string("mshadow::packet::device::") + target.team,
                         2,      target.function};
  Values values;
  values.Set("what", rule.rule() + ": a team of threads " + target.what)
      .Set("kernel_template", TemplateLine(Append(rule.ConditionParams(), rule.TypenameParams())))
      .Set("threads", "mshadow::cuda::kRowThreads")
      .Set("signature", KernelSignature(rule, rule.Function("Kernel")))
      .Set("rows", BodyCallText(rule, call));
  return RenderTemplate("cuda/kernel.tmpl.gen.cu", values);
}

std::string PhasedChoiceText(const PlanText &rule) {
  std::vector<std::string> phases;
  for (const Phase &phase : rule.plan().phases) {
    phases.emplace_back(phase.is_sweep ? "true" : "false");
  }
  const std::vector<std::string> kept = KeptMembers(rule);
  const std::vector<std::string> args = {"\"" + rule.rule() + "\"", "kernel", "plan", "stream",
                                         "{" + Join(phases, ", ") + "}"};
  const std::string launch = rule.plan().reduces_columns() ? "LaunchColumns" : "LaunchChannels";
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
