// SPDX-License-Identifier: Apache-2.0
// batch_norm.loop.inc: the loop of a rule that has values for channels.
#include <set>
#include <string>
#include <vector>

#include "backends/common/call_text.h"
#include "backends/common/phases_text.h"
#include "backends/cpu/pieces.h"
#include "emit/names.h"
#include "emit/template.h"

namespace mgen {
namespace {

/// Where element `column` of a row is, and which of its channel it is, where that matters.
std::string ChannelPlace(const PhaseText &phase, const std::string &column) {
  const std::string number =
      phase.uses_number ? ", leaf.before() + row.y() * plan.channels.cols + " + column : "";
  return "{leaf.row(row.y()), " + column + number + "}";
}

/// The values of channel `channel` that a phase has to do with.
std::string ChannelLocals(const PlanText &rule, const PhaseText &phase,
                          const std::string &channel) {
  std::vector<std::string> lines;
  for (int i : phase.values) lines.push_back(ValueLocal(rule, i, channel));
  return Join(lines, "\n");
}

std::string PushToTrees(const PlanText &rule, const PhaseText &phase) {
  std::vector<std::string> lines;
  for (int i : phase.reductions) {
    lines.push_back(rule.reduction_name(i) + ".PushTo(&" + rule.trees_name(i) +
                    "[leaf.channel() - block]);");
  }
  return Join(lines, "\n");
}

std::string ChannelReducingSweep(const PlanText &rule, const PhaseText &phase) {
  const bool by_block = rule.plan().by_block();
  const auto partial = [&](const std::string &index, const std::string &column,
                           const std::string &lanes) {
    return PartialCall(rule, phase, index, ChannelPlace(phase, column), lanes, 10);
  };
  const bool streams = phase.phase->stores_non_temporal;
  Values values;
  values.Set("reductions", ReductionLocals(rule, phase))
      .Set("whole", WholeLanesOf(rule, streams, "i").local)
      .Set("leaves", by_block ? "BlockLeaves leaf(plan.channels, block, stop)"
                              : "ChannelLeaves leaf(plan.channels, channel)")
      .Set("values", by_block ? ChannelLocals(rule, phase, "leaf.channel()") : "")
      .Set("begin", ForReductions(rule, phase, ".Begin();"))
      .Set("rows", SweepLocals(rule, phase, "leaf.row(row.y())"))
      .Set("head", partial("i - row.lane()", "static_cast<int64_t>(i) - row.lane()",
                           "LanesBetween{row.lane(), row.head()}"))
      .Set("full", BlockCall(rule, phase, "i", ChannelPlace(phase, "i"), 10))
      .Set("partial", partial("i", "i", "FirstLanes{row.end() - i}"))
      .Set("push", by_block ? PushToTrees(rule, phase) : ForReductions(rule, phase, ".Push();"));
  return RenderTemplate("cpu/channel_reducing_sweep.tmpl.loop.inc", values);
}

std::string ChannelPlainSweep(const PlanText &rule, const PhaseText &phase) {
  static constexpr char kPlace[] = "{row.y(), i}";
  const WholeLanes whole = WholeLanesOf(rule, phase.phase->stores_non_temporal, "lanes");
  Values values;
  values.Set("unit", rule.plan().by_plane() ? "plane" : "channel")
      .Set("rows", SweepLocals(rule, phase, "row.y()"))
      .Set("written", WrittenOperand(rule, phase))
      .Set("whole", whole.local)
      .Set("full", PhaseCallText(rule, phase, {"N", "s", "i", "", kPlace, whole.lanes, 10}))
      .Set("partial",
           PhaseCallText(rule, phase, {"N", "s", "i", "", kPlace, "FirstLanes{lanes}", 10}));
  return RenderTemplate("cpu/channel_sweep.tmpl.loop.inc", values);
}

std::string ChannelPhaseBody(const PlanText &rule, const PhaseText &phase) {
  if (!phase.phase->is_sweep) {
    return PhaseCallText(rule, phase, {"N", "s", "", ".Finish()", "{channel, 0}", "", 4}) + "\n";
  }
  return phase.reductions.empty() ? ChannelPlainSweep(rule, phase)
                                  : ChannelReducingSweep(rule, phase);
}

/// What is done once for each channel of a block.
std::string OncePhases(const PlanText &rule) {
  std::string text;
  for (const PhaseText &phase : PhasesOf(rule)) {
    if (phase.phase->is_sweep) continue;
    text += PhaseCallText(
        rule, phase, {"N", "s", "", "_trees[channel - block].Finish()", "{channel, 0}", "", 6});
    text += "\n";
  }
  return text;
}

/// The values that they have to do with.
std::string OnceLocals(const PlanText &rule) {
  std::set<int> values;
  for (const PhaseText &phase : PhasesOf(rule)) {
    if (!phase.phase->is_sweep) values.insert(phase.values.begin(), phase.values.end());
  }
  std::vector<std::string> lines;
  for (int i : values) lines.push_back(ValueLocal(rule, i, "channel"));
  return Join(lines, "\n");
}

std::string TreeLocals(const PlanText &rule) {
  std::vector<std::string> lines;
  const PhaseText sweep = PhasesOf(rule).front();
  for (int i : sweep.reductions) {
    lines.push_back("RowTree<" + ReductionArgs(rule, i) + ", N> " + rule.trees_name(i) +
                    "[kBlockChannels];");
  }
  return Join(lines, "\n");
}

Values LoopValues(const PlanText &rule, const std::string &lane_types) {
  Values::List blocks;
  std::vector<std::string> phases;
  for (const PhaseText &phase : PhasesOf(rule)) {
    if (phase.phase->is_sweep && !phase.reductions.empty()) {
      blocks.push_back(Values().Set("text", BlockText(rule, phase)));
    }
    phases.push_back(ChannelPhaseBody(rule, phase));
  }
  Values values;
  values.Set("rule", rule.rule())
      .Set("blocks", blocks)
      .Set("function", rule.Function("Loop"))
      .Set("plan_type", rule.PlanType())
      .Set("scalars", rule.steps_use_scalars() ? ScalarsCopy(rule) : "")
      .Set("lane_types", lane_types)
      .Set("locals", ChannelValues(rule))
      .Set("phases", Join(phases, ""))
      .Set("stores", ChannelStores(rule))
      .Set("end_streams", FinishStreams(rule.plan().schedule.non_temporal >= 0));
  return values;
}

}  // namespace

std::string ChannelLoopText(const PlanText &rule, const std::string &lane_types,
                            bool has_short_packets) {
  Values values = LoopValues(rule, lane_types);
  const bool by_plane = rule.plan().by_plane(), by_block = rule.plan().by_block();
  std::vector<std::string> params = Append(rule.ConditionParams(), rule.TypenameParams());
  if (has_short_packets) params.push_back(kPacketParam);
  values.Set("loop_template", TemplateLine(params))
      .Set("by_plane", by_plane)
      .Set("by_block", by_block)
      .Set("by_channel", !by_plane && !by_block)
      .Set("packet_bytes", has_short_packets ? "kBytes" : "");
  if (by_block) {
    values.Set("trees", TreeLocals(rule))
        .Set("sweep", ChannelReducingSweep(rule, PhasesOf(rule).front()))
        .Set("once_locals", OnceLocals(rule))
        .Set("once", OncePhases(rule));
  }
  return RenderTemplate("cpu/channels.tmpl.loop.inc", values);
}

}  // namespace mgen
