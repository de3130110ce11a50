// SPDX-License-Identifier: Apache-2.0
// norm.map.inc: reducers of a rule's own.
#include "backends/common/reducer_text.h"

#include <set>
#include <vector>

#include "emit/names.h"
#include "emit/shared_parts.h"
#include "emit/template.h"
#include "ir/builder.h"
#include "ir/walk.h"

namespace mgen {
namespace {

const Reducer &OwnReducer(const PlanText &rule, const Reduction &reduction) {
  return rule.plan().rule.reducers[reduction.own];
}

std::string StructName(const PlanText &rule, const Reducer &reducer, const char *suffix) {
  return rule.Function(CamelCase(reducer.name) + suffix);
}

/// A formula of two operands: a line for each subexpression that is used more than once, and then
/// the result.
class Formula {
 public:
  explicit Formula(const PlanText &rule) : style_(rule.PacketStyle()) {
    const auto leaf = style_.leaf;
    style_.leaf = [leaf](const Node &node) {
      return node.op == Op::kLet ? "v" + std::to_string(node.index) : leaf(node);
    };
  }

  std::string Text(const Expr &value) const {
    const SharedParts shared = ShareParts(value, 2);
    std::vector<std::string> lines;
    for (const Expr &part : shared.parts) {
      const std::string name = "v" + std::to_string(lines.size() + 1);
      lines.push_back(RenderExpr("const auto " + name + " = ", part, ";", style_, kWidth));
    }
    const bool is_literal = shared.value->op == Op::kLiteral;
    lines.push_back(RenderExpr(is_literal ? "return Vec<T, N>(" : "return ", shared.value,
                               is_literal ? ");" : ";", style_, kWidth));
    return Join(lines, "\n");
  }

  /// The initial value, as a single number.
  std::string InitialText(const Expr &value) {
    if (value->op == Op::kLiteral) return RenderExpr("return ", value, ";", style_, kWidth);
    style_.lanes = "1";
    return RenderExpr("return Lane(", value, ", 0);", style_, kWidth);
  }

 private:
  static constexpr int kWidth = kLineWidth - 4;

  ExprStyle style_;
};

std::string StructText(const PlanText &rule, const Reducer &reducer, const char *suffix,
                       const std::string &what, const Expr &value) {
  Values values;
  values.Set("what", what)
      .Set("rule", rule.rule())
      .Set("has_types", !rule.TypenameParams().empty())
      .Set("template", TemplateLine(rule.TypenameParams()))
      .Set("name", StructName(rule, reducer, suffix))
      .Set("initial", Formula(rule).InitialText(reducer.initial))
      .Set("combine", Formula(rule).Text(value));
  return RenderTemplate("common/reducer.tmpl.map.inc", values);
}

std::string NameOf(const PlanText &rule, const Reduction &reduction, const char *suffix) {
  if (reduction.own < 0) return std::string(Spelling(reduction.op));
  return StructName(rule, OwnReducer(rule, reduction), suffix) + TemplateArgs(rule.type_params());
}

}  // namespace

std::string ReducerName(const PlanText &rule, const Reduction &reduction) {
  return NameOf(rule, reduction, "Reducer");
}

std::string TermReducerName(const PlanText &rule, const Reduction &reduction) {
  const bool has_own_merge = reduction.own >= 0 && OwnReducer(rule, reduction).has_own_merge();
  return NameOf(rule, reduction, has_own_merge ? "Term" : "Reducer");
}

Reduction ReductionOf(const Node &scan) {
  return {"", scan.reducer, scan.type, Order::kLanes, scan.index};
}

std::string ScanClass(const PlanText &rule, const Node &scan) {
  const std::string type = rule.TypeName(scan.type) + ", N";
  if (scan.op == Op::kRecurrence) return "RowRecurrence<" + type + ">";
  const std::string reducer = ReducerName(rule, ReductionOf(scan));
  const std::string term = TermReducerName(rule, ReductionOf(scan));
  return "RowScan<" + reducer + ", " + type + (term == reducer ? "" : ", " + term) + ">";
}

std::string ReducersText(const PlanText &rule) {
  const std::set<int> used = rule.plan().OwnReducers();
  std::string text;
  for (const int i : used) {
    const Reducer &own = rule.plan().rule.reducers[i];
    text += StructText(rule, own, "Reducer", own.name + ", of two results", own.merge);
    if (!own.has_own_merge()) continue;
    text += StructText(rule, own, "Term", own.name + ", of a result and an element", own.reduce);
  }
  return text;
}

}  // namespace mgen
