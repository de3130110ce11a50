// SPDX-License-Identifier: Apache-2.0
// adamw.gen.cc: the scalars of a launch, computed on the host.
#include <algorithm>
#include <set>

#include "backends/common/host_formula.h"
#include "backends/cpu/pieces.h"
#include "emit/names.h"
#include "emit/template.h"
#include "ir/walk.h"

namespace mgen {
namespace {

/// Parameters and locals that the scalars of the launch depend on.
struct Needs {
  std::set<int> params, locals;

  void Add(const Rule &rule, const Expr &expr) {
    ForEachNode(expr, [&](const Expr &node) {
      if (node->op == Op::kParam || node->op == Op::kDim) params.insert(node->index);
      if (node->op == Op::kLocal && locals.insert(node->index).second) {
        Add(rule, rule.prologue[node->index].value);
      }
    });
  }
};

Needs NeedsOf(const Plan &plan) {
  Needs needs;
  for (const HostScalar &scalar : plan.scalars) needs.Add(plan.rule, scalar.value);
  for (const Condition &condition : plan.conditions) needs.Add(plan.rule, condition.value);
  return needs;
}

/// Whether PrepareAdamW is a template.
bool PrepareDependsOnTypes(const PlanText &rule) {
  const Rule &r = rule.plan().rule;
  const Needs needs = NeedsOf(rule.plan());
  const auto symbolic_param = [&](int i) { return r.params[i].type.symbolic(); };
  const auto symbolic_local = [&](int i) { return r.prologue[i].type.symbolic(); };
  return rule.scalars_depend_on_types() ||
         std::any_of(needs.params.begin(), needs.params.end(), symbolic_param) ||
         std::any_of(needs.locals.begin(), needs.locals.end(), symbolic_local);
}

std::string PrepareSignature(const PlanText &rule) {
  std::vector<std::string> params;
  for (int i : PrepareParams(rule)) {
    const Param &param = rule.plan().rule.params[i];
    const std::string type = rule.TypeName(param.type);
    params.push_back((param.is_tensor ? TensorArg(type) : type + " ") + rule.param_name(i));
  }
  return RenderList(rule.ScalarsType() + " Prepare" + rule.rule() + "(", params, ") {");
}

/// The lines that compute the scalars of a launch.
class PrepareLines {
 public:
  explicit PrepareLines(const PlanText &rule)
      : rule_(rule), plan_(rule.plan()), formulas_(rule, &lines_) {}

  std::string Run() {
    for (int i : NeedsOf(plan_).locals) {
      const Local &local = plan_.rule.prologue[i];
      formulas_.Add("const " + rule_.TypeName(local.type) + " " + rule_.local_name(i) + " = ",
                    local.value, ";", rule_.HostStyle());
    }
    lines_.push_back(rule_.ScalarsType() + " s;");
    for (size_t i = 0; i < plan_.scalars.size(); ++i) {
      Set(rule_.scalar_name(i), plan_.scalars[i].value, true);
    }
    for (size_t i = 0; i < plan_.conditions.size(); ++i) {
      const Condition &condition = plan_.conditions[i];
      Set(rule_.condition_member(i), condition.value, condition.of_element);
    }
    if (uses_packets_) {
      const std::string names = "#include <mshadow/packet/scalar_names.inc>";
      lines_.insert(lines_.begin(), names + "  // " + rule_.WhyPackets());
    }
    return Join(lines_, "\n");
  }

 private:
  /// Sets a member of the scalars. A value that was a part of an element's value is computed like
  /// elements. The condition of an `if` of the spec is computed as on the host.
  void Set(const std::string &member, const Expr &value, bool of_element) {
    const std::string head = "s." + member + " = ";
    if (!of_element || !rule_.NeedsPackets(value)) {
      return formulas_.Add(head, value, ";", rule_.HostStyle());
    }
    uses_packets_ = true;
    // A mask of one lane is 0 or 1 as an integer.
    const bool is_mask = value->type.kind == ScalarKind::kBool && !value->type.symbolic();
    formulas_.Add(head + (is_mask ? "Lane(Cast<int32_t>(" : "Lane("), value,
                  is_mask ? "), 0) != 0;" : ", 0);", rule_.HostPacketStyle());
  }

  const PlanText &rule_;
  const Plan &plan_;
  std::vector<std::string> lines_;
  HostFormulas formulas_;
  bool uses_packets_ = false;
};

}  // namespace

std::string TensorArg(const std::string &type) {
  return "const mshadow::TensorArg<" + type + "> &";
}

std::vector<int> PrepareParams(const PlanText &rule) {
  const Needs needs = NeedsOf(rule.plan());
  return {needs.params.begin(), needs.params.end()};
}

std::string PrepareText(const PlanText &rule) {
  if (!rule.has_scalars()) return "";
  Values values;
  values.Set("rule", rule.rule())
      .Set("template", PrepareDependsOnTypes(rule) ? TemplateLine(rule.TypenameParams()) : "")
      .Set("signature", PrepareSignature(rule))
      .Set("body", PrepareLines(rule).Run());
  return RenderTemplate("cpu/prepare.tmpl.gen.cc", values);
}

std::string PrepareCall(const PlanText &rule, const std::string &name) {
  return PrepareCall(rule, name, {rule.type_params(), "args."});
}

std::string PrepareCall(const PlanText &rule, const std::string &name, const PrepareFrom &from) {
  std::vector<std::string> args;
  for (int i : PrepareParams(rule)) {
    const Param &param = rule.plan().rule.params[i];
    const bool is_narrowed = CallerType(param) != param.type;
    const std::string value = from.before + rule.param_name(i);
    args.push_back(is_narrowed ? "static_cast<" + rule.TypeName(param.type) + ">(" + value + ")"
                               : value);
  }
  const std::string generic = PrepareDependsOnTypes(rule) ? TemplateArgs(from.types) : "";
  const std::string make = "return Prepare" + rule.rule() + generic + "(";
  const std::string head = "const auto " + name + " = mshadow::Strictly([&] {";
  const std::string line = head + " " + make + Join(args, ", ") + "); });";
  if (line.size() + 2 <= kLineWidth) return line;
  return head + "\n" + Indented(RenderList(make, args, ");", kLineWidth - 4)) + "\n});";
}

}  // namespace mgen
