// SPDX-License-Identifier: Apache-2.0
// lamb.gen.cu: the kernels of a rule that reduces everything, one for each phase, and their launch.
#include "backends/common/call_text.h"
#include "backends/common/kernel_body.h"
#include "backends/cuda/pieces.h"
#include "emit/names.h"
#include "emit/template.h"

namespace mgen {
namespace cuda {
namespace {

std::string KernelName(const PlanText &rule, const PhaseText &phase) {
  return rule.Function(PhaseSuffix(phase) + "Kernel");
}

std::string PhaseKernel(const PlanText &rule, const PhaseText &phase) {
  const std::string sweep = "Pass " + std::to_string(phase.number) + " of " + rule.rule();
  std::string what, target = "mshadow::packet::device::";
  if (!phase.phase->is_sweep) {
    what = "The epilogue of " + rule.rule() + " " + phase.when + ": one block";
    target += "OnceOfBlock()";
  } else if (phase.reductions.empty()) {
    what = sweep + ": a thread for each element";
    target += "ElementsOfGrid(plan.rows, plan.cols)";
  } else {
    what = sweep + ": a block takes a chunk";
    target += "PartsOfBlock(plan.parts, plan.rows, plan.cols)";
  }
  const BodyCall call = {"", rule.condition_params(), "plan", target, 2, PhaseSuffix(phase)};
  Values values;
  values.Set("what", what)
      .Set("kernel_template", TemplateLine(Append(rule.ConditionParams(), rule.TypenameParams())))
      .Set("threads", "mshadow::cuda::kRowThreads")
      .Set("signature", KernelSignature(rule, KernelName(rule, phase)))
      .Set("rows", BodyCallText(rule, call));
  return RenderTemplate("cuda/kernel.tmpl.gen.cu", values);
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
      .Set("signature", StartSignature(rule, "Start" + rule.Function("")))
      .Set("launch",
           RenderList("mshadow::cuda::PhaseLaunches<" + rule.PlanType() + "> launch(",
                      {"\"" + rule.rule() + "\"", "plan", "stream"}, ");", kLineWidth - 2))
      .Set("launches", Join(launches, "\n"));
  return RenderTemplate("cuda/all_choice.tmpl.gen.cu", values);
}

}  // namespace cuda
}  // namespace mgen
