// SPDX-License-Identifier: Apache-2.0
// adamw.map.inc: the formula, and the step that loads, maps and stores.
#include "backends/cpu/pieces.h"
#include "emit/comment.h"
#include "emit/names.h"
#include "emit/template.h"

namespace mgen {
namespace {

/// Columns that the comment "  // 12" takes at the end of a statement.
constexpr int kNumberWidth = 7;

/// The body of AdamWMap, line by line, with the statements' numbers beside.
class Body {
 public:
  explicit Body(const PlanText &rule) : rule_(rule), style_(rule.PacketStyle()) {}

  std::string Text() {
    AddSteps(rule_.plan().steps, "");
    return AlignComments(lines_, comments_, kLineWidth - 2);
  }

 private:
  void AddSteps(const std::vector<Step> &steps, const std::string &indent) {
    for (const Step &step : steps) {
      if (step.kind == Step::kIf) {
        AddIf(step, indent, indent + "if constexpr (");
      } else {
        AddValue(step, indent);
      }
    }
  }

  void AddValue(const Step &step, const std::string &indent) {
    std::string target;
    if (step.kind == Step::kAssign) {
      target = rule_.operand_name(step.operand);
    } else {
      const bool is_mask = step.value->type == Type{ScalarKind::kBool};
      target = "const " + (is_mask ? "auto" : rule_.PacketType(step.value->type)) + " " +
               rule_.let_name(step.let);
    }
    const int width = kLineWidth - 2 - kNumberWidth;
    Add(RenderExpr(indent + target + " = ", step.value, ";", style_, width),
        step.statement > 0 ? "// " + std::to_string(step.statement) : "");
  }

  /// `head` is what stands before the condition: "if constexpr (" or "} else if constexpr (".
  void AddIf(const Step &step, const std::string &indent, const std::string &head) {
    const std::string &condition = rule_.condition_param(step.condition);
    const bool negated = step.then_steps.empty();
    Add(head + (negated ? "!" : "") + condition + ") {", "");
    AddSteps(negated ? step.else_steps : step.then_steps, indent + "  ");
    if (!negated && !step.else_steps.empty()) {
      if (step.else_steps.size() == 1 && step.else_steps[0].kind == Step::kIf) {
        return AddIf(step.else_steps[0], indent, indent + "} else if constexpr (");
      }
      Add(indent + "} else {", "");
      AddSteps(step.else_steps, indent + "  ");
    }
    Add(indent + "}", "");
  }

  void Add(std::string line, std::string comment) {
    lines_.push_back(std::move(line));
    comments_.push_back(std::move(comment));
  }

  const PlanText &rule_;
  const ExprStyle style_;
  std::vector<std::string> lines_, comments_;
};

std::vector<std::string> Prepend(std::vector<std::string> head,
                                 const std::vector<std::string> &tail) {
  head.insert(head.end(), tail.begin(), tail.end());
  return head;
}

std::string MapSignature(const PlanText &rule) {
  std::vector<std::string> params;
  if (!rule.plan().scalars.empty()) params.push_back("const " + rule.ScalarsType() + " &s");
  for (size_t i = 0; i < rule.plan().operands.size(); ++i) {
    const std::string type = rule.PacketType(rule.plan().operands[i].type);
    params.push_back((rule.IsWritten(i) ? "" : "const ") + type + " &" + rule.operand_name(i));
  }
  return RenderList("MSHADOW_MAP void " + rule.Function("Map") + "(", params, ") {");
}

/// A kColumn operand comes as a value, the others as pointers to their first lane.
std::string StepSignature(const PlanText &rule) {
  std::vector<std::string> params;
  if (!rule.plan().scalars.empty()) params.push_back("const " + rule.ScalarsType() + " &s");
  for (size_t i = 0; i < rule.plan().operands.size(); ++i) {
    const Operand &operand = rule.plan().operands[i];
    const std::string pointer = operand.map == IndexMap::kColumn ? " " : " *";
    const std::string access = rule.IsWritten(i) || pointer == " " ? "" : "const ";
    params.push_back(access + rule.TypeName(operand.type) + pointer + rule.operand_name(i));
  }
  params.push_back("Lanes lanes");
  return RenderList("MSHADOW_MAP void " + rule.Function("Step") + "(", params, ") {");
}

std::string Loads(const PlanText &rule) {
  std::vector<std::string> lines;
  for (size_t i = 0; i < rule.plan().operands.size(); ++i) {
    const Operand &operand = rule.plan().operands[i];
    const std::string &name = rule.operand_name(i);
    const std::string access = rule.IsWritten(i) ? "auto " : "const auto ";
    if (!operand.load) {
      lines.push_back(rule.PacketType(operand.type) + " " + rule.register_name(i) + ";");
    } else if (operand.map == IndexMap::kColumn) {
      lines.push_back("const auto " + rule.register_name(i) + " = Broadcast<N>(" + name + ");");
    } else {
      lines.push_back(access + rule.register_name(i) + " = Load<N>(" + name + ", lanes);");
    }
  }
  return Join(lines, "\n");
}

std::string MapCall(const PlanText &rule) {
  std::vector<std::string> args;
  if (!rule.plan().scalars.empty()) args.push_back("s");
  for (size_t i = 0; i < rule.plan().operands.size(); ++i) args.push_back(rule.register_name(i));
  return RenderList(rule.Function("Map") + rule.CallArgs() + "(", args, ");", kLineWidth - 2);
}

/// Stores, those under one guard together.
std::string Stores(const PlanText &rule) {
  std::vector<std::string> lines;
  std::string open;
  const auto close = [&] {
    if (!open.empty()) lines.push_back("}");
  };
  for (size_t i = 0; i < rule.plan().operands.size(); ++i) {
    const Operand &operand = rule.plan().operands[i];
    if (operand.store.never()) continue;
    const std::string guard = operand.store.always() ? "" : rule.GuardText(operand.store);
    if (guard != open) {
      close();
      if (!guard.empty()) lines.push_back("if constexpr (" + guard + ") {");
      open = guard;
    }
    lines.push_back((open.empty() ? "" : "  ") + std::string("Store(") + rule.operand_name(i) +
                    ", " + rule.register_name(i) + ", lanes);");
  }
  close();
  return Join(lines, "\n");
}

}  // namespace

std::string MapText(const PlanText &rule) {
  const std::vector<std::string> types = rule.TypenameParams();
  const std::vector<std::string> variant = Prepend(rule.ConditionParams(), {"int N"});
  Values values;
  values.Set("rule", rule.rule())
      .Set("map_template", TemplateLine(Prepend(variant, types)))
      .Set("map_signature", MapSignature(rule))
      .Set("body", Body(rule).Text())
      .Set("step_template", TemplateLine(Prepend(Prepend(variant, types), {"typename Lanes"})))
      .Set("step_signature", StepSignature(rule))
      .Set("loads", Loads(rule))
      .Set("map_call", MapCall(rule))
      .Set("stores", Stores(rule));
  return RenderTemplate("common/rule.tmpl.map.inc", values);
}

}  // namespace mgen
