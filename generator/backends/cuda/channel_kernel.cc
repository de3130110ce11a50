// SPDX-License-Identifier: Apache-2.0
// batch_norm.gen.cu: the kernel of a rule that has values for channels.
#include "backends/common/call_text.h"
#include "backends/cuda/phase_text.h"
#include "backends/cuda/pieces.h"
#include "emit/names.h"
#include "emit/template.h"

namespace mgen {
namespace cuda {
namespace {

std::string ChannelPhaseBody(const PlanText &rule, const PhaseText &phase) {
  const int deeper = rule.plan().by_plane() ? 0 : 2;  // within a phase's `if`
  if (!phase.phase->is_sweep) {
    return PhaseCallText(rule, phase,
                         {"N", "plan.scalars", "", ".Finish()", "{channel, 0}", "", 4 + deeper}) +
           "\n";
  }
  Values values;
  values.Set("begin", ForReductions(rule, phase, ".Begin();"))
      .Set("rows", SweepLocals(rule, phase, "leaf.row(at.y())"))
      .Set("step", PhaseCallText(
                       rule, phase,
                       {"N", "plan.scalars", "at.x()", ".part()",
                        phase.uses_number ? "{leaf.row(at.y()), at.x(), leaf.before() + at.index()}"
                                          : "{leaf.row(at.y()), at.x()}",
                        "AllLanes()", 8 + deeper}))
      .Set("push", ForReductions(rule, phase, ".Push(leaf);"));
  return RenderTemplate("cuda/channel_sweep.tmpl.gen.cu", values);
}

}  // namespace

std::string ChannelKernelText(const PlanText &rule) {
  const bool by_plane = rule.plan().by_plane();
  std::vector<std::string> params = rule.ConditionParams();
  for (const std::string &type : rule.TypenameParams()) params.push_back(type);
  const PhaseTexts texts(rule, "channel");
  std::vector<std::string> bodies;
  for (const PhaseText &phase : texts.phases()) bodies.push_back(ChannelPhaseBody(rule, phase));
  const std::string stores = texts.Stores();
  Values values;
  values.Set("rule", rule.rule())
      .Set("kernel_template", TemplateLine(params))
      .Set("function", rule.Function("Kernel"))
      .Set("plan_type", rule.PlanType())
      .Set("unit", by_plane ? "plane" : "channel")
      .Set("phase_param", by_plane ? "" : ", const mshadow::index_t phase")
      .Set("phase", by_plane ? "mshadow::cuda::kAllPhases" : "phase")
      .Set("channel", by_plane ? "team.channel() % plan.kept" : "team.channel()")
      .Set("locals", texts.Locals())
      .Set("phases", texts.Bodies(bodies))
      .Set("has_stores", !stores.empty())
      .Set("sync", SyncBeforeStores(rule))
      .Set("stores", stores);
  return RenderTemplate("cuda/channel_kernel.tmpl.gen.cu", values);
}

}  // namespace cuda
}  // namespace mgen
