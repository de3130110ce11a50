// SPDX-License-Identifier: Apache-2.0
// lamb.loop.inc: the blocks of kRowLanes elements of a sweep that reduces channels or everything.
#include <algorithm>

#include "backends/common/call_text.h"
#include "backends/common/phases_text.h"
#include "backends/common/view_text.h"
#include "backends/cpu/pieces.h"
#include "emit/names.h"
#include "emit/template.h"

namespace mgen {
namespace {

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
  std::vector<std::string> params = rule.ConditionParams();
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
                       {"N, 0", "s", index, "", at, BlockLanes(rule, phase), indent});
}

std::string PartialCall(const PlanText &rule, const PhaseText &phase, const std::string &index,
                        const std::string &at, const std::string &lanes, int indent) {
  return PhaseCallText(rule, WithBlocks(rule, phase, "Partial"),
                       {"N", "s", index, "", at, lanes, indent});
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
  const auto written = std::find_if(uses.begin(), uses.end(),
                                    [&](const Phase::Use &use) { return !use.store.never(); });
  return rule.operand_name(written->index);
}

}  // namespace mgen
