// SPDX-License-Identifier: Apache-2.0
// adamw.loop.inc: the loop of a rule that reduces rows.
#include <algorithm>

#include "backends/common/row_text.h"
#include "backends/common/step_text.h"
#include "backends/cpu/pieces.h"
#include "emit/names.h"
#include "emit/template.h"

namespace mgen {
namespace {

constexpr char kPlace[] = "{y, i}";

std::string BlockName(const PlanText &rule, const PhaseText &phase) {
  return rule.Function("Block" + std::to_string(phase.number));
}

/// The parameters of a block: those of the step, but with whole reductions.
std::string BlockSignature(const PlanText &rule, const PhaseText &phase) {
  const Plan &plan = rule.plan();
  std::vector<std::string> params;
  if (phase.uses_scalars) params.push_back("const " + rule.ScalarsType() + " &s");
  for (const Phase::Use &use : phase.phase->operands) {
    params.push_back((rule.IsWritten(use.index) ? "" : "const ") +
                     rule.TypeName(plan.operands[use.index].type) + " *" +
                     rule.operand_name(use.index));
  }
  for (int i : phase.values) {
    params.push_back("const " + rule.PacketType(plan.operands[i].type) + " &" +
                     rule.operand_name(i));
  }
  for (int i : phase.reductions) {
    params.push_back(ReductionType(rule, i) + ", N> &" + rule.reduction_name(i));
  }
  if (phase.uses_place) params.push_back("const mshadow::packet::Place &at");
  params.push_back("Lanes lanes");
  return RenderList("MSHADOW_MAP void " + BlockName(rule, phase) + "(", params, ") {");
}

}  // namespace

std::string BlockCall(const PlanText &rule, const PhaseText &phase, const std::string &from,
                      const std::string &index, const std::string &at, const std::string &lanes,
                      int indent) {
  PhaseText block = phase;
  block.function = BlockName(rule, phase);
  return PhaseCallText(rule, block, {"N, " + from, "s", index, "", at, lanes, indent});
}

std::string BlockText(const PlanText &rule, const PhaseText &phase) {
  std::vector<std::string> params = rule.ConditionParams();
  params.insert(params.end(), {"int N", "int P"});
  for (const std::string &type : rule.TypenameParams()) params.push_back(type);
  params.push_back("typename Lanes");
  Values values;
  values.Set("number", std::to_string(phase.number))
      .Set("template", TemplateLine(params))
      .Set("signature", BlockSignature(rule, phase))
      .Set("step", PhaseCallText(rule, phase,
                                 {"N", "s", "P", ".template part<P>()", "at + P",
                                  "LanesFrom<P, N>(lanes)", 2}))
      .Set("rest", BlockCall(rule, phase, "P + N", "", "at", "lanes", 4));
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
  const auto &uses = phase.phase->operands;
  const auto written = std::find_if(uses.begin(), uses.end(),
                                    [](const Phase::Use &use) { return !use.store.never(); });
  return rule.operand_name(written->index);
}

namespace {

std::string ReducingSweep(const PlanText &rule, const PhaseText &phase) {
  Values values;
  values.Set("reductions", ReductionLocals(rule, phase))
      .Set("begin", ForReductions(rule, phase, ".Begin();"))
      .Set("full", BlockCall(rule, phase, "0", "i", kPlace, "AllLanes()", 8))
      .Set("partial", BlockCall(rule, phase, "0", "i", kPlace, "FirstLanes{stop - i}", 8))
      .Set("push", ForReductions(rule, phase, ".Push();"));
  return RenderTemplate("cpu/reducing_sweep.tmpl.loop.inc", values);
}

std::string PlainSweep(const PlanText &rule, const PhaseText &phase) {
  Values values;
  values.Set("written", WrittenOperand(rule, phase))
      .Set("full", PhaseCallText(rule, phase, {"N", "s", "i", "", kPlace, "AllLanes()", 8}))
      .Set("partial",
           PhaseCallText(rule, phase, {"N", "s", "i", "", kPlace, "FirstLanes{lanes}", 8}));
  return RenderTemplate("cpu/sweep.tmpl.loop.inc", values);
}

std::string PhaseBody(const PlanText &rule, const PhaseText &phase) {
  const std::string gathers = GatherLoads(rule, phase);
  if (!phase.phase->is_sweep) {
    return gathers + PhaseCallText(rule, phase, {"N", "s", "", ".Finish()", "{y, 0}", "", 4}) +
           "\n";
  }
  return gathers +
         (phase.reductions.empty() ? PlainSweep(rule, phase) : ReducingSweep(rule, phase));
}

}  // namespace

std::string RowLoopText(const PlanText &rule, const std::string &lane_types) {
  std::vector<std::string> params = rule.ConditionParams();
  for (const std::string &type : rule.TypenameParams()) params.push_back(type);
  Values::List blocks;
  std::vector<std::string> phases;
  for (const PhaseText &phase : PhasesOf(rule)) {
    if (phase.phase->is_sweep && !phase.reductions.empty()) {
      blocks.push_back(Values().Set("text", BlockText(rule, phase)));
    }
    phases.push_back(PhaseBody(rule, phase));
  }
  Values values;
  values.Set("rule", rule.rule())
      .Set("blocks", blocks)
      .Set("loop_template", TemplateLine(params))
      .Set("function", rule.Function("Loop"))
      .Set("plan_type", rule.PlanType())
      .Set("scalars", rule.plan().scalars.empty() ? "" : ScalarsCopy(rule))
      .Set("lane_types", lane_types)
      .Set("locals", RowLocals(rule, "y"))
      .Set("phases", Join(phases, ""))
      .Set("stores", RowStores(rule, "y"));
  return RenderTemplate("cpu/rows.tmpl.loop.inc", values);
}

}  // namespace mgen
