// SPDX-License-Identifier: Apache-2.0
// What is emitted for an expression besides the rule `result = …`: the function that returns its
// node, the members of the Plan that the node calls, and the functions of the .gen.cc that these
// call.
#include "backends/common/call_text.h"
#include "backends/common/entry_text.h"
#include "backends/cpu/pieces.h"
#include "emit/comment.h"
#include "emit/names.h"
#include "emit/template.h"

namespace mgen {
namespace {

/// An operand of the expression, as its function takes it.
struct Taken {
  std::string name;     ///< "x"
  std::string node;     ///< its type: "XExp"
  std::string element;  ///< "DType"
  std::string kind;     ///< "x_kind"
  int operand;          ///< of the Plan; -1 if the formula does not read it
};

/// "x_v"; "plan_v" for "plan_", which got its underscore because the name was taken.
std::string Suffixed(const std::string &name, const std::string &suffix) {
  return name + (name.back() == '_' ? "" : "_") + suffix;
}

std::vector<Taken> Operands(const PlanText &rule) {
  const Rule &r = rule.plan().rule;
  std::vector<Taken> taken;
  for (size_t i = 1; i < r.signature().size(); ++i) {
    if (!r.params[i].is_tensor) continue;
    const std::string &name = rule.param_name(i);
    taken.push_back({name, CamelCase(name) + "Exp", rule.TypeName(r.params[i].type),
                     Suffixed(name, "kind"), rule.plan().FindOperand(static_cast<int>(i))});
  }
  return taken;
}

std::vector<std::string> ScalarNames(const PlanText &rule) {
  std::vector<std::string> names;
  for (int i : PrepareParams(rule)) names.push_back(rule.param_name(i));
  return names;
}

std::vector<std::string> ScalarParams(const PlanText &rule, const PlanText::Instance &instance) {
  std::vector<std::string> params;
  for (int i : PrepareParams(rule)) {
    const std::string type = rule.TypeName(rule.plan().rule.params[i].type, instance);
    params.push_back(type + " " + rule.param_name(i));
  }
  return params;
}

std::string SetScalars(const PlanText &rule, const PlanText::Instance &instance) {
  std::vector<std::string> params = {rule.PlanType(instance) + " *plan"};
  for (const std::string &param : ScalarParams(rule, instance)) params.push_back(param);
  return RenderList("void Set" + rule.rule() + "Scalars(", params, ")");
}

std::string EvalSignature(const PlanText &rule, const PlanText::Instance &instance) {
  return RenderList("void Eval" + rule.rule() + "(",
                    {"const " + rule.PlanType(instance) + " &plan"}, ")");
}

/// The calls for one element. \param chosen the conditions whose outcome is known. The other ones
/// are tested. (Choose is not for device code.)
std::string ChosenElement(const PlanText &rule, const SpecText &spec,
                          std::vector<std::string> chosen) {
  const std::vector<Condition> &conditions = rule.plan().conditions;
  if (chosen.size() == conditions.size()) {
    const int indent = 4 + 2 * static_cast<int>(chosen.size());
    return BodyCallText(rule, {spec.ScalarRegion() + "::", std::move(chosen), "one",
                               "mshadow::packet::scalar::OneElement(0, 0)", indent});
  }
  const std::string member = "scalars." + rule.condition_member(chosen.size());
  chosen.push_back("true");
  const std::string if_true = ChosenElement(rule, spec, chosen);
  chosen.back() = "false";
  const std::string if_false = ChosenElement(rule, spec, chosen);
  return "if (" + member + ") {\n" + Indented(if_true) + "\n} else {\n" + Indented(if_false) +
         "\n}";
}

}  // namespace

std::string ExpressionMembersText(const PlanText &rule, const SpecText &spec) {
  const std::vector<Taken> operands = Operands(rule);
  const int result = rule.plan().FindOperand(0);
  const std::string element = rule.TypeName(rule.plan().rule.params[0].type);
  const std::string &name = rule.param_name(0);
  std::vector<std::string> values, runs;
  std::vector<std::string> run_fields, one_fields;
  const auto add_field = [&](int i, const std::string &argument) {
    const std::string field = rule.operand_name(i) + " = {";
    run_fields.push_back("run." + field + Suffixed(argument, "run") + ", 0};");
    one_fields.push_back("one." + field + "&" + Suffixed(argument, "v") + ", 0};");
  };
  add_field(result, name);
  for (const Taken &operand : operands) {
    const bool is_read = operand.operand >= 0;
    values.push_back(operand.element + (is_read ? " " + Suffixed(operand.name, "v") : ""));
    runs.push_back("const " + operand.element + " *" +
                   (is_read ? Suffixed(operand.name, "run") : ""));
    if (is_read) add_field(operand.operand, operand.name);
  }
  if (rule.has_scalars()) {
    run_fields.push_back("run.scalars = scalars;");
    one_fields.push_back("one.scalars = scalars;");
  }
  runs.insert(runs.begin(), {"index_t n", element + " *" + Suffixed(name, "run")});
  Values members;
  members.Set("element", element)
      .Set("result", Suffixed(name, "v"))
      .Set("eval",
           RenderList("MSHADOW_XINLINE " + element + " Eval(", values, ") const {", kLineWidth - 2))
      .Set("one_fields", Join(one_fields, "\n"))
      .Set("one_element", ChosenElement(rule, spec, {}))
      .Set("run", RenderList("void EvalRun(", runs, ") const {", kLineWidth - 2))
      .Set("fields", Join(run_fields, "\n"))
      .Set("function", rule.Global("Eval" + rule.rule()));
  return RenderTemplate("common/expression_members.tmpl.gen.h", members);
}

std::string ExpressionDeclarationsText(const PlanText &rule, const SpecText &spec) {
  std::string text = "// In " + spec.stem + ".gen.cc: functions that the expression calls.\n";
  for (const auto &instance : rule.Instances()) {
    if (rule.has_scalars()) text += SetScalars(rule, instance) + ";\n";
    text += EvalSignature(rule, instance) + ";\n";
  }
  return text;
}

std::string ExpressionText(const PlanText &rule, const SpecText &spec) {
  const std::vector<Taken> operands = Operands(rule);
  const Rule &r = rule.plan().rule;
  std::vector<std::string> types = {}, params, names = {"plan"};
  for (const Taken &operand : operands) {
    types.push_back("typename " + operand.node);
    types.push_back("int " + operand.kind);
    names.push_back(operand.name);
  }
  for (const std::string &type : rule.TypenameParams()) types.push_back(type);
  auto operand = operands.begin();
  for (size_t i = 1; i < r.signature().size(); ++i) {
    if (!r.params[i].is_tensor) {
      params.push_back(ScalarParam(rule, i));
      continue;
    }
    params.push_back("const mshadow::expr::Exp<" + operand->node + ", " + operand->element + ", " +
                     operand->kind + "> &" + operand->name);
    ++operand;
  }
  std::vector<std::string> set_args = {"&plan"};
  for (const std::string &name : ScalarNames(rule)) set_args.push_back(name);
  Values values;
  values.Set("doc", DocComment(RuleDoc(r)))
      .Set("template", TemplateLine(types))
      .Set("signature", RenderList("inline auto " + rule.rule() + "(", params, ") {"))
      .Set("assertion", InstancesAssertion(rule, spec.path))
      .Set("plan_type", rule.PlanType())
      .Set("has_scalars", rule.has_scalars())
      .Set("set_scalars",
           RenderList("Set" + rule.rule() + "Scalars(", set_args, ");", kLineWidth - 2))
      .Set("make",
           RenderList("return mshadow::expr::MakeFormula<" + rule.TypeName(r.params[0].type) + ">(",
                      names, ");", kLineWidth - 2));
  return RenderTemplate("common/expression.tmpl.gen.h", values);
}

std::string ExpressionEntriesText(const PlanText &rule) {
  std::vector<std::string> functions;
  for (const auto &instance : rule.Instances()) {
    if (rule.has_scalars()) {
      std::vector<std::string> types;
      for (const ScalarKind kind : instance) types.emplace_back(CppName(kind));
      const std::string prepare = PrepareCall(rule, "s", {types, ""});
      functions.push_back(SetScalars(rule, instance) + " {\n" + Indented(prepare) +
                          "\n  plan->scalars = s;\n}\n");
    }
    functions.push_back(EvalSignature(rule, instance) + " {\n  RunHere(plan);\n}\n");
  }
  return Join(functions, "\n");
}

std::string UnfusedExpressionText(const PlanText &rule) {
  std::vector<std::string> names;
  for (size_t i = 1; i < rule.plan().rule.signature().size(); ++i) {
    names.push_back(rule.param_name(i));
  }
  Values values;
  values.Set("template", LauncherTemplate(rule))
      .Set("signature", LauncherSignature(rule))
      .Set("call", RenderList(rule.param_name(0) + " = " + rule.Global(rule.rule()) + "(", names,
                              ");", kLineWidth - 2));
  return RenderTemplate("common/unfused_expression.tmpl.gen.h", values);
}

}  // namespace mgen
