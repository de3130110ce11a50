// SPDX-License-Identifier: Apache-2.0
// adamw.map.inc and adamw.loop.inc: what one rule does, and its loop.
#include <algorithm>

#include "backends/common/call_text.h"
#include "backends/common/kernel_body.h"
#include "backends/common/reducer_text.h"
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

WholeLanes WholeLanesOf(const PlanText &rule, bool stores_streamed, const std::string &at) {
  if (!stores_streamed) return {"", "AllLanes()"};
  const std::string &name = rule.operand_name(rule.plan().schedule.non_temporal);
  return {"const StreamedLanes whole = Streamed<N>(plan.streams, " + name + " + " + at + ");",
          "whole"};
}

std::string FinishStreams(bool stores_streamed) {
  return stores_streamed ? "mshadow::FinishStreaming(plan.streams);" : "";
}

std::string MapText(const PlanText &rule) {
  if (!HasBody(rule.plan())) return PhasesText(rule);
  return ReducersText(rule) + KernelBodyText(rule);
}

namespace {

/// The loop of a kernel whose text is one body.
std::string BodyLoopText(const PlanText &rule, bool has_short_packets) {
  const bool by_row = rule.plan().has_phases();
  const std::string size = rule.plan().has_row_buffers() ? "N, kBuffered" : "N";
  std::vector<std::string> params = Append(rule.VariantParams(), rule.TypenameParams());
  if (has_short_packets) params.push_back(kPacketParam);
  const std::string kind = by_row ? "RowsInPackets<" : "ElementsInPackets<";
  const BodyCall call = {"", rule.condition_params(), "plan",
                         kind + size + ">(begin, end, plan.cols)", 2};
  Values values;
  values.Set("rule", rule.rule())
      .Set("what", by_row ? "rows [begin, end)" : "elements [begin, end)")
      .Set("order", by_row ? "" : ", counted row by row")
      .Set("loop_template", TemplateLine(params))
      .Set("function", rule.Function("Loop"))
      .Set("plan_type", rule.PlanType())
      .Set("lane_types", LaneTypes(rule))
      .Set("packet_bytes", has_short_packets ? "kBytes" : "")
      .Set("rows", BodyCallText(rule, call))
      .Set("end_streams", FinishStreams(rule.plan().schedule.non_temporal >= 0));
  return RenderTemplate("cpu/rule.tmpl.loop.inc", values);
}

}  // namespace

std::string LoopText(const PlanText &rule, const EmitOptions &options) {
  const bool has_short = HasShortPackets(rule.plan(), options);
  if (rule.plan().by_channel()) return ChannelLoopText(rule, LaneTypes(rule), has_short);
  if (rule.plan().reduces_columns()) return ColumnLoopsText(rule, LaneTypes(rule));
  if (rule.plan().reduces_all()) return AllLoopsText(rule, LaneTypes(rule));
  return BodyLoopText(rule, has_short);
}

}  // namespace mgen
