// SPDX-License-Identifier: Apache-2.0
// adamw.loop.inc: the loop of one rule.
#include <algorithm>

#include "backends/common/call_text.h"
#include "backends/cpu/instruction_set.h"
#include "backends/cpu/pieces.h"
#include "emit/names.h"
#include "emit/template.h"

namespace mgen {
namespace {

std::string LaneTypes(const PlanText &rule) {
  std::vector<std::string> types;
  for (Type type : rule.plan().lane_types) {
    const std::string name = rule.TypeName(type);
    if (std::find(types.begin(), types.end(), name) == types.end()) types.push_back(name);
  }
  return Join(types, ", ");
}

}  // namespace

std::string ScalarsCopy(const PlanText &rule) {
  return "const " + rule.ScalarsType() + " s = plan.scalars;  // a copy, which no store can change";
}

WholeLanes WholeLanesOf(const PlanText &rule, bool stores_streamed, const std::string &at) {
  if (!stores_streamed) return {"", "AllLanes()"};
  const std::string &name = rule.operand_name(rule.plan().schedule.non_temporal);
  return {"const StreamedLanes whole = Streamed<N>(plan.streams, " + name + " + " + at + ");",
          "whole"};
}

std::string FinishStreams(bool stores_streamed) {
  return stores_streamed ? "mshadow::FinishStreaming(plan.streams);" : "";
}

std::string LoopText(const PlanText &rule, const EmitOptions &options) {
  const bool has_short = HasShortPackets(rule.plan(), options);
  if (rule.plan().by_channel()) return ChannelLoopText(rule, LaneTypes(rule), has_short);
  if (rule.plan().is_row_wise()) return RowLoopText(rule, LaneTypes(rule));
  if (rule.plan().reduces_columns()) return ColumnLoopsText(rule, LaneTypes(rule));
  if (rule.plan().reduces_all()) return AllLoopsText(rule, LaneTypes(rule));
  std::vector<std::string> params = rule.ConditionParams();
  for (const std::string &type : rule.TypenameParams()) params.push_back(type);
  if (has_short) params.push_back(kPacketParam);
  const ElementsCall call = {"", rule.condition_params(), "plan", "ElementsInPackets<N>(row)", 4};
  Values values;
  values.Set("rule", rule.rule())
      .Set("loop_template", TemplateLine(params))
      .Set("function", rule.Function("Loop"))
      .Set("plan_type", rule.PlanType())
      .Set("lane_types", LaneTypes(rule))
      .Set("packet_bytes", has_short ? "kBytes" : "")
      .Set("elements", ElementsCallText(rule, call))
      .Set("end_streams", FinishStreams(rule.plan().schedule.non_temporal >= 0));
  return RenderTemplate("cpu/rule.tmpl.loop.inc", values);
}

}  // namespace mgen
