// SPDX-License-Identifier: Apache-2.0
// batch_norm.loop.inc: the loops of a rule that reduces columns, one for each phase.
#include <algorithm>
#include <set>

#include "backends/common/call_text.h"
#include "backends/common/phases_text.h"
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
  return Join(lines, "\n");
}

std::string ResultsType(const PlanText &rule, int reduction) {
  return "const ColumnResults<" + ReductionArgs(rule, reduction) + ", N> ";
}

/// The results of the reductions that what is done once reads, of all parts.
std::string ResultsOfParts(const PlanText &rule, const PhaseText &phase) {
  std::vector<std::string> lines;
  for (int i : phase.reductions) {
    const std::string &name = rule.reduction_name(i);
    lines.push_back(RenderList(ResultsType(rule, i) + name + "(",
                               {"plan.kept." + name, "plan.cols", "plan.parts.count"}, ");",
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

/// The call that does once what it does with columns [begin, end). `result` follows a reduction's
/// name.
std::string RangeCall(const PlanText &rule, const PhaseText &once, const std::string &result,
                      const std::string &begin, const std::string &end, int indent) {
  std::vector<std::string> args = {"plan"};
  if (once.uses_scalars) args.emplace_back("s");
  for (int i : once.reductions) args.push_back(rule.reduction_name(i) + result);
  args.insert(args.end(), {begin, end});
  return RenderList(rule.Function("Columns" + std::to_string(once.number)) +
                        TemplateArgs(ConditionArgs(rule, {"N"})) + "(",
                    args, ");", kLineWidth - indent);
}

/// \param once what is done with the results where there is one part only, or null
std::string Sweep(const PlanText &rule, const PhaseText &phase, const PhaseText *once,
                  Values *values) {
  const int indent = phase.reductions.empty() ? 10 : 12;
  const auto step = [&](const std::string &lanes, const std::string &x, const std::string &y) {
    return PhaseCallText(rule, phase,
                         {"N", "s", x, ".part(" + x + ")", "{" + y + ", " + x + "}", lanes, indent,
                          ".at(" + x + ", " + lanes + ")"});
  };
  const bool streams = phase.phase->stores_non_temporal;
  const WholeLanes whole = WholeLanesOf(rule, streams, "block.begin()");
  values->Set("number", std::to_string(phase.number))
      .Set("locals", SweepValues(rule, phase))
      .Set("rows", SweepLocals(rule, phase, "y"))
      .Set("whole", whole.local)
      .Set("end_streams", FinishStreams(streams))
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
      .Set("may_finish", once != nullptr)
      .Set("keeps_parts", once == nullptr)
      .Set("finish", once == nullptr
                         ? ""
                         : RangeCall(rule, *once, ".Finish()", "block.begin()", "block.end()", 8))
      .Set("parts", FinishParts(rule, phase));
  return RenderTemplate("cpu/column_reducing_sweep.tmpl.loop.inc", *values);
}

/// What is done once for each column: a function for a packet of them, one for many, and the loop.
std::string Once(const PlanText &rule, const PhaseText &phase, Values *values) {
  const std::string number = std::to_string(phase.number);
  const std::string function = rule.Function("Column" + number + "At");
  std::vector<std::string> range_template = rule.ConditionParams();
  range_template.push_back("int N");
  for (const std::string &type : rule.TypenameParams()) range_template.push_back(type);
  std::vector<std::string> packet_template = range_template;
  packet_template.push_back("typename Lanes");
  std::vector<std::string> params = {"const " + rule.PlanType() + " &plan"}, args = {"plan"};
  if (phase.uses_scalars) {
    params.push_back("const " + rule.ScalarsType() + " &s");
    args.emplace_back("s");
  }
  for (int i : phase.reductions) {
    params.push_back(ResultsType(rule, i) + "&" + rule.reduction_name(i));
    args.push_back(rule.reduction_name(i));
  }
  const auto packet = [&](const std::string &lanes) {
    return RenderList(function + TemplateArgs(ConditionArgs(rule, {"N"})) + "(",
                      Append(args, {"x", lanes}), ");", kLineWidth - 4);
  };
  values->Set("when", phase.when)
      .Set("packet_template", TemplateLine(packet_template))
      .Set("packet_signature", RenderList("MSHADOW_MAP void " + function + "(",
                                          Append(params, {"index_t x", "Lanes lanes"}), ") {"))
      .Set("values", PacketValues(rule, phase))
      .Set("map_call",
           PhaseCallText(rule, phase,
                         {"N", "s", "", ".at(x, lanes)", "LanesAt({0, x}, lanes)", "", 2}))
      .Set("stores", PacketStores(rule, phase))
      .Set("range_template", TemplateLine(range_template))
      .Set("range_signature",
           RenderList("MSHADOW_MAP void " + rule.Function("Columns" + number) + "(",
                      Append(params, {"index_t begin", "index_t end"}), ") {"))
      .Set("full", packet("AllLanes()"))
      .Set("partial", packet("FirstLanes{end - x}"))
      .Set("results", ResultsOfParts(rule, phase))
      .Set("range_call", RangeCall(rule, phase, "", "begin * mshadow::kRowLanes",
                                   "ColumnEnd(end, plan.cols)", 2));
  return RenderTemplate("cpu/column.tmpl.loop.inc", *values);
}

/// \param once of a sweep what it does itself where there is one part only, or null
std::string LoopOf(const PlanText &rule, const PhaseText &phase, const PhaseText *once,
                   const std::string &lane_types) {
  std::vector<std::string> params = rule.ConditionParams();
  for (const std::string &type : rule.TypenameParams()) params.push_back(type);
  const bool uses_scalars = phase.uses_scalars || (once != nullptr && once->uses_scalars);
  Values values;
  values.Set("rule", rule.rule())
      .Set("loop_template", TemplateLine(params))
      .Set("function", LoopName(rule, phase))
      .Set("plan_type", rule.PlanType())
      .Set("scalars", uses_scalars ? ScalarsCopy(rule) : "")
      .Set("lane_types", lane_types);
  return phase.phase->is_sweep ? Sweep(rule, phase, once, &values) : Once(rule, phase, &values);
}

/// The reductions of a phase, by number.
std::set<int> ReductionsIn(const PhaseText &phase) {
  return {phase.reductions.begin(), phase.reductions.end()};
}

}  // namespace

bool FollowsAtOnce(const PlanText &rule, size_t once) {
  const std::vector<PhaseText> phases = PhasesOf(rule);
  if (once == 0 || phases[once].phase->is_sweep || !phases[once - 1].phase->is_sweep) return false;
  const std::set<int> reductions = ReductionsIn(phases[once - 1]);
  if (reductions.empty() || reductions != ReductionsIn(phases[once])) return false;
  return std::none_of(
      phases.begin() + static_cast<long>(once) + 1, phases.end(), [&](const PhaseText &later) {
        const std::vector<int> &all = later.reductions;
        return std::any_of(all.begin(), all.end(), [&](int i) { return reductions.count(i) > 0; });
      });
}

std::string ColumnLoopsText(const PlanText &rule, const std::string &lane_types) {
  const std::vector<PhaseText> phases = PhasesOf(rule);
  std::vector<std::string> loops;
  for (size_t i = 0; i < phases.size(); ++i) {
    if (i + 1 < phases.size() && FollowsAtOnce(rule, i + 1)) {
      loops.push_back(LoopOf(rule, phases[i + 1], nullptr, lane_types));
      loops.push_back(LoopOf(rule, phases[i], &phases[i + 1], lane_types));
      ++i;
    } else {
      loops.push_back(LoopOf(rule, phases[i], nullptr, lane_types));
    }
  }
  return Join(loops, "\n");
}

}  // namespace mgen
