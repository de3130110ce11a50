// SPDX-License-Identifier: Apache-2.0
// adamw.gen.h: the class that tells tools what a rule is.
#include <algorithm>

#include "backends/cpu/pieces.h"
#include "emit/comment.h"
#include "emit/literal.h"
#include "emit/names.h"
#include "emit/template.h"
#include "ir/access.h"

namespace mgen {
namespace {

std::string Quoted(const std::string &text) { return "\"" + text + "\""; }

std::string RoleName(Role role) {
  switch (role) {
    case Role::kNone:
      return "kNone";
    case Role::kParameter:
      return "kParameter";
    case Role::kGradient:
      return "kGradient";
    case Role::kState:
      return "kState";
    case Role::kHyper:
      return "kHyper";
    case Role::kStep:
      return "kStep";
  }
  return "kNone";
}

std::string Instances(const PlanText &rule) {
  std::vector<std::string> list;
  for (const auto &instance : rule.plan().rule.instances) {
    std::vector<std::string> types;
    for (ScalarKind kind : instance) types.emplace_back(CppName(kind));
    list.push_back("mshadow::Types<" + Join(types, ", ") + ">");
  }
  if (rule.type_params().empty()) list = {"mshadow::Types<>"};
  return RenderList("using Instances = mshadow::TypeList<", list, ">;", kLineWidth - 2);
}

/// As short as the parameter's type allows.
std::string InitialValue(const Param &param) {
  const double value = std::visit([](auto v) { return static_cast<double>(v); }, *param.value);
  const bool is_exact = value > -1e15 && value < 1e15;
  if (CategoryOf(param.type.kind) != Category::kFloat && is_exact) {
    return IntegerDigits(static_cast<int64_t>(value));
  }
  // A float's value is no short double, and a float beside doubles makes compilers warn.
  const std::string text = DoubleLiteral(value);
  const bool is_float = static_cast<double>(static_cast<float>(value)) == value;
  constexpr size_t kShort = 8;
  if (text.size() <= kShort || !is_float) return text;
  return "static_cast<double>(" + FloatLiteral(static_cast<float>(value)) + ")";
}

/// Whether the plan, or a kernel of its stages, picks elements by the numbers that the parameter
/// holds.
bool IsIndex(const Plan &plan, const Param &param) {
  const auto picks = [&](const Operand &operand) {
    return operand.by >= 0 && plan.rule.params[operand.by].name == param.name;
  };
  const auto is_one_of = [&](const PlanStage &stage) {
    return !stage.product && IsIndex(stage.kernel[0], param);
  };
  return std::any_of(plan.operands.begin(), plan.operands.end(), picks) ||
         std::any_of(plan.stages.begin(), plan.stages.end(), is_one_of);
}

/// One row of kParams.
std::string ParamRow(const PlanText &rule, int index) {
  const Param &param = rule.plan().rule.params[index];
  const bool is_written = AccessOf(rule.plan(), index).written;
  bool is_per_row = false, is_single = false, is_per_channel = false;
  for (const Operand &operand : rule.plan().operands) {
    if (rule.plan().rule.params[operand.param].name != param.name) continue;
    is_per_row = is_per_row || operand.map == IndexMap::kColumn;
    is_per_channel = is_per_channel || operand.map == IndexMap::kChannel;
    is_single = is_single || operand.map == IndexMap::kOne;
  }
  const bool symbolic = param.type.symbolic();
  const std::string flag =
      symbolic ? "-1" : "mshadow::DataType<" + std::string(CppName(param.type.kind)) + ">::kFlag";
  const std::string rank =
      param.rank == Param::kRankParam ? "mshadow::kRankParam" : std::to_string(param.rank);
  std::vector<std::string> fields = {
      Quoted(param.name),
      "mshadow::Role::" + RoleName(param.role),
      param.is_tensor ? "true" : "false",
      param.is_tensor ? rank : "0",
      flag,
      symbolic ? std::to_string(param.type.param) : "-1",
      is_written ? "true" : "false",
      param.value ? "true" : "false",
      param.value ? InitialValue(param) : "0",
  };
  // Further facts stand behind the others as far as they are needed.
  const bool facts[] = {is_per_row, is_single, IsIndex(rule.plan(), param)};
  size_t count = std::size(facts);
  while (count > 0 && !facts[count - 1] && !is_per_channel) --count;
  for (size_t i = 0; i < count; ++i) fields.push_back(facts[i] ? "true" : "false");
  if (is_per_channel) fields.push_back(std::to_string(rule.plan().rule.channel_dim));
  return RenderList("{", fields, "},", kLineWidth - 6);
}

std::string Info(const PlanText &rule) {
  const Plan &plan = rule.plan();
  int statements = 0;
  for (const Stage &stage : plan.rule.stages) statements += CountStatements(stage.body);
  std::vector<std::string> fields = {
      Quoted(rule.rule()),
      Quoted(Qualified(rule.spec_path())),
      Quoted(plan.rule.spec),
      "kParams",
      std::to_string(plan.rule.signature().size()),
      std::to_string(statements),
      std::to_string(plan.unfused_passes),
      std::to_string(plan.bytes),
      std::to_string(plan.unfused_bytes),
  };
  int products = 0;
  for (const PlanStage &stage : plan.stages) products += stage.product.has_value();
  if (plan.passes() > 1 || products > 0) fields.push_back(std::to_string(plan.passes()));
  if (products > 0) fields.push_back(std::to_string(products));
  return RenderList("static constexpr mshadow::RuleInfo kInfo = {", fields, "};", kLineWidth - 2);
}

/// How a rule's parameter is made from Call's arrays.
std::string CallArgument(const PlanText &rule, const Param &param, int index) {
  const std::string at = "[" + std::to_string(index) + "]";
  const std::string type = rule.TypeName(CallerType(param));
  if (!param.is_tensor) return "static_cast<" + type + ">(scalars" + at + ")";
  const std::string rank = param.rank == Param::kRankParam ? "dim" : std::to_string(param.rank);
  return "*static_cast<mshadow::Tensor<xpu, " + rank + ", " + type + "> *>(tensors" + at + ")";
}

/// The name is qualified: for `Softmax(tensor)` the compiler would look into mshadow, too.
std::string CallText(const PlanText &rule) {
  std::vector<std::string> args;
  int tensors = 0, scalars = 0;
  for (const Param &param : rule.plan().rule.signature()) {
    args.push_back(CallArgument(rule, param, param.is_tensor ? tensors++ : scalars++));
  }
  return RenderList(rule.Global(rule.rule()) + "(", args, ");", kLineWidth - 4);
}

}  // namespace

std::string RuleClassText(const PlanText &rule, const SpecText &) {
  std::vector<std::string> rows;
  bool has_scalars = false;
  const std::vector<Param> signature = rule.plan().rule.signature();
  for (size_t i = 0; i < signature.size(); ++i) {
    rows.push_back(ParamRow(rule, static_cast<int>(i)));
    has_scalars = has_scalars || !signature[i].is_tensor;
  }
  std::vector<std::string> params = {"typename xpu", "int dim"};
  for (const std::string &type : rule.TypenameParams()) params.push_back(type);
  Values values;
  values.Set("rule", rule.rule())
      .Set("instances", Instances(rule))
      .Set("params", Join(rows, "\n"))
      .Set("info", Info(rule))
      .Set("call_template", TemplateLine(params))
      .Set("scalars", has_scalars ? "scalars" : "")
      .Set("call", CallText(rule));
  return RenderTemplate("common/rule.tmpl.gen.h", values);
}

}  // namespace mgen
