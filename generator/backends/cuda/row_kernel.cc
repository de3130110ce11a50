// SPDX-License-Identifier: Apache-2.0
// softmax.gen.cu: the launch of a kernel that reduces rows.
#include "backends/cuda/pieces.h"
#include "emit/template.h"

namespace mgen {
namespace cuda {

std::string RowChoiceText(const PlanText &rule) {
  Values values;
  values.Set("rule", rule.rule())
      .Set("template", TemplateLine(rule.TypenameParams()))
      .Set("signature", StartSignature(rule, "Start" + rule.Function("")))
      .Set("kernel", ChosenKernel(rule, {}))
      .Set("launch", SkeletonOf(rule.plan()).gpu_launch);
  return RenderTemplate("cuda/row_choice.tmpl.gen.cu", values);
}

}  // namespace cuda
}  // namespace mgen
