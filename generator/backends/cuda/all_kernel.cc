// SPDX-License-Identifier: Apache-2.0
// lamb.gen.cu: the kernels of a rule that reduces everything, one for each phase, and their launch.
#include "backends/common/call_text.h"
#include "backends/common/phases_text.h"
#include "backends/cuda/pieces.h"
#include "emit/names.h"
#include "emit/template.h"

namespace mgen {
namespace cuda {
namespace {

std::string KernelName(const PlanText &rule, const PhaseText &phase) {
  const std::string kind = phase.phase->is_sweep ? "Sweep" : "Once";
  return rule.Function(kind + std::to_string(phase.number) + "Kernel");
}

std::string Reductions(const PlanText &rule, const PhaseText &phase) {
  std::vector<std::string> lines;
  for (int i : phase.reductions) {
    lines.push_back("mshadow::cuda::" + ReductionType(rule, i) + "> " + rule.reduction_name(i) +
                    "(team);");
  }
  return Join(lines, "\n");
}

/// `call` of each reduction with its parts: "total_sum" + ".FinishPart(" + … + ");".
std::string ForParts(const PlanText &rule, const PhaseText &phase, const std::string &call,
                     const std::string &part) {
  std::vector<std::string> lines;
  for (int i : phase.reductions) {
    const std::string &name = rule.reduction_name(i);
    lines.push_back(name + call + "(plan.kept->" + name + "[" + part + "]);");
  }
  return Join(lines, "\n");
}

std::string PhaseKernel(const PlanText &rule, const PhaseText &phase) {
  std::vector<std::string> params = rule.ConditionParams();
  for (const std::string &type : rule.TypenameParams()) params.push_back(type);
  const bool reduces = !phase.reductions.empty();
  Values values;
  values.Set("rule", rule.rule())
      .Set("kernel_template", TemplateLine(params))
      .Set("function", KernelName(rule, phase))
      .Set("plan_type", rule.PlanType())
      .Set("values", ValueLocals(rule, phase));
  if (!phase.phase->is_sweep) {
    values.Set("when", phase.when)
        .Set("reduces", reduces)
        .Set("reductions", Reductions(rule, phase))
        .Set("begin", ForReductions(rule, phase, ".Begin();"))
        .Set("take", ForParts(rule, phase, ".TakePart", "round.part()"))
        .Set("push", ForReductions(rule, phase, ".Push(round);"))
        .Set("call",
             PhaseCallText(rule, phase, {"N", "plan.scalars", "", ".Finish()", "{0, 0}", "", 2}))
        .Set("stores", ValueStores(rule, phase));
    return RenderTemplate("cuda/once_kernel.tmpl.gen.cu", values);
  }
  values.Set("number", std::to_string(phase.number))
      .Set("rows", SweepLocals(rule, phase, "at.y()"))
      .Set("step",
           PhaseCallText(rule, phase,
                         {"N", "plan.scalars", "at.x()", ".part()",
                          phase.uses_number ? "{at.y(), at.x(), at.index()}" : "{at.y(), at.x()}",
                          "AllLanes()", reduces ? 8 : 4}));
  if (!reduces) return RenderTemplate("cuda/all_sweep.tmpl.gen.cu", values);
  values.Set("reductions", Reductions(rule, phase))
      .Set("begin", ForReductions(rule, phase, ".Begin();"))
      .Set("push", ForReductions(rule, phase, ".Push(leaf);"))
      .Set("parts", ForParts(rule, phase, ".FinishPart", "team.part()"));
  return RenderTemplate("cuda/all_reducing_sweep.tmpl.gen.cu", values);
}

}  // namespace

std::string AllKernelsText(const PlanText &rule) {
  std::vector<std::string> kernels;
  for (const PhaseText &phase : PhasesOf(rule)) kernels.push_back(PhaseKernel(rule, phase));
  return Join(kernels, "\n");
}

std::string AllChoiceText(const PlanText &rule) {
  std::vector<std::string> launches;
  for (const PhaseText &phase : PhasesOf(rule)) {
    const std::string how = !phase.phase->is_sweep     ? "Once"
                            : phase.reductions.empty() ? "Sweep"
                                                       : "Reduce";
    launches.push_back("launch." + how + "(" + ChosenKernelOf(rule, KernelName(rule, phase), {}) +
                       ");");
  }
  Values values;
  values.Set("rule", rule.rule())
      .Set("template", TemplateLine(rule.TypenameParams()))
      .Set("start", "Start" + rule.Function(""))
      .Set("plan_type", rule.PlanType())
      .Set("launches", Join(launches, "\n"));
  return RenderTemplate("cuda/all_choice.tmpl.gen.cu", values);
}

}  // namespace cuda
}  // namespace mgen
