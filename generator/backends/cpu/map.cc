// SPDX-License-Identifier: Apache-2.0
// adamw.map.inc: the formula, and what is done with it for the elements of a row, on every target.
#include <algorithm>

#include "backends/common/body_text.h"
#include "backends/common/row_text.h"
#include "backends/common/view_text.h"
#include "backends/cpu/pieces.h"
#include "emit/names.h"
#include "emit/template.h"

namespace mgen {
namespace {

/// Whether an operand is a view that is only checked.
bool IsUnreadView(const PlanText &rule, int operand) {
  return rule.plan().ViewOf(operand) != nullptr && !rule.plan().operands[operand].load;
}

/// The operand that goes past the cache, or the first that is stored: where stores straddle cache
/// lines is what costs most.
int WrittenOperand(const PlanText &rule) {
  const int streamed = rule.plan().schedule.non_temporal;
  if (streamed >= 0) return streamed;
  const std::vector<int> tensors = rule.Tensors();  // and no temporary, which has no memory
  return *std::find_if(tensors.begin(), tensors.end(),
                       [&rule](int i) { return rule.IsWritten(i); });
}

std::string MapSignature(const PlanText &rule) {
  std::vector<std::string> params;
  if (rule.steps_use_scalars()) params.push_back("const " + rule.ScalarsType() + " &s");
  for (size_t i = 0; i < rule.plan().operands.size(); ++i) {
    const int number = static_cast<int>(i);
    if (IsUnreadView(rule, number)) continue;
    const std::string type = rule.PacketType(rule.plan().operands[i].type);
    params.push_back((rule.IsWritten(number) ? "" : "const ") + type + " &" +
                     rule.operand_name(number));
  }
  if (rule.plan().uses_place) params.push_back("const Places &at");
  return RenderList("MSHADOW_MAP void " + rule.Function("Map") + "(", params, ") {");
}

std::string ElementsSignature(const PlanText &rule) {
  return RenderList("MSHADOW_BODY void " + rule.Function("Elements") + "(",
                    {"const Plan &plan", "const Elements &elements"}, ") {");
}

/// What a step captures: `const auto grad = elements.Of(plan.grad);` for each operand.
std::string Rows(const PlanText &rule) {
  std::vector<std::string> lines;
  if (rule.steps_use_scalars()) lines.push_back(ScalarsCopy(rule));
  for (const int i : rule.Tensors()) {
    if (IsUnreadView(rule, i)) continue;
    if (rule.plan().ViewOf(i)) {
      lines.push_back(ViewRowLocal(rule, i, "elements.y()"));
      continue;
    }
    const std::string of = IsUniform(rule.plan().operands[i].map) ? "ValueOf" : "Of";
    lines.push_back("const auto " + rule.operand_name(i) + " = elements." + of + "(plan." +
                    rule.operand_name(i) + ");");
  }
  return Join(lines, "\n");
}

/// The beginning of `elements.ForEach(weight, [=](auto i) MSHADOW_INLINED { … });`. It captures
/// values, which no store can change; of views references, since they hold elements.
std::string ForEach(const PlanText &rule) {
  std::string captures = "=";
  for (const int i : rule.Tensors()) {
    const bool is_view = rule.plan().ViewOf(i) && !IsUnreadView(rule, i);
    if (is_view) captures += ", &" + rule.operand_name(i);
  }
  const std::string streams = rule.plan().schedule.non_temporal >= 0 ? ", plan.streams" : "";
  return "elements.ForEach(" + rule.operand_name(WrittenOperand(rule)) + streams + ", [" +
         captures + "](auto i) MSHADOW_INLINED {";
}

/// The values that a step begins with: those of operands, and what temporaries will be.
std::string Loads(const PlanText &rule) {
  std::vector<std::string> lines;
  for (size_t i = 0; i < rule.plan().operands.size(); ++i) {
    const int number = static_cast<int>(i);
    const Operand &operand = rule.plan().operands[i];
    if (IsUnreadView(rule, number)) continue;
    const std::string &name = rule.operand_name(number);
    if (!operand.load) {
      lines.push_back(rule.PacketType(operand.type) + " " + rule.register_name(number) + ";");
      continue;
    }
    const bool is_guarded = rule.plan().ViewOf(number) && !operand.gathered.always();
    const std::string value =
        is_guarded ? "LoadIf<(" + rule.GuardText(operand.gathered) + ")>(" + name + ", i)"
                   : name + "[i]";
    lines.push_back((rule.IsWritten(number) ? "auto " : "const auto ") +
                    rule.register_name(number) + " = " + value + ";");
  }
  return Join(lines, "\n");
}

std::string MapCall(const PlanText &rule) {
  std::vector<std::string> args;
  if (rule.steps_use_scalars()) args.push_back("s");
  for (size_t i = 0; i < rule.plan().operands.size(); ++i) {
    const int number = static_cast<int>(i);
    if (!IsUnreadView(rule, number)) args.push_back(rule.register_name(number));
  }
  if (rule.plan().uses_place) args.push_back("LanesAt({elements.y(), i.x}, i.lanes)");
  return RenderList(rule.Function("Map") + rule.CallArgs() + "(", args, ");", kLineWidth - 4);
}

/// Stores, those under one guard together.
std::string Stores(const PlanText &rule) {
  std::vector<std::string> lines;
  const int streamed = rule.plan().schedule.non_temporal;
  std::string open;
  const auto close = [&] {
    if (!open.empty()) lines.push_back("}");
  };
  for (const int i : rule.Tensors()) {
    const Guard &store = rule.plan().operands[i].store;
    if (store.never()) continue;
    const std::string guard = store.always() ? "" : rule.GuardText(store);
    if (guard != open) {
      close();
      if (!guard.empty()) lines.push_back("if constexpr (" + guard + ") {");
      open = guard;
    }
    lines.push_back((open.empty() ? "" : "  ") + rule.operand_name(i) +
                    (i == streamed ? ".PutStreamed(i, " : ".Put(i, ") + rule.register_name(i) +
                    ");");
  }
  close();
  return Join(lines, "\n");
}

}  // namespace

std::string MapText(const PlanText &rule) {
  if (rule.plan().has_phases()) return PhasesText(rule);
  const std::vector<std::string> conditions = rule.ConditionParams(), types = rule.TypenameParams();
  const std::vector<std::string> targets = {"typename Plan", "typename Elements"};
  Values values;
  values.Set("rule", rule.rule())
      .Set("map_template", TemplateLine(Append(Append(conditions, {"int N"}), types)))
      .Set("map_signature", MapSignature(rule))
      .Set("body", BodyText(rule, rule.plan().steps))
      .Set("elements_template", TemplateLine(Append(Append(conditions, types), targets)))
      .Set("elements_signature", ElementsSignature(rule))
      .Set("rows", Rows(rule))
      .Set("for_each", ForEach(rule))
      .Set("loads", Loads(rule))
      .Set("map_call", MapCall(rule))
      .Set("stores", Stores(rule));
  return RenderTemplate("common/rule.tmpl.map.inc", values);
}

}  // namespace mgen
