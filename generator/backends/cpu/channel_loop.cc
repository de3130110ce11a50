// SPDX-License-Identifier: Apache-2.0
// batch_norm.loop.inc: the loop of a rule that has values for channels.
#include "backends/common/row_text.h"
#include "backends/common/step_text.h"
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

std::string ChannelReducingSweep(const PlanText &rule, const PhaseText &phase) {
  const auto partial = [&](const std::string &index, const std::string &column,
                           const std::string &lanes) {
    return PartialCall(rule, phase, index, ChannelPlace(phase, column), lanes, 10);
  };
  Values values;
  values.Set("reductions", ReductionLocals(rule, phase))
      .Set("begin", ForReductions(rule, phase, ".Begin();"))
      .Set("rows", SweepLocals(rule, phase, "leaf.row(row.y())"))
      .Set("head", partial("i - row.lane()", "static_cast<int64_t>(i) - row.lane()",
                           "LanesBetween{row.lane(), row.head()}"))
      .Set("full", BlockCall(rule, phase, "i", ChannelPlace(phase, "i"), 10))
      .Set("partial", partial("i", "i", "FirstLanes{row.end() - i}"))
      .Set("push", ForReductions(rule, phase, ".Push();"));
  return RenderTemplate("cpu/channel_reducing_sweep.tmpl.loop.inc", values);
}

std::string ChannelPlainSweep(const PlanText &rule, const PhaseText &phase) {
  static constexpr char kPlace[] = "{row.y(), i}";
  Values values;
  values.Set("unit", rule.plan().by_plane() ? "plane" : "channel")
      .Set("rows", SweepLocals(rule, phase, "row.y()"))
      .Set("written", WrittenOperand(rule, phase))
      .Set("full", PhaseCallText(rule, phase, {"N", "s", "i", "", kPlace, "AllLanes()", 10}))
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

}  // namespace

std::string ChannelLoopText(const PlanText &rule, const std::string &lane_types) {
  Values values = LoopValues(rule, lane_types, "channel", ChannelPhaseBody);
  values.Set("by_plane", rule.plan().by_plane()).Set("by_channel", !rule.plan().by_plane());
  return RenderTemplate("cpu/channels.tmpl.loop.inc", values);
}

}  // namespace mgen
