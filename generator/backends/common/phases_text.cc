// SPDX-License-Identifier: Apache-2.0
#include "backends/common/phases_text.h"

#include "backends/common/body_text.h"
#include "backends/common/call_text.h"
#include "backends/common/reducer_text.h"
#include "backends/common/view_text.h"
#include "emit/names.h"
#include "emit/template.h"
#include "ir/walk.h"

namespace mgen {

std::string GuardedLine(const PlanText &rule, const Guard &guard, const std::string &line) {
  if (guard.always()) return line;
  return "if constexpr (" + rule.GuardText(guard) + ") {\n  " + line + "\n}";
}

std::vector<int> OperandsOf(const PhaseText &phase) {
  std::vector<int> operands;
  for (const Phase::Use &use : phase.phase->operands) operands.push_back(use.index);
  return operands;
}

std::string ElementsParam(const PlanText &rule, int operand) {
  if (rule.plan().ViewOf(operand)) return ViewParam(rule, operand);
  return (rule.IsWritten(operand) ? "" : "const ") +
         rule.TypeName(rule.plan().operands[operand].type) + " *" + rule.operand_name(operand);
}

namespace {

/// What a phase between sweeps is called by.
std::string OnceNoun(const Plan &plan) { return plan.by_channel() ? "Channel" : "Column"; }

PhaseText PhaseTextOf(const PlanText &rule, const Phase &phase, int number, int sweeps) {
  const Plan &plan = rule.plan();
  PhaseText text{};
  text.phase = &phase;
  text.number = number;
  text.when = sweeps == 0 ? "before its sweeps" : "after sweep " + std::to_string(sweeps);
  std::set<int> values, reductions;
  ForEachStep(phase.steps, [&](const Step &step) {
    ForEachNode(step.value, [&](const Expr &node) {
      if (node->op == Op::kReduced) reductions.insert(node->index);
      text.uses_scalars = text.uses_scalars || node->op == Op::kHoisted;
      text.uses_place = text.uses_place || node->op == Op::kIndex || node->op == Op::kAtColumn;
      const bool is_number = node->op == Op::kIndex && node->dim < 0 && IsByNumber(plan.frame);
      text.uses_number = text.uses_number || is_number;
      const bool is_value = node->op == Op::kRead && plan.IsValue(node->map);
      if (is_value) values.insert(plan.FindOperand(*node));
    });
    if (phase.is_sweep || step.kind != Step::kAssign) return;
    values.insert(step.operand);
    text.given.insert(step.operand);
  });
  for (const Phase::Use &use : phase.reductions) reductions.insert(use.index);
  text.values.assign(values.begin(), values.end());
  text.reductions.assign(reductions.begin(), reductions.end());
  if (rule.divides_exactly()) text.divisors = phase.divisors;
  const std::string kind = phase.is_sweep ? "Step" : OnceNoun(plan);
  text.function = rule.Function(kind + std::to_string(number));
  return text;
}

/// The parameters that every function of a phase begins with.
std::vector<std::string> FirstParams(const PlanText &rule, const PhaseText &phase) {
  if (!phase.uses_scalars) return {};
  return {"const " + rule.ScalarsType() + " &s"};
}

std::string Register(const PlanText &rule, const std::string &access, Type type,
                     const std::string &name) {
  return access + rule.PacketType(type) + " &" + name;
}

std::vector<std::string> ReductionParams(const PlanText &rule, const PhaseText &phase) {
  const std::string access = phase.phase->is_sweep ? "" : "const ";
  std::vector<std::string> params;
  for (int i : phase.reductions) {
    params.push_back(
        Register(rule, access, rule.plan().reductions[i].type, rule.reduction_name(i)));
  }
  return params;
}

std::string MapSignature(const PlanText &rule, const PhaseText &phase) {
  std::vector<std::string> params = FirstParams(rule, phase);
  for (const Phase::Use &use : phase.phase->operands) {
    const std::string access = use.store.never() ? "const " : "";
    params.push_back(
        Register(rule, access, rule.plan().operands[use.index].type, rule.operand_name(use.index)));
  }
  params = Append(Append(params, ValueParams(rule, phase)), ReductionParams(rule, phase));
  if (phase.uses_place) params.push_back("const Places &at");
  const std::string name = rule.Function("Map" + std::to_string(phase.number));
  return RenderList("MSHADOW_MAP void " + name + "(", params, ") {");
}

std::string StepSignature(const PlanText &rule, const PhaseText &phase) {
  std::vector<std::string> params = FirstParams(rule, phase);
  for (const Phase::Use &use : phase.phase->operands) {
    params.push_back(ElementsParam(rule, use.index));
  }
  params = Append(Append(params, ValueParams(rule, phase)), ReductionParams(rule, phase));
  if (phase.uses_place) params.push_back("const mshadow::packet::Place &at");
  params.push_back("Lanes lanes");
  return RenderList("MSHADOW_MAP void " + phase.function + "(", params, ") {");
}

std::string Loads(const PlanText &rule, const PhaseText &phase) {
  std::vector<std::string> lines;
  for (const Phase::Use &use : phase.phase->operands) {
    const Operand &operand = rule.plan().operands[use.index];
    const std::string &name = rule.register_name(use.index);
    const std::string access = use.store.never() ? "const auto " : "auto ";
    if (rule.plan().ViewOf(use.index)) {
      lines.push_back(access + name + " = " + ViewLoad(rule, use.index) + ";");
      continue;
    }
    lines.push_back(use.load
                        ? access + name + " = Load<N>(" + rule.operand_name(use.index) + ", lanes);"
                        : rule.PacketType(operand.type) + " " + name + ";");
  }
  for (int i : phase.reductions) {
    lines.push_back(rule.PacketType(rule.plan().reductions[i].type) + " " + rule.term_name(i) +
                    ";");
  }
  return Join(lines, "\n");
}

std::string MapCall(const PlanText &rule, const PhaseText &phase) {
  std::vector<std::string> args;
  if (phase.uses_scalars) args.push_back("s");
  for (const Phase::Use &use : phase.phase->operands) args.push_back(rule.register_name(use.index));
  for (int i : phase.values) args.push_back(rule.operand_name(i));
  for (int i : phase.reductions) args.push_back(rule.term_name(i));
  if (phase.uses_place) args.push_back("LanesAt(at, lanes)");
  const std::string name = rule.Function("Map" + std::to_string(phase.number));
  return RenderList(name + TemplateArgs(ConditionArgs(rule, {"N"})) + "(", args, ");",
                    kLineWidth - 2);
}

std::string Stores(const PlanText &rule, const PhaseText &phase) {
  const int streamed = rule.plan().schedule.non_temporal;
  std::vector<std::string> lines;
  for (const Phase::Use &use : phase.phase->operands) {
    if (use.store.never()) continue;
    const std::string store = use.index == streamed ? "Stream(" : "Store(";
    lines.push_back(GuardedLine(
        rule, use.store,
        store + rule.operand_name(use.index) + ", " + rule.register_name(use.index) + ", lanes);"));
  }
  for (const Phase::Use &use : phase.phase->reductions) {
    const std::string reducer = TermReducerName(rule, rule.plan().reductions[use.index]);
    lines.push_back(GuardedLine(rule, use.store,
                                "Reduce<" + reducer + ">(" + rule.reduction_name(use.index) + ", " +
                                    rule.term_name(use.index) + ", lanes);"));
  }
  return Join(lines, "\n");
}

/// What a sweep goes over, and how.
std::string Extent(const Plan &plan) {
  return plan.by_channel() ? " over a channel: N elements of it"
                           : " over columns: N elements side by side";
}

std::string SweepText(const PlanText &rule, const PhaseText &phase) {
  const std::vector<std::string> types = rule.TypenameParams();
  const std::vector<std::string> params = Append(rule.ConditionParams(), {"int N"});
  const std::vector<std::string> deduced =
      Append({"typename Lanes"}, ViewTypenames(rule, OperandsOf(phase)));
  Values values;
  values.Set("rule", rule.rule())
      .Set("number", std::to_string(phase.number))
      .Set("what", Extent(rule.plan()))
      .Set("map_template", TemplateLine(Append(params, types)))
      .Set("map_signature", MapSignature(rule, phase))
      .Set("body", BodyText(rule, phase.phase->steps))
      .Set("step_template", TemplateLine(Append(Append(params, types), deduced)))
      .Set("step_signature", StepSignature(rule, phase))
      .Set("loads", Loads(rule, phase))
      .Set("map_call", MapCall(rule, phase))
      .Set("stores", Stores(rule, phase));
  return RenderTemplate("common/sweep.tmpl.map.inc", values);
}

std::string OnceText(const PlanText &rule, const PhaseText &phase) {
  const std::vector<std::string> variant = Append(rule.ConditionParams(), {"int N"});
  std::vector<std::string> params = Append(
      Append(FirstParams(rule, phase), ValueParams(rule, phase)), ReductionParams(rule, phase));
  const bool of_columns = rule.plan().reduces_columns();
  if (phase.uses_place) {
    params.push_back(of_columns ? "const Places &at" : "const mshadow::packet::Place &at");
  }
  Values values;
  values.Set("rule", rule.rule())
      .Set("for_what", of_columns ? "for N columns" : "for a channel")
      .Set("when", phase.when)
      .Set("template", TemplateLine(Append(variant, rule.TypenameParams())))
      .Set("signature", RenderList("MSHADOW_MAP void " + phase.function + "(", params, ") {"))
      .Set("body", BodyText(rule, phase.phase->steps));
  return RenderTemplate("common/once.tmpl.map.inc", values);
}

}  // namespace

std::vector<PhaseText> PhasesOf(const PlanText &rule) {
  std::vector<PhaseText> phases;
  int numbers[2] = {0, 0};
  for (const Phase &phase : rule.plan().phases) {
    ++numbers[phase.is_sweep];
    phases.push_back(PhaseTextOf(rule, phase, numbers[phase.is_sweep], numbers[true]));
  }
  return phases;
}

std::string PhasesText(const PlanText &rule) {
  std::vector<std::string> texts;
  for (const PhaseText &phase : PhasesOf(rule)) {
    texts.push_back(phase.phase->is_sweep ? SweepText(rule, phase) : OnceText(rule, phase));
  }
  return ReducersText(rule) + Join(texts, "\n");
}

std::vector<std::string> ValueParams(const PlanText &rule, const PhaseText &phase) {
  std::vector<std::string> params;
  for (int i : phase.values) {
    const std::string access = phase.given.count(i) != 0 ? "" : "const ";
    params.push_back(Register(rule, access, rule.plan().operands[i].type, rule.operand_name(i)));
  }
  return params;
}

std::string PhaseCallText(const PlanText &rule, const PhaseText &phase, const PhaseCall &call) {
  std::vector<std::string> args;
  if (phase.uses_scalars) args.push_back(call.scalars);
  for (const Phase::Use &use : phase.phase->operands) {
    args.push_back(rule.operand_name(use.index) + (call.index.empty() ? "" : " + " + call.index));
  }
  for (int i : phase.values) {
    const bool of_column = rule.plan().operands[i].map == IndexMap::kRow;
    args.push_back(rule.operand_name(i) + (of_column ? call.value : ""));
  }
  for (int i : phase.reductions) args.push_back(rule.reduction_name(i) + call.reduction);
  if (phase.uses_place) args.push_back(call.at);
  if (!call.which.empty()) args.push_back(call.which);
  return RenderList(phase.function + TemplateArgs(ConditionArgs(rule, {call.lanes})) + "(", args,
                    ");", kLineWidth - call.indent);
}

std::string ForReductions(const PlanText &rule, const PhaseText &phase, const std::string &call) {
  std::vector<std::string> lines;
  for (int i : phase.reductions) lines.push_back(rule.reduction_name(i) + call);
  return Join(lines, "\n");
}

std::string SweepLocals(const PlanText &rule, const PhaseText &phase, const std::string &y) {
  std::vector<std::string> lines;
  for (const Phase::Use &use : phase.phase->operands) {
    lines.push_back(ElementsLocal(rule, use.index, y));
  }
  for (int i : phase.values) {
    if (rule.plan().operands[i].map != IndexMap::kColumn) continue;
    const std::string &name = rule.operand_name(i);
    lines.push_back("const auto " + name + " = Broadcast<N>(*plan." + name + ".row(" + y + "));");
  }
  return Join(lines, "\n");
}

std::string ElementsLocal(const PlanText &rule, int operand, const std::string &y) {
  if (rule.plan().ViewOf(operand)) return ViewRowLocal(rule, operand, y);
  return (rule.IsWritten(operand) ? "" : "const ") +
         rule.TypeName(rule.plan().operands[operand].type) + " *const " +
         rule.operand_name(operand) + " = plan." + rule.operand_name(operand) + ".row(" + y + ");";
}

std::string ValueLocal(const PlanText &rule, int operand, const std::string &y) {
  const Operand &value = rule.plan().operands[operand];
  const std::string &name = rule.operand_name(operand);
  if (!value.load) return rule.PacketType(value.type) + " " + name + ";";
  return (rule.IsWritten(operand) ? "auto " : "const auto ") + name + " = Broadcast<N>(*plan." +
         name + ".row(" + y + "));";
}

std::string ChannelValues(const PlanText &rule) {
  std::vector<std::string> lines;
  for (size_t i = 0; i < rule.plan().operands.size(); ++i) {
    if (!IsUniform(rule.plan().operands[i].map)) continue;
    lines.push_back(ValueLocal(rule, static_cast<int>(i), "channel"));
  }
  return Join(lines, "\n");
}

std::string ChannelStores(const PlanText &rule) {
  std::vector<std::string> lines;
  for (int i : rule.Tensors()) {
    const Operand &operand = rule.plan().operands[i];
    const bool is_value = operand.map == ValueMap(rule.plan().frame);
    if (!is_value || operand.store.never()) continue;
    const std::string &name = rule.operand_name(i);
    lines.push_back(
        GuardedLine(rule, operand.store,
                    "Store(plan." + name + ".row(channel), " + name + ", FirstLanes{1});"));
  }
  return Join(lines, "\n");
}

std::string ReductionArgs(const PlanText &rule, int reduction) {
  const Reduction &r = rule.plan().reductions[reduction];
  return ReducerName(rule, r) + ", " + rule.TypeName(r.type);
}

std::string ReductionType(const PlanText &rule, int reduction) {
  return "RowReduction<" + ReductionArgs(rule, reduction);
}

}  // namespace mgen
