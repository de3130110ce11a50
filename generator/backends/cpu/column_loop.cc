// SPDX-License-Identifier: Apache-2.0
// batch_norm.loop.inc: the loops of a rule that reduces columns, one for each phase.
#include <algorithm>

#include "backends/common/row_text.h"
#include "backends/common/step_text.h"
#include "backends/common/streamed.h"
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

/// The values that a sweep reads: of every column, or of everything.
std::string SweepValues(const PlanText &rule, const PhaseText &phase) {
  std::vector<std::string> lines;
  for (const Phase::Use &use : phase.phase->values) {
    const Operand &operand = rule.plan().operands[use.index];
    const std::string &name = rule.operand_name(use.index);
    if (operand.map == IndexMap::kOne) {
      lines.push_back("const auto " + name + " = Broadcast<N>(*plan." + name + ".row(0));");
    } else if (operand.map == IndexMap::kRow) {
      lines.push_back("const ColumnValues<" + rule.TypeName(operand.type) + ", N> " + name + "(" +
                      Vector(rule, use.index) + ");");
    }
  }
  return Join(lines, "\n");
}

/// The values of a packet of columns that what is done once reads or gives.
std::string PacketValues(const PlanText &rule, const PhaseText &phase) {
  std::vector<std::string> lines;
  for (const Phase::Use &use : phase.phase->values) {
    const Operand &operand = rule.plan().operands[use.index];
    const std::string &name = rule.operand_name(use.index);
    const std::string access = use.store.never() ? "const auto " : "auto ";
    if (!use.load) {
      lines.push_back(rule.PacketType(operand.type) + " " + name + ";");
    } else if (operand.map == IndexMap::kOne) {
      lines.push_back(access + name + " = Broadcast<N>(*plan." + name + ".row(0));");
    } else {
      lines.push_back(access + name + " = Load<N>(" + Vector(rule, use.index) + " + x, lanes);");
    }
  }
  for (int i : phase.reductions) {
    const std::string &name = rule.reduction_name(i);
    lines.push_back(
        RenderList("const auto " + name + " = CombineParts<" + ReductionArgs(rule, i) + ", N>(",
                   {"plan.kept." + name + " + x", "plan.cols", "plan.parts.count", "lanes"}, ");",
                   kLineWidth - 2));
  }
  return Join(lines, "\n");
}

std::string PacketStores(const PlanText &rule, const PhaseText &phase) {
  std::vector<std::string> lines;
  for (const Phase::Use &use : phase.phase->values) {
    const bool is_temporary = rule.plan().operands[use.index].is_temporary;
    if (use.store.never() || (is_temporary && !rule.plan().IsKept(use.index))) continue;
    lines.push_back(GuardedLine(rule, use.store,
                                "Store(" + Vector(rule, use.index) + " + x, " +
                                    rule.operand_name(use.index) + ", lanes);"));
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

/// The results of a part, a vector for each reduction.
std::string FinishParts(const PlanText &rule, const PhaseText &phase) {
  std::vector<std::string> lines;
  for (int i : phase.reductions) {
    const std::string &name = rule.reduction_name(i);
    lines.push_back(name + ".FinishPart(plan.kept." + name + " + part * plan.cols, block);");
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
                          ".at(" + x + ", " + lanes + ")"});
  };
  const bool streams = StoresStreamed(rule.plan(), *phase.phase);
  const WholeLanes whole = WholeLanesOf(rule, streams, "block.begin()");
  values->Set("number", std::to_string(phase.number))
      .Set("locals", SweepValues(rule, phase))
      .Set("rows", SweepLocals(rule, phase, "y"))
      .Set("whole", whole.local)
      .Set("finish", FinishStreams(streams))
      .Set("full", step(whole.lanes, "x", "y"))
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
      .Set("parts", FinishParts(rule, phase));
  return RenderTemplate("cpu/column_reducing_sweep.tmpl.loop.inc", *values);
}

/// What is done once for each column: a function for a packet of them, and the loop.
std::string Once(const PlanText &rule, const PhaseText &phase, Values *values) {
  const std::string function = rule.Function("Column" + std::to_string(phase.number) + "At");
  std::vector<std::string> template_params = rule.ConditionParams();
  template_params.push_back("int N");
  for (const std::string &type : rule.TypenameParams()) template_params.push_back(type);
  template_params.push_back("typename Lanes");
  std::vector<std::string> params = {"const " + rule.PlanType() + " &plan"};
  if (phase.uses_scalars) params.push_back("const " + rule.ScalarsType() + " &s");
  params.insert(params.end(), {"index_t x", "Lanes lanes"});
  const std::string call = function + TemplateArgs(VariantArgs(rule, {"N"})) +
                           (phase.uses_scalars ? "(plan, s, x, " : "(plan, x, ");
  values->Set("when", phase.when)
      .Set("packet_template", TemplateLine(template_params))
      .Set("packet_signature", RenderList("MSHADOW_MAP void " + function + "(", params, ") {"))
      .Set("values", PacketValues(rule, phase))
      .Set("map_call",
           PhaseCallText(rule, phase, {"N", "s", "", "", "LanesAt({0, x}, lanes)", "", 2}))
      .Set("stores", PacketStores(rule, phase))
      .Set("full", call + "AllLanes());")
      .Set("partial", call + "FirstLanes{stop - x});");
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
      .Set("lane_types", lane_types);
  return phase.phase->is_sweep ? Sweep(rule, phase, &values) : Once(rule, phase, &values);
}

}  // namespace

std::string ColumnLoopsText(const PlanText &rule, const std::string &lane_types) {
  std::vector<std::string> loops;
  for (const PhaseText &phase : PhasesOf(rule)) loops.push_back(LoopOf(rule, phase, lane_types));
  return Join(loops, "\n");
}

}  // namespace mgen
