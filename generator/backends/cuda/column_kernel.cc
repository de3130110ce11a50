// SPDX-License-Identifier: Apache-2.0
// batch_norm.gen.cu: the kernel of a rule that reduces columns, and its launch.
#include "backends/common/call_text.h"
#include "backends/cuda/phase_text.h"
#include "backends/cuda/pieces.h"
#include "emit/names.h"
#include "emit/template.h"

namespace mgen {
namespace cuda {
namespace {

std::string ColumnPhaseBody(const PlanText &rule, const PhaseText &phase) {
  if (!phase.phase->is_sweep) {
    return PhaseCallText(
               rule, phase,
               {"N", "plan.scalars", "", ".FinishColumn()", "LanesAt({0, x}, AllLanes())", "", 6}) +
           "\n";
  }
  Values values;
  values.Set("begin", ForReductions(rule, phase, ".Begin();"))
      .Set("rows", SweepLocals(rule, phase, "y"))
      .Set("step", PhaseCallText(rule, phase,
                                 {"N", "plan.scalars", "x", ".part()", "{y, x}", "AllLanes()", 10}))
      .Set("push", ForReductions(rule, phase, ".Push(leaf);"));
  return RenderTemplate("cuda/column_sweep.tmpl.gen.cu", values);
}

}  // namespace

std::string ColumnKernelText(const PlanText &rule) {
  std::vector<std::string> params = rule.ConditionParams();
  for (const std::string &type : rule.TypenameParams()) params.push_back(type);
  const PhaseTexts texts(rule, "x");
  std::vector<std::string> bodies;
  for (const PhaseText &phase : texts.phases()) bodies.push_back(ColumnPhaseBody(rule, phase));
  const std::string stores = texts.Stores();
  Values values;
  values.Set("rule", rule.rule())
      .Set("kernel_template", TemplateLine(params))
      .Set("function", rule.Function("Kernel"))
      .Set("plan_type", rule.PlanType())
      .Set("locals", texts.Locals())
      .Set("phases", texts.Bodies(bodies))
      .Set("has_stores", !stores.empty())
      .Set("sync", SyncBeforeStores(rule))
      .Set("stores", stores);
  return RenderTemplate("cuda/column_kernel.tmpl.gen.cu", values);
}

}  // namespace cuda
}  // namespace mgen
