// SPDX-License-Identifier: Apache-2.0
// adamw.loop.inc: the loop of a rule that reduces rows.
#include <algorithm>

#include "backends/common/row_text.h"
#include "backends/common/call_text.h"
#include "backends/common/view_text.h"
#include "backends/cpu/pieces.h"
#include "emit/names.h"
#include "emit/template.h"

namespace mgen {
namespace {

constexpr char kPlace[] = "{y, i}";

/// The phase with the functions of its blocks in the step's place.
PhaseText WithBlocks(const PlanText &rule, const PhaseText &phase, const std::string &kind) {
  PhaseText block = phase;
  block.function = rule.Function(kind + std::to_string(phase.number));
  return block;
}

/// The parameters of a block: those of the step, but with whole reductions.
std::vector<std::string> BlockParams(const PlanText &rule, const PhaseText &phase) {
  std::vector<std::string> params;
  if (phase.uses_scalars) params.push_back("const " + rule.ScalarsType() + " &s");
  for (const Phase::Use &use : phase.phase->operands) {
    params.push_back(ElementsParam(rule, use.index));
  }
  params = Append(params, ValueParams(rule, phase));
  for (int i : phase.reductions) {
    params.push_back(ReductionType(rule, i) + ", N> &" + rule.reduction_name(i));
  }
  if (phase.uses_place) params.push_back("const mshadow::packet::Place &at");
  return params;
}

std::string BlockTemplate(const PlanText &rule, const PhaseText &phase, const std::string &size,
                          const char *last) {
  std::vector<std::string> params =
      phase.uses_buffers ? rule.VariantParams() : rule.ConditionParams();
  params.push_back(size);
  for (const std::string &type : rule.TypenameParams()) params.push_back(type);
  if (*last != 0) params.push_back(last);
  for (const std::string &view : ViewTypenames(rule, OperandsOf(phase))) params.push_back(view);
  return TemplateLine(params);
}

/// How a block names its lanes: all of them, unless they may go past the cache.
std::string BlockLanes(const PlanText &rule, const PhaseText &phase) {
  return phase.phase->stores_non_temporal ? "whole" : "";
}

std::string NextBlock(const PlanText &rule, const PhaseText &phase) {
  return PhaseCallText(rule, WithBlocks(rule, phase, "Block"),
                       {"N, P + N", "s", "", "", "at", BlockLanes(rule, phase), 4});
}

}  // namespace

std::string BlockCall(const PlanText &rule, const PhaseText &phase, const std::string &index,
                      const std::string &at, int indent) {
  return PhaseCallText(rule, WithBlocks(rule, phase, "Block"),
                       {"N, 0", "s", index, "", at, BlockLanes(rule, phase), indent, "", true});
}

std::string PartialCall(const PlanText &rule, const PhaseText &phase, const std::string &index,
                        const std::string &at, const std::string &lanes, int indent) {
  return PhaseCallText(rule, WithBlocks(rule, phase, "Partial"),
                       {"N", "s", index, "", at, lanes, indent, "", true});
}

std::string BlockText(const PlanText &rule, const PhaseText &phase) {
  const auto signature = [&](const char *kind, const std::string &lanes) {
    std::vector<std::string> params = BlockParams(rule, phase);
    if (!lanes.empty()) params.push_back(lanes);
    const std::string function = WithBlocks(rule, phase, kind).function;
    return RenderList("MSHADOW_MAP void " + function + "(", params, ") {");
  };
  const bool streams = phase.phase->stores_non_temporal;
  const std::string lanes = streams ? "whole" : "AllLanes()";
  Values values;
  values.Set("number", std::to_string(phase.number))
      .Set("template", BlockTemplate(rule, phase, "int N, int P", ""))
      .Set("signature", signature("Block", streams ? "StreamedLanes whole" : ""))
      .Set("step",
           PhaseCallText(rule, phase, {"N", "s", "P", ".template part<P>()", "at + P", lanes, 2}))
      .Set("rest", NextBlock(rule, phase))
      .Set("partial_template", BlockTemplate(rule, phase, "int N", "typename Lanes"))
      .Set("partial_signature", signature("Partial", "Lanes lanes"))
      .Set("spill", ForReductions(rule, phase, ".Spill();"))
      .Set("partial_step", PhaseCallText(rule, phase,
                                         {"N", "s", "part", ".spilled(part)", "at + part",
                                          "LanesFrom<N>(part, lanes)", 4}))
      .Set("reload", ForReductions(rule, phase, ".Reload();"));
  return RenderTemplate("cpu/block.tmpl.loop.inc", values);
}

std::string ReductionLocals(const PlanText &rule, const PhaseText &phase) {
  std::vector<std::string> lines;
  for (int i : phase.reductions) {
    lines.push_back(ReductionType(rule, i) + ", N> " + rule.reduction_name(i) + ";");
  }
  return Join(lines, "\n");
}

std::string WrittenOperand(const PlanText &rule, const PhaseText &phase) {
  if (phase.phase->stores_non_temporal) {
    return rule.operand_name(rule.plan().schedule.non_temporal);
  }
  const auto &uses = phase.phase->operands;
  const auto written = std::find_if(uses.begin(), uses.end(), [&](const Phase::Use &use) {
    return !use.store.never() && !rule.plan().IsRowBuffer(use.index);
  });
  return rule.operand_name(written->index);
}

namespace {

/// Prefetches so many elements from i on, a line for each operand.
std::string PrefetchLines(const PlanText &rule, const PhaseText &phase, const std::string &count) {
  std::vector<std::string> lines;
  for (const Prefetch &prefetch : phase.phase->prefetches) {
    const std::string &name = rule.operand_name(prefetch.operand);
    const std::string row = prefetch.next ? "NextRow(plan." + name + ", y, end, plan.cols)" : name;
    lines.push_back("Prefetch<" + count + ">(" + row + " + i);");
  }
  return Join(lines, "\n");
}

std::string RowReducingSweep(const PlanText &rule, const PhaseText &phase) {
  const bool streams = phase.phase->stores_non_temporal;
  Values values;
  values.Set("reductions", ReductionLocals(rule, phase))
      .Set("begin", ForReductions(rule, phase, ".Begin();"))
      .Set("whole", WholeLanesOf(rule, streams, "i").local)
      .Set("ahead", PrefetchLines(rule, phase, "mshadow::kRowLanes"))
      .Set("full", BlockCall(rule, phase, "i", kPlace, 8))
      .Set("partial", PartialCall(rule, phase, "i", kPlace, "FirstLanes{stop - i}", 8))
      .Set("push", ForReductions(rule, phase, ".Push();"));
  return RenderTemplate("cpu/reducing_sweep.tmpl.loop.inc", values);
}

std::string RowPlainSweep(const PlanText &rule, const PhaseText &phase) {
  const WholeLanes whole = WholeLanesOf(rule, phase.phase->stores_non_temporal, "lanes");
  Values values;
  values.Set("written", WrittenOperand(rule, phase))
      .Set("whole", whole.local)
      .Set("ahead", PrefetchLines(rule, phase, "N"))
      .Set("full",
           PhaseCallText(rule, phase, {"N", "s", "i", "", kPlace, whole.lanes, 8, "", true}))
      .Set("partial", PhaseCallText(rule, phase,
                                    {"N", "s", "i", "", kPlace, "FirstLanes{lanes}", 8, "", true}));
  return RenderTemplate("cpu/sweep.tmpl.loop.inc", values);
}

std::string RowPhaseBody(const PlanText &rule, const PhaseText &phase) {
  const std::string gathers = GatherLoads(rule, phase);
  if (!phase.phase->is_sweep) {
    return gathers + PhaseCallText(rule, phase, {"N", "s", "", ".Finish()", "{y, 0}", "", 4}) +
           "\n";
  }
  const std::string divisors = DivisorLocals(rule, phase);
  return gathers + divisors + (divisors.empty() ? "" : "\n") +
         (phase.reductions.empty() ? RowPlainSweep(rule, phase) : RowReducingSweep(rule, phase));
}

}  // namespace

Values LoopValues(const PlanText &rule, const std::string &lane_types, const std::string &unit,
                  std::string (*body)(const PlanText &, const PhaseText &)) {
  Values::List blocks;
  std::vector<std::string> phases;
  for (const PhaseText &phase : PhasesOf(rule)) {
    if (phase.phase->is_sweep && !phase.reductions.empty()) {
      blocks.push_back(Values().Set("text", BlockText(rule, phase)));
    }
    phases.push_back(body(rule, phase));
  }
  Values values;
  values.Set("rule", rule.rule())
      .Set("blocks", blocks)
      .Set("function", rule.Function("Loop"))
      .Set("plan_type", rule.PlanType())
      .Set("scalars", rule.steps_use_scalars() ? ScalarsCopy(rule) : "")
      .Set("lane_types", lane_types)
      .Set("locals", RowLocals(rule, unit))
      .Set("phases", Join(phases, ""))
      .Set("stores", RowStores(rule, unit))
      .Set("end_streams", FinishStreams(rule.plan().schedule.non_temporal >= 0));
  return values;
}

std::string RowLoopText(const PlanText &rule, const std::string &lane_types) {
  Values values = LoopValues(rule, lane_types, "y", RowPhaseBody);
  values.Set("loop_template", TemplateLine(Append(rule.VariantParams(), rule.TypenameParams())));
  return RenderTemplate("cpu/rows.tmpl.loop.inc", values);
}

}  // namespace mgen
