// SPDX-License-Identifier: Apache-2.0
// softmax.gen.cu: the launch of a kernel that reduces rows.
#include "backends/common/kernel_body.h"
#include "backends/cuda/pieces.h"
#include "emit/template.h"

namespace mgen {
namespace cuda {

std::string SyncBeforeStores(const PlanText &rule) {
  // Where something is reduced, threads wait for the result.
  const bool waits = !rule.plan().reductions.empty();
  return StoresWhatIsRead(rule.plan()) && !waits
             ? "team.Sync();  // every thread has read the values\n"
             : "";
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
