// SPDX-License-Identifier: Apache-2.0
// batch_norm.loop.inc: the loops of a rule that reduces columns, one for each phase.
#include <algorithm>

#include "backends/common/row_text.h"
#include "backends/common/step_text.h"
#include "backends/cpu/pieces.h"
#include "emit/names.h"
#include "emit/template.h"

namespace mgen {
namespace {

std::string LoopName(const PlanText &rule, const PhaseText &phase) {
  const std::string kind = phase.phase->is_sweep ? "Sweep" : "Column";
  return rule.Function(kind + std::to_string(phase.number) + "Loop");
}

/// Where the values of columns are between phases.
std::string Vector(const PlanText &rule, int operand) {
  const std::string &name = rule.operand_name(operand);
  return rule.plan().operands[operand].is_temporary ? "plan.kept." + name
                                                    : "plan." + name + ".row(0)";
}

/// The values that a phase reads or gives: of a block of columns, or of everything.
std::string BlockLocals(const PlanText &rule, const PhaseText &phase) {
  std::vector<std::string> lines;
  for (const Phase::Use &use : phase.phase->values) {
    const Operand &operand = rule.plan().operands[use.index];
    const std::string &name = rule.operand_name(use.index);
    if (operand.map == IndexMap::kOne) {
      lines.push_back("const auto " + name + " = Broadcast<N>(*plan." + name + ".row(0));");
    } else if (operand.map == IndexMap::kRow) {
      const std::string access = use.store.never() ? "const " : "";
      lines.push_back(access + "ColumnValues<" + rule.TypeName(operand.type) + ", N> " + name +
                      "(block" + (use.load ? ", " + Vector(rule, use.index) : "") + ");");
    }
  }
  return Join(lines, "\n");
}

std::string BlockStores(const PlanText &rule, const PhaseText &phase) {
  std::vector<std::string> lines;
  for (const Phase::Use &use : phase.phase->values) {
    const bool is_temporary = rule.plan().operands[use.index].is_temporary;
    if (use.store.never() || (is_temporary && !rule.plan().IsKept(use.index))) continue;
    lines.push_back(GuardedLine(
        rule, use.store,
        rule.operand_name(use.index) + ".StoreTo(" + Vector(rule, use.index) + ", block);"));
  }
  return Join(lines, "\n");
}

std::string ReductionsOf(const PlanText &rule, const PhaseText &phase) {
  std::vector<std::string> lines;
  for (int i : phase.reductions) {
    lines.push_back("ColumnReduction<" + ReductionArgs(rule, i) + ", N> " + rule.reduction_name(i) +
                    "(block);");
  }
  return Join(lines, "\n");
}

/// A call for each reduction, with the vector of a part's results.
std::string ForParts(const PlanText &rule, const PhaseText &phase, const std::string &call) {
  std::vector<std::string> lines;
  for (int i : phase.reductions) {
    const std::string &name = rule.reduction_name(i);
    lines.push_back(name + "." + call + "(plan.kept." + name + " + part * plan.cols, block);");
  }
  return Join(lines, "\n");
}

/// Whether a sweep takes four rows of a packet at a time, and not all packets of a row. What a row
/// has to itself, a value or a window of a view, would be made anew for each packet; and to write
/// four rows in turn takes up to twice as long as to write one.
bool GoesByFours(const PlanText &rule, const PhaseText &phase) {
  const std::vector<Operand> &operands = rule.plan().operands;
  return std::none_of(phase.values.begin(), phase.values.end(),
                      [&](int i) { return operands[i].map == IndexMap::kColumn; }) &&
         std::none_of(phase.phase->operands.begin(), phase.phase->operands.end(),
                      [&](const Phase::Use &use) {
                        return rule.plan().ViewOf(use.index) || !use.store.never();
                      });
}

std::string Sweep(const PlanText &rule, const PhaseText &phase, Values *values) {
  const int indent = phase.reductions.empty() ? 10 : 12;
  const auto step = [&](const std::string &lanes, const std::string &x, const std::string &y) {
    return PhaseCallText(rule, phase,
                         {"N", "s", x, ".part(" + x + ")", "{" + y + ", " + x + "}", lanes, indent,
                          ".at(" + x + ")"});
  };
  values->Set("number", std::to_string(phase.number))
      .Set("rows", SweepLocals(rule, phase, "y"))
      .Set("full", step("AllLanes()", "x", "y"))
      .Set("partial", step("FirstLanes{block.end() - x}", "x", "y"));
  if (phase.reductions.empty()) return RenderTemplate("cpu/column_sweep.tmpl.loop.inc", *values);
  const bool by_fours = GoesByFours(rule, phase);
  values->Set("by_fours", by_fours)
      .Set("by_rows", !by_fours)
      .Set("rows_of_four", SweepLocals(rule, phase, "y + i"))
      .Set("full_of_four", step("AllLanes()", "x", "y + i"))
      .Set("partial_tail", step("FirstLanes{block.end() - tail}", "tail", "y"))
      .Set("reductions", ReductionsOf(rule, phase))
      .Set("begin", ForReductions(rule, phase, ".Begin();"))
      .Set("push", ForReductions(rule, phase, ".Push();"))
      .Set("parts", ForParts(rule, phase, "FinishPart"));
  return RenderTemplate("cpu/column_reducing_sweep.tmpl.loop.inc", *values);
}

std::string Once(const PlanText &rule, const PhaseText &phase, Values *values) {
  values->Set("when", phase.when)
      .Set("reductions", ReductionsOf(rule, phase))
      .Set("reduces", !phase.reductions.empty())
      .Set("parts", ForParts(rule, phase, "PushPart"))
      .Set("call", PhaseCallText(rule, phase,
                                 {"N", "s", "", ".Finish(x)", "LanesAt({0, x}, AllLanes())", "", 6,
                                  ".at(x)"}))
      .Set("stores", BlockStores(rule, phase));
  return RenderTemplate("cpu/column.tmpl.loop.inc", *values);
}

std::string LoopOf(const PlanText &rule, const PhaseText &phase, const std::string &lane_types) {
  std::vector<std::string> params = rule.ConditionParams();
  for (const std::string &type : rule.TypenameParams()) params.push_back(type);
  Values values;
  values.Set("rule", rule.rule())
      .Set("loop_template", TemplateLine(params))
      .Set("function", LoopName(rule, phase))
      .Set("plan_type", rule.PlanType())
      .Set("scalars", phase.uses_scalars ? ScalarsCopy(rule) : "")
      .Set("lane_types", lane_types)
      .Set("locals", BlockLocals(rule, phase));
  return phase.phase->is_sweep ? Sweep(rule, phase, &values) : Once(rule, phase, &values);
}

}  // namespace

std::string ColumnLoopsText(const PlanText &rule, const std::string &lane_types) {
  std::vector<std::string> loops;
  for (const PhaseText &phase : PhasesOf(rule)) loops.push_back(LoopOf(rule, phase, lane_types));
  return Join(loops, "\n");
}

}  // namespace mgen
