// SPDX-License-Identifier: Apache-2.0
// adamw.map.inc and adamw.loop.inc: the body of one rule's kernel, and its loop.
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
  std::string what;  ///< its comment: "Runs Softmax on rows [begin, end) of the Plan"
  std::string name;  ///< the end of the function's name, after the rule's
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

/// `(plan.cols, plan.out, plan.other)`: the elements of a row, and all tensors that are no views.
std::string RowsOfTensors(const PlanText &rule) {
  const Plan &plan = rule.plan();
  std::vector<std::string> args = {"plan.cols"};
  for (size_t i = 0; i < plan.operands.size(); ++i) {
    const Operand &operand = plan.operands[i];
    const int number = static_cast<int>(i);
    const bool has_rows = !operand.is_temporary && operand.axes.is_every();
    if (has_rows && plan.ViewOf(number) == nullptr) {
      args.push_back("plan." + rule.operand_name(number));
    }
  }
  return "(" + Join(args, ", ") + ")";
}

/// `plan.in_transpose.LineAlong(2)`: rows that are neighbours in the memory of all tiled views. ""
/// if all rows are.
std::string LineOfTiles(const PlanText &rule) {
  const Schedule &schedule = rule.plan().schedule;
  std::vector<std::string> lines;
  for (const int operand : schedule.tiled) {
    if (rule.plan().operands[operand].read->extents.size() < 3) continue;
    lines.push_back("plan." + rule.operand_name(operand) + ".LineAlong(" +
                    std::to_string(schedule.tiled_along) + ")");
  }
  if (lines.size() < 2) return Join(lines, "");
  return "ShortestLine(" + Join(lines, ", ") + ")";
}

/// The loop over tiles, or over rows in bands, for kernels that read across the rows of a tensor.
std::string TilesOf(const PlanText &rule) {
  const Schedule &schedule = rule.plan().schedule;
  const Operand &operand = rule.plan().operands[schedule.tiled.front()];
  std::vector<std::string> args = {"begin", "end", "plan.cols"};
  const std::string line = LineOfTiles(rule);
  if (!line.empty()) args.push_back(line);
  if (line.empty() && schedule.joins_tiled) args.emplace_back("mshadow::RowLine()");
  if (schedule.joins_tiled) args.push_back("RowsFollow" + RowsOfTensors(rule));
  const std::string loop = rule.plan().kept.is_rows() ? "BandsInPackets" : "TilesInPackets";
  const std::string head = loop + "<N, " + rule.TypeName(operand.type) + ", " +
                           std::to_string(schedule.tiled.size()) + ">(";
  // An argument of a call that is in the loop, on a line of its own if it takes several.
  constexpr int kIndent = 4;
  const std::string text = RenderList(head, args, ")", kLineWidth - 2 - kIndent - 2);
  const std::string lines = Indented(text, kIndent);
  return lines.substr(kIndent);
}

/// The loop of a kernel whose phases are in one body.
std::string BodyLoopText(const PlanText &rule, bool has_short_packets) {
  const Skeleton &skeleton = SkeletonOf(rule.plan());
  std::string target = skeleton.cpu_loop;
  if (const int cols = rule.plan().schedule.short_rows; cols > 0) {
    target = "ShortRowsOfPlans<N, " + std::to_string(cols) + ", Plan>(plan, begin, end)";
  }
  if (!rule.plan().schedule.tiled.empty()) target = TilesOf(rule);
  if (rule.plan().has_row_buffers()) target.insert(target.find('>'), ", kBuffered");
  if (rule.plan().leaves) {
    const bool has_buffers = rule.plan().has_row_buffers();
    target.insert(target.find('>'), has_buffers ? ", kHasLeaves" : ", false, kHasLeaves");
  }
  const auto call = [&](const std::string &rows, int indent) {
    return BodyCallText(rule,
                        {"", rule.condition_params(), "plan", rows, indent, skeleton.function});
  };
  BodyLoop loop;
  loop.what = "Runs " + rule.rule() + " on " + skeleton.cpu_what;
  loop.name = "Loop";
  loop.body = call(target, 2);
  if (const int views = rule.plan().schedule.collected; views > 0) {
    const std::string rows = "CollectedInPackets<N, " + std::to_string(views) + ">";
    loop.body = "if (" + rows + "::Takes" + RowsOfTensors(rule) + ") {\n" +
                Indented(call(rows + "(begin, end, plan.cols)", 4)) + "\n} else {\n" +
                Indented(call(target, 4)) + "\n}";
  }
  loop.has_short_packets = has_short_packets;
  loop.streams = rule.plan().schedule.non_temporal >= 0;
  return Text(rule, loop);
}

/// The loop of one phase of a kernel that reduces everything.
std::string PhaseLoopText(const PlanText &rule, const PhaseText &phase) {
  const PhaseSkeleton &skeleton = SkeletonOf(*phase.phase);
  const std::string suffix = PhaseSuffix(phase);
  BodyLoop loop;
  loop.what = PhaseTitle(rule, phase) + skeleton.cpu_what;
  loop.name = suffix + "Loop";
  loop.range = skeleton.cpu_range;
  loop.streams = phase.phase->stores_non_temporal;
  loop.body =
      BodyCallText(rule, {"", rule.condition_params(), "plan", skeleton.cpu_loop, 2, suffix});
  return Text(rule, loop);
}

std::string PhaseLoopsText(const PlanText &rule) {
  std::vector<std::string> loops;
  for (const PhaseText &phase : PhasesOf(rule)) loops.push_back(PhaseLoopText(rule, phase));
  return Join(loops, "\n");
}

}  // namespace

std::string LoopText(const PlanText &rule, const EmitOptions &options) {
  if (SkeletonOf(rule.plan()).by_phase) return PhaseLoopsText(rule);
  return BodyLoopText(rule, HasShortPackets(rule.plan(), options));
}

}  // namespace mgen
