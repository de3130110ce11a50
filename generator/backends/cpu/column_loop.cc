// SPDX-License-Identifier: Apache-2.0
// batch_norm.loop.inc: the loop of a rule that reduces columns.
#include "backends/common/row_text.h"
#include "backends/common/step_text.h"
#include "backends/cpu/pieces.h"
#include "emit/names.h"
#include "emit/template.h"

namespace mgen {
namespace {

std::string ReductionsOf(const PlanText &rule, const PhaseText &phase) {
  std::vector<std::string> lines;
  for (int i : phase.reductions) {
    lines.push_back("ColumnReduction<" + ReductionArgs(rule, i) + ", N> " +
                    rule.reduction_name(i) + "(block);");
  }
  return Join(lines, "\n");
}

/// The values of a block of columns: those that a tensor holds are read.
std::string BlockLocals(const PlanText &rule) {
  const Plan &plan = rule.plan();
  std::vector<std::string> lines;
  for (size_t i = 0; i < plan.operands.size(); ++i) {
    const Operand &operand = plan.operands[i];
    const std::string &name = rule.operand_name(i);
    const std::string vector = "plan." + name + ".row(0)";
    if (operand.map == IndexMap::kOne) {
      lines.push_back("const auto " + name + " = Broadcast<N>(*" + vector + ");");
    } else if (operand.map == IndexMap::kRow) {
      const std::string access = rule.IsWritten(i) ? "" : "const ";
      lines.push_back(access + "ColumnValues<" + rule.TypeName(operand.type) + ", N> " + name +
                      "(block" + (operand.load ? ", " + vector : "") + ");");
    }
  }
  return Join(lines, "\n");
}

std::string BlockStores(const PlanText &rule) {
  std::vector<std::string> lines;
  for (int i : rule.Tensors()) {
    const Operand &operand = rule.plan().operands[i];
    if (operand.map != IndexMap::kRow || operand.store.never()) continue;
    const std::string &name = rule.operand_name(i);
    lines.push_back(GuardedLine(rule, operand.store,
                                name + ".StoreTo(plan." + name + ".row(0), block);"));
  }
  return Join(lines, "\n");
}

std::string Sweep(const PlanText &rule, const PhaseText &phase) {
  const auto step = [&](const std::string &lanes) {
    return PhaseCallText(rule, phase,
                         {"N", "s", "x", ".part(x)", "{y, x}", lanes, 10, ".at(x)"});
  };
  const bool reduces = !phase.reductions.empty();
  Values values;
  values.Set("reduces", reduces)
      .Set("plain", !reduces)
      .Set("reductions", ReductionsOf(rule, phase))
      .Set("begin", ForReductions(rule, phase, ".Begin();"))
      .Set("rows", SweepLocals(rule, phase, "y"))
      .Set("full", step("AllLanes()"))
      .Set("partial", step("FirstLanes{block.end() - x}"))
      .Set("push", ForReductions(rule, phase, ".Push();"));
  return RenderTemplate("cpu/column_sweep.tmpl.loop.inc", values);
}

std::string PhaseBody(const PlanText &rule, const PhaseText &phase) {
  if (phase.phase->is_sweep) return Sweep(rule, phase);
  Values values;
  values.Set("call", PhaseCallText(rule, phase,
                                   {"N", "s", "", ".Finish(x)", "LanesAt({0, x}, AllLanes())", "",
                                    6, ".at(x)"}));
  return RenderTemplate("cpu/column.tmpl.loop.inc", values);
}

}  // namespace

std::string ColumnLoopText(const PlanText &rule, const std::string &lane_types) {
  std::vector<std::string> params = rule.ConditionParams();
  for (const std::string &type : rule.TypenameParams()) params.push_back(type);
  std::vector<std::string> phases;
  for (const PhaseText &phase : PhasesOf(rule)) phases.push_back(PhaseBody(rule, phase));
  Values values;
  values.Set("rule", rule.rule())
      .Set("loop_template", TemplateLine(params))
      .Set("function", rule.Function("Loop"))
      .Set("plan_type", rule.PlanType())
      .Set("scalars", rule.plan().scalars.empty() ? "" : ScalarsCopy(rule))
      .Set("lane_types", lane_types)
      .Set("locals", BlockLocals(rule))
      .Set("phases", Join(phases, ""))
      .Set("stores", BlockStores(rule));
  return RenderTemplate("cpu/columns.tmpl.loop.inc", values);
}

}  // namespace mgen
