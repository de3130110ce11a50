// SPDX-License-Identifier: Apache-2.0
// batch_norm.gen.cu: the kernel of a rule that has values for channels.
#include "backends/common/row_text.h"
#include "backends/common/step_text.h"
#include "backends/cuda/pieces.h"
#include "emit/names.h"
#include "emit/template.h"

namespace mgen {
namespace cuda {
namespace {

std::string ChannelPhaseBody(const PlanText &rule, const PhaseText &phase) {
  if (!phase.phase->is_sweep) {
    return PhaseCallText(rule, phase,
                         {"N", "plan.scalars", "", ".Finish()", "{channel, 0}", "", 4}) +
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
      .Set("rows", SweepLocals(rule, phase, "leaf.row(at.y())"))
      .Set("step", PhaseCallText(
                       rule, phase,
                       {"N", "plan.scalars", "at.x()", ".part()",
                        phase.uses_number ? "{leaf.row(at.y()), at.x(), leaf.before() + at.index()}"
                                          : "{leaf.row(at.y()), at.x()}",
                        "AllLanes()", 8}))
      .Set("push", ForReductions(rule, phase, ".Push(leaf);"));
  return RenderTemplate("cuda/channel_sweep.tmpl.gen.cu", values);
}

}  // namespace

std::string ChannelKernelText(const PlanText &rule) {
  std::vector<std::string> params = rule.ConditionParams();
  for (const std::string &type : rule.TypenameParams()) params.push_back(type);
  std::vector<std::string> phases;
  for (const PhaseText &phase : PhasesOf(rule)) phases.push_back(ChannelPhaseBody(rule, phase));
  const std::string stores = RowStores(rule, "channel");
  Values values;
  values.Set("rule", rule.rule())
      .Set("kernel_template", TemplateLine(params))
      .Set("function", rule.Function("Kernel"))
      .Set("plan_type", rule.PlanType())
      .Set("unit", rule.plan().by_plane() ? "plane" : "channel")
      .Set("channel", rule.plan().by_plane() ? "team.channel() % plan.kept" : "team.channel()")
      .Set("locals", RowLocals(rule, "channel"))
      .Set("phases", Join(phases, ""))
      .Set("has_stores", !stores.empty())
      .Set("sync", SyncBeforeStores(rule))
      .Set("stores", stores);
  return RenderTemplate("cuda/channel_kernel.tmpl.gen.cu", values);
}

}  // namespace cuda
}  // namespace mgen
