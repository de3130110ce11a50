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

/// The call of a phase's body.
std::string PhaseCall(const PlanText &rule, const PhaseText &phase, int indent) {
  return BodyCallText(rule, {"", rule.condition_params(), "plan",
                             "mshadow::packet::device::" + SkeletonOf(*phase.phase).gpu_team,
                             indent, PhaseSuffix(phase)});
}

/// \param next the phase after it, or null. If that is an epilogue, the kernel of a pass that
///     reduces runs it in the last block of each call of a list.
std::string PhaseKernel(const PlanText &rule, const PhaseText &phase, const PhaseText *next) {
  const PhaseSkeleton &skeleton = SkeletonOf(*phase.phase);
  const bool has_once =
      !phase.phase->reductions.empty() && next != nullptr && !next->phase->is_sweep;
  Values values;
  values.Set("what", PhaseTitle(rule, phase) + skeleton.gpu_what)
      .Set("kernel_template", KernelTemplate(rule, rule.ConditionParams()))
      .Set("threads", "mshadow::cuda::kRowThreads")
      .Set("signature", KernelSignature(KernelName(rule, phase)))
      .Set("rows", PhaseCall(rule, phase, 2))
      .Set("has_once", has_once)
      .Set("once", has_once ? PhaseCall(rule, *next, 4) : "");
  return RenderTemplate("cuda/kernel.tmpl.gen.cu", values);
}

}  // namespace

std::string AllKernelsText(const PlanText &rule) {
  std::vector<std::string> kernels;
  const std::vector<PhaseText> phases = PhasesOf(rule);
  for (size_t i = 0; i < phases.size(); ++i) {
    const PhaseText *const next = i + 1 < phases.size() ? &phases[i + 1] : nullptr;
    kernels.push_back(PhaseKernel(rule, phases[i], next));
  }
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
