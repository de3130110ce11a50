// SPDX-License-Identifier: Apache-2.0
#include "backends/common/step_text.h"

#include "backends/common/view_text.h"
#include "emit/layout.h"
#include "emit/names.h"

namespace mgen {

std::string RowPointers(const PlanText &rule) {
  std::vector<std::string> lines;
  for (int i : rule.Tensors()) {
    const Operand &operand = rule.plan().operands[i];
    const std::string &name = rule.operand_name(i);
    const std::string type = rule.TypeName(operand.type);
    const std::string row = "plan." + name + ".row(row.y());";
    if (rule.plan().ViewOf(i)) {
      lines.push_back(ViewRowLocal(rule, i, "row.y()"));
    } else if (IsUniform(operand.map)) {
      lines.push_back("const " + type + " " + name + " = *" + row);
    } else {
      lines.push_back((rule.IsWritten(i) ? "" : "const ") + type + " *const " + name + " = " + row);
    }
  }
  return Join(lines, "\n");
}

std::vector<std::string> ConditionArgs(const PlanText &rule,
                                       const std::vector<std::string> &sizes) {
  std::vector<std::string> args;
  for (size_t i = 0; i < rule.plan().conditions.size(); ++i)
    args.push_back(rule.condition_param(i));
  args.insert(args.end(), sizes.begin(), sizes.end());
  const auto &types = rule.type_params();
  args.insert(args.end(), types.begin(), types.end());
  return args;
}

std::vector<std::string> VariantArgs(const PlanText &rule, const std::vector<std::string> &sizes) {
  std::vector<std::string> all = sizes;
  if (rule.plan().has_row_buffers()) all.insert(all.begin(), "kBuffered");
  return ConditionArgs(rule, all);
}

std::string StepCallText(const PlanText &rule, const StepCall &call) {
  std::vector<std::string> args;
  if (rule.steps_use_scalars()) args.push_back(call.scalars);
  for (int i : rule.Tensors()) {
    const bool is_value = IsUniform(rule.plan().operands[i].map);
    args.push_back(rule.operand_name(i) + (is_value ? "" : " + " + call.index));
  }
  if (rule.plan().uses_place) args.push_back("{" + call.row + ", " + call.index + "}");
  args.push_back(call.lanes);
  const std::string step = rule.Function("Step") + rule.CallArgs(call.count);
  return RenderList(step + "(", args, ");", kLineWidth - call.indent);
}

}  // namespace mgen
