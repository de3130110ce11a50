// SPDX-License-Identifier: Apache-2.0
#include "backends/common/call_text.h"

#include "emit/layout.h"
#include "emit/names.h"

namespace mgen {

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
  if (rule.plan().leaves) all.insert(all.begin(), "kHasLeaves");
  if (rule.plan().has_row_buffers()) all.insert(all.begin(), "kBuffered");
  return ConditionArgs(rule, all);
}

std::string BodyCallText(const PlanText &rule, const BodyCall &call) {
  const std::string function = call.region + rule.Function(call.function) +
                               TemplateArgs(Append(call.conditions, rule.type_params()));
  return RenderList(function + "(", {call.plan, call.rows}, ");", kLineWidth - call.indent);
}

}  // namespace mgen
