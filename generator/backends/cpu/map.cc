// SPDX-License-Identifier: Apache-2.0
// adamw.map.inc: the formula, and the step that loads, maps and stores.
#include "backends/common/body_text.h"
#include "backends/common/row_text.h"
#include "backends/common/view_text.h"
#include "backends/cpu/pieces.h"
#include "emit/names.h"
#include "emit/template.h"

namespace mgen {
namespace {

/// Whether an operand is a view that is only checked.
bool IsUnreadView(const PlanText &rule, size_t operand) {
  const Plan &plan = rule.plan();
  return plan.ViewOf(static_cast<int>(operand)) != nullptr && !plan.operands[operand].load;
}

std::string MapSignature(const PlanText &rule) {
  std::vector<std::string> params;
  if (rule.steps_use_scalars()) params.push_back("const " + rule.ScalarsType() + " &s");
  for (size_t i = 0; i < rule.plan().operands.size(); ++i) {
    if (IsUnreadView(rule, i)) continue;
    const std::string type = rule.PacketType(rule.plan().operands[i].type);
    params.push_back((rule.IsWritten(i) ? "" : "const ") + type + " &" + rule.operand_name(i));
  }
  if (rule.plan().uses_place) params.push_back("const Places &at");
  return RenderList("MSHADOW_MAP void " + rule.Function("Map") + "(", params, ") {");
}

/// A uniform operand comes as a value, the others as pointers to their first lane.
std::string StepSignature(const PlanText &rule) {
  std::vector<std::string> params;
  if (rule.steps_use_scalars()) params.push_back("const " + rule.ScalarsType() + " &s");
  for (int i : rule.Tensors()) {
    const Operand &operand = rule.plan().operands[i];
    if (rule.plan().ViewOf(i)) {
      const std::string unused = IsUnreadView(rule, i) ? "[[maybe_unused]] " : "";
      params.push_back(unused + ViewParam(rule, i));
      continue;
    }
    const std::string pointer = IsUniform(operand.map) ? " " : " *";
    const std::string access = rule.IsWritten(i) || pointer == " " ? "" : "const ";
    params.push_back(access + rule.TypeName(operand.type) + pointer + rule.operand_name(i));
  }
  if (rule.plan().uses_place) params.push_back("const mshadow::packet::Place &at");
  params.push_back("Lanes lanes");
  return RenderList("MSHADOW_MAP void " + rule.Function("Step") + "(", params, ") {");
}

std::string Loads(const PlanText &rule) {
  std::vector<std::string> lines;
  for (size_t i = 0; i < rule.plan().operands.size(); ++i) {
    const Operand &operand = rule.plan().operands[i];
    const std::string &name = rule.operand_name(i);
    const std::string access = rule.IsWritten(i) ? "auto " : "const auto ";
    if (IsUnreadView(rule, i)) continue;
    if (!operand.load) {
      lines.push_back(rule.PacketType(operand.type) + " " + rule.register_name(i) + ";");
    } else if (rule.plan().ViewOf(static_cast<int>(i))) {
      lines.push_back("const auto " + rule.register_name(i) + " = " +
                      ViewLoad(rule, static_cast<int>(i)) + ";");
    } else if (IsUniform(operand.map)) {
      lines.push_back("const auto " + rule.register_name(i) + " = Broadcast<N>(" + name + ");");
    } else {
      lines.push_back(access + rule.register_name(i) + " = Load<N>(" + name + ", lanes);");
    }
  }
  return Join(lines, "\n");
}

std::string MapCall(const PlanText &rule) {
  std::vector<std::string> args;
  if (rule.steps_use_scalars()) args.push_back("s");
  for (size_t i = 0; i < rule.plan().operands.size(); ++i) {
    if (!IsUnreadView(rule, i)) args.push_back(rule.register_name(i));
  }
  if (rule.plan().uses_place) args.push_back("LanesAt(at, lanes)");
  return RenderList(rule.Function("Map") + rule.CallArgs() + "(", args, ");", kLineWidth - 2);
}

/// Stores, those under one guard together.
std::string Stores(const PlanText &rule) {
  std::vector<std::string> lines;
  const int streamed = rule.plan().schedule.non_temporal;
  std::string open;
  const auto close = [&] {
    if (!open.empty()) lines.push_back("}");
  };
  for (size_t i = 0; i < rule.plan().operands.size(); ++i) {
    const Operand &operand = rule.plan().operands[i];
    if (operand.store.never() || operand.is_temporary) continue;
    const std::string guard = operand.store.always() ? "" : rule.GuardText(operand.store);
    if (guard != open) {
      close();
      if (!guard.empty()) lines.push_back("if constexpr (" + guard + ") {");
      open = guard;
    }
    const std::string store = static_cast<int>(i) == streamed ? "Stream(" : "Store(";
    lines.push_back((open.empty() ? "" : "  ") + store + rule.operand_name(i) + ", " +
                    rule.register_name(i) + ", lanes);");
  }
  close();
  return Join(lines, "\n");
}

}  // namespace

std::string MapText(const PlanText &rule) {
  if (rule.plan().has_phases()) return PhasesText(rule);
  const std::vector<std::string> types = rule.TypenameParams();
  const std::vector<std::string> variant = Append(rule.ConditionParams(), {"int N"});
  const std::vector<std::string> deduced =
      Append({"typename Lanes"}, ViewTypenames(rule, rule.Tensors()));
  Values values;
  values.Set("rule", rule.rule())
      .Set("map_template", TemplateLine(Append(variant, types)))
      .Set("map_signature", MapSignature(rule))
      .Set("body", BodyText(rule, rule.plan().steps))
      .Set("step_template", TemplateLine(Append(Append(variant, types), deduced)))
      .Set("step_signature", StepSignature(rule))
      .Set("loads", Loads(rule))
      .Set("map_call", MapCall(rule))
      .Set("stores", Stores(rule));
  return RenderTemplate("common/rule.tmpl.map.inc", values);
}

}  // namespace mgen
