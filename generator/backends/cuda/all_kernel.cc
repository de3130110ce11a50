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
  const PhaseSkeleton &skeleton = SkeletonOf(*phase.phase);
  const BodyCall call = {"",     rule.condition_params(),
                         "plan", "mshadow::packet::device::" + skeleton.gpu_team,
                         2,      PhaseSuffix(phase)};
  Values values;
  values.Set("what", PhaseTitle(rule, phase) + skeleton.gpu_what)
      .Set("kernel_template", KernelTemplate(rule, rule.ConditionParams()))
      .Set("threads", "mshadow::cuda::kRowThreads")
      .Set("signature", KernelSignature(KernelName(rule, phase)))
      .Set("rows", BodyCallText(rule, call));
  return RenderTemplate("cuda/kernel.tmpl.gen.cu", values);
}

}  // namespace

std::string AllKernelsText(const PlanText &rule) {
  std::vector<std::string> kernels;
  for (const PhaseText &phase : PhasesOf(rule)) kernels.push_back(PhaseKernel(rule, phase));
  return Join(kernels, "\n");
}

std::string LaunchAllText(const PlanText &rule) {
  std::vector<std::string> launches;
  for (const PhaseText &phase : PhasesOf(rule)) {
    launches.push_back("launch." + SkeletonOf(*phase.phase).gpu_launch + "(" +
                       ChosenKernelOf(rule, KernelName(rule, phase), {}) + ");");
  }
  Values values;
  values
      .Set("launch",
           RenderList("mshadow::cuda::PhaseLaunches<" + rule.PlanType() + "> launch(",
                      {"\"" + rule.rule() + "\"", "plan", "stream"}, ");", kLineWidth - 2))
      .Set("launches", Join(launches, "\n"));
  return RenderTemplate("cuda/launch_all.tmpl.gen.cu", values);
}

}  // namespace cuda
}  // namespace mgen
