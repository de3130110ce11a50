// SPDX-License-Identifier: Apache-2.0
// adamw.gen.h: the class that tells tools what a rule is.
#include <algorithm>

#include "backends/cpu/pieces.h"
#include "emit/comment.h"
#include "emit/literal.h"
#include "emit/names.h"
#include "emit/template.h"
#include "ir/access.h"
#include "ir/effects.h"
#include "ir/view_call.h"

namespace mgen {
namespace {

std::string Quoted(const std::string &text) { return "\"" + text + "\""; }

/// The word of ParamInfo for a role; "" for none.
std::string RoleWord(Role role) {
  switch (role) {
    case Role::kNone:
      return "";
    case Role::kParameter:
      return ".Parameter()";
    case Role::kGradient:
      return ".Gradient()";
    case Role::kState:
      return ".State()";
    case Role::kHyper:
      return ".Hyper()";
    case Role::kStep:
      return ".Step()";
  }
  return "";
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

/// The initial value, as short as the parameter's type allows.
std::string InitialValue(const Param &param) {
  const double value = std::visit([](auto v) { return static_cast<double>(v); }, *param.value);
  const bool is_exact = value > -1e15 && value < 1e15;
  if (CategoryOf(param.type.kind) != Category::kFloat && is_exact) {
    return IntegerDigits(static_cast<int64_t>(value));
  }
  // The decimal of a float is shorter than that of the double with the same value.
  const std::string text = DoubleLiteral(value);
  const bool is_float = static_cast<double>(static_cast<float>(value)) == value;
  constexpr size_t kShort = 8;
  if (text.size() <= kShort || !is_float) return text;
  return FloatLiteral(static_cast<float>(value));
}

/// Whether the Plan, or a kernel of its stages, picks elements by the indices in a parameter.
bool IsIndex(const Plan &plan, const Param &param) {
  const auto picks = [&](const Operand &operand) {
    return operand.by >= 0 && plan.rule.params[operand.by].name == param.name;
  };
  const auto is_one_of = [&](const PlanStage &stage) {
    return !stage.call && IsIndex(stage.kernel[0], param);
  };
  return std::any_of(plan.operands.begin(), plan.operands.end(), picks) ||
         std::any_of(plan.stages.begin(), plan.stages.end(), is_one_of);
}

/// Whether a launch of the Plan, or of a kernel of its stages, takes the indices of rows from a
/// parameter.
bool NamesRows(const Plan &plan, const Param &param) {
  const std::vector<int> rows = plan.NamedRows();
  const auto are_named = [&](int named) {
    return plan.rule.params[plan.rule.params[named].Indices()].name == param.name;
  };
  const auto is_one_of = [&](const PlanStage &stage) {
    return !stage.call && NamesRows(stage.kernel[0], param);
  };
  return std::any_of(rows.begin(), rows.end(), are_named) ||
         std::any_of(plan.stages.begin(), plan.stages.end(), is_one_of);
}

/// Whether a scatter-add takes indices from a parameter.
bool AddsToRows(const Plan &plan, const Param &param) {
  return std::any_of(plan.stages.begin(), plan.stages.end(), [&](const PlanStage &stage) {
    if (!stage.call || stage.call->kind != Statement::kScatter) return false;
    const Param &index = plan.rule.params[OwnerOf(plan.rule, stage.call->left.tensor)];
    return index.name == param.name;
  });
}

/// Whether a `one_hot_encode` in a call has a row for each element of a parameter.
bool GivesRows(const ViewCall &call, const View &view, int param) {
  if (call.name == "one_hot_encode" && call.args.front().operand >= 0) {
    const View::Operand &indices = view.operands[call.args.front().operand];
    if (indices.kind == View::Operand::kTensor && indices.param == param) return true;
  }
  return std::any_of(call.args.begin(), call.args.end(),
                     [&](const ViewCall &arg) { return GivesRows(arg, view, param); });
}

/// Whether one in a view of the rule has.
bool GivesRows(const Rule &rule, int param) {
  return std::any_of(rule.params.begin(), rule.params.end(), [&](const Param &other) {
    const auto call = other.view ? ParseViewCall(*other.view) : std::nullopt;
    return call && GivesRows(*call, *other.view, param);
  });
}

/// What the operands show about a vector.
std::string VectorFacts(const PlanText &rule, int index) {
  const Param &param = rule.plan().rule.params[index];
  bool is_per_row = GivesRows(rule.plan().rule, index), is_single = false;
  int channel_dim = -1;
  for (const Operand &operand : rule.plan().operands) {
    if (rule.plan().rule.params[operand.param].name != param.name) continue;
    is_per_row = is_per_row || operand.axes.is_rows();
    if (operand.axes.only() >= 0) channel_dim = operand.axes.only();
    is_single = is_single || operand.axes.is_none();
  }
  for (const Fitting &fits : rule.plan().fitting) {
    is_per_row = is_per_row || (fits.tensor->index == index && fits.tensor->axes.is_rows());
  }
  std::string facts;
  if (is_per_row) facts += ".PerRow()";
  if (is_single) facts += ".Single()";
  if (IsIndex(rule.plan(), param)) facts += ".Index()";
  if (NamesRows(rule.plan(), param)) facts += ".NamesRows()";
  if (AddsToRows(rule.plan(), param)) facts += ".AddsToRows()";
  if (channel_dim >= 0) facts += ".PerChannel(" + std::to_string(channel_dim) + ")";
  return facts;
}

/// One row of kParams: `Param::Tensor("mean").Of<float>().State().Value(0.0).Written(),`.
std::string ParamRow(const PlanText &rule, int index) {
  const Param &param = rule.plan().rule.params[index];
  const bool has_rank = param.is_tensor && param.rank != Param::kRankParam;
  std::string row = std::string(param.is_tensor ? "Param::Tensor(" : "Param::Scalar(") +
                    Quoted(param.name) + (has_rank ? ", " + std::to_string(param.rank) : "") + ")";
  const std::string of_type = param.type.promoted ? ".OfPromoted(" : ".OfParam(";
  row += param.type.symbolic() ? of_type + std::to_string(param.type.param) + ")"
                               : ".Of<" + std::string(CppName(param.type.kind)) + ">()";
  row += RoleWord(param.role);
  if (param.value) row += ".Value(" + InitialValue(param) + ")";
  if (AccessOf(rule.plan(), index).written) row += ".Written()";
  return row + VectorFacts(rule, index) + ",";
}

std::string Info(const PlanText &rule) {
  const Plan &plan = rule.plan();
  int statements = 0;
  const int products = plan.CountCalls(Statement::kProduct),
            scatters = plan.CountCalls(Statement::kScatter),
            sorts = plan.CountCalls(Statement::kSort);
  for (const Stage &stage : plan.rule.stages) statements += CountStatements(stage.body);
  const auto fact = [](const char *name, int count) {
    return std::string(".") + name + "(" + std::to_string(count) + ")";
  };
  std::string facts = fact("Statements", statements);
  if (plan.passes() > 1 || products + scatters + sorts > 0) facts += fact("Passes", plan.passes());
  if (products > 0) facts += fact("Products", products);
  if (scatters > 0) facts += fact("Scatters", scatters);
  if (sorts > 0) facts += fact("Sorts", sorts);
  facts += fact("Bytes", plan.bytes);
  const std::string unfused =
      fact("UnfusedPasses", plan.unfused_passes) + fact("UnfusedBytes", plan.unfused_bytes);
  return "static constexpr mshadow::RuleInfo kInfo =\n" +
         Indented(RenderList("mshadow::RuleInfo::Of(",
                             {Quoted(rule.rule()), Quoted(Qualified(rule.spec_path())),
                              Quoted(plan.rule.spec), "kParams"},
                             ")", kLineWidth - 6),
                  4) +
         "\n        " + facts + "\n        " + unfused + ";";
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
  return RenderList(rule.Global(rule.cpp_name()) + "(", args, ");", kLineWidth - 4);
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
