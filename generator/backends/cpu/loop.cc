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

std::string FinishStreams(bool stores_streamed) {
  return stores_streamed ? "mshadow::FinishStreaming(plan.streams);" : "";
}

std::string MapText(const PlanText &rule) { return ReducersText(rule) + KernelBodyText(rule); }

namespace {

/// A loop's part of the `.loop.inc`: it calls a body.
struct BodyLoop {
  std::string what;  ///< it is: "MapPlan of Softmax: rows [begin, end) of the Plan"
  std::string name;  ///< behind the rule's in the function's
  std::string range = "index_t begin, index_t end";
  std::string body;
  bool has_short_packets = false;
  bool streams = false;
};

std::string Text(const PlanText &rule, const BodyLoop &loop) {
  std::vector<std::string> params = Append(rule.VariantParams(), rule.TypenameParams());
  if (loop.has_short_packets) params.push_back(kPacketParam);
  Values values;
  values.Set("what", loop.what)
      .Set("loop_template", TemplateLine(params))
      .Set("function", rule.Function(loop.name))
      .Set("range", loop.range)
      .Set("plan_type", rule.PlanType())
      .Set("lane_types", LaneTypes(rule))
      .Set("packet_bytes", loop.has_short_packets ? "kBytes" : "")
      .Set("body", loop.body)
      .Set("end_streams", FinishStreams(loop.streams));
  return RenderTemplate("cpu/rule.tmpl.loop.inc", values);
}

/// The loop over channels of a kernel that reduces them or has values for them.
std::string ChannelLoopText(const PlanText &rule, bool has_short_packets) {
  const Plan &plan = rule.plan();
  const std::string what = plan.by_plane() ? "planes [begin, end) of the Plan, each of one channel"
                           : plan.by_block()
                               ? "channels [begin, end) of the Plan, several at a time"
                               : "channels [begin, end) of the Plan";
  const std::string channels =
      plan.by_plane()   ? "PlanesInPackets<N>(plan.channels, plan.kept, begin, end)"
      : plan.by_block() ? "BlocksInPackets<N>(plan.channels, begin, end)"
                        : "ChannelsInPackets<N>(plan.channels, begin, end)";
  BodyLoop loop;
  loop.what = "MapPlan of " + rule.rule() + ": " + what;
  loop.name = "Loop";
  loop.body = BodyCallText(rule, {"", rule.condition_params(), "plan", channels, 2, "Channels"});
  loop.has_short_packets = has_short_packets;
  loop.streams = plan.schedule.non_temporal >= 0;
  return Text(rule, loop);
}

/// The loop over columns of a kernel that reduces them.
std::string ColumnLoopText(const PlanText &rule) {
  const std::string columns = std::string("ColumnsInPackets<N") +
                              (rule.plan().reduced_axis() < 0 ? "" : ", true") +
                              ">(plan.parts, plan.columns, plan.launch, begin, end)";
  BodyLoop loop;
  loop.what = "MapPlan of " + rule.rule() + ": blocks [begin, end) of columns, in parts of rows";
  loop.name = "Loop";
  loop.body = BodyCallText(rule, {"", rule.condition_params(), "plan", columns, 2, "Columns"});
  loop.streams = rule.plan().schedule.non_temporal >= 0;
  return Text(rule, loop);
}

/// The loop of a kernel over elements, or that reduces rows.
std::string BodyLoopText(const PlanText &rule, bool has_short_packets) {
  const bool by_row = rule.plan().has_phases();
  const std::string size = rule.plan().has_row_buffers() ? "N, kBuffered" : "N";
  const std::string rows =
      (by_row ? "RowsInPackets<" : "ElementsInPackets<") + size + ">(begin, end, plan.cols)";
  BodyLoop loop;
  loop.what = "MapPlan of " + rule.rule() +
              (by_row ? ": rows [begin, end) of the Plan"
                      : ": elements [begin, end) of the Plan, counted row by row");
  loop.name = "Loop";
  loop.body = BodyCallText(rule, {"", rule.condition_params(), "plan", rows, 2});
  loop.has_short_packets = has_short_packets;
  loop.streams = rule.plan().schedule.non_temporal >= 0;
  return Text(rule, loop);
}

/// The loop of one phase of a kernel that reduces everything.
std::string PhaseLoopText(const PlanText &rule, const PhaseText &phase) {
  const std::string number = std::to_string(phase.number), suffix = PhaseSuffix(phase);
  BodyLoop loop;
  loop.name = suffix + "Loop";
  loop.streams = phase.phase->stores_non_temporal;
  std::string target;
  if (!phase.phase->is_sweep) {
    loop.what = "What " + rule.rule() + " does once, " + phase.when;
    loop.range = "index_t, index_t";
    target = "OnceInPackets<N>()";
  } else {
    loop.what = "Sweep " + number + " of " + rule.rule() + " over parts [begin, end)";
    target = (phase.reductions.empty() ? "RowsOfParts<N>" : "PartsInPackets<N>") +
             std::string("(plan.parts, begin, end, plan.cols)");
  }
  loop.body = BodyCallText(rule, {"", rule.condition_params(), "plan", target, 2, suffix});
  return Text(rule, loop);
}

std::string PhaseLoopsText(const PlanText &rule) {
  std::vector<std::string> loops;
  for (const PhaseText &phase : PhasesOf(rule)) loops.push_back(PhaseLoopText(rule, phase));
  return Join(loops, "\n");
}

}  // namespace

std::vector<std::string> LoopMembers(const PlanText &rule) {
  std::vector<std::string> members;
  for (const PhaseText &phase : PhasesOf(rule)) {
    members.push_back((phase.phase->is_sweep ? "sweep" : "once") + std::to_string(phase.number));
  }
  return members;
}

std::string LoopText(const PlanText &rule, const EmitOptions &options) {
  const bool has_short = HasShortPackets(rule.plan(), options);
  if (rule.plan().by_channel()) return ChannelLoopText(rule, has_short);
  if (rule.plan().reduces_columns()) return ColumnLoopText(rule);
  if (rule.plan().reduces_all()) return PhaseLoopsText(rule);
  return BodyLoopText(rule, has_short);
}

}  // namespace mgen
