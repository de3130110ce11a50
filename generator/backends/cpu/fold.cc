// SPDX-License-Identifier: Apache-2.0
// Short rows, combined with a vector that is the same for all: several at a time (row_fold.h).
#include <algorithm>

#include "backends/cpu/pieces.h"
#include "emit/names.h"
#include "emit/template.h"

namespace mgen {
namespace {

bool IsWhole(const Operand &operand) { return operand.axes.is_every(); }
bool IsSameRow(const Operand &operand) { return operand.axes == Axes::Last(); }

/// Whether rows differ only in their operands, and one operand is the same row for all rows.
bool Folds(const PlanText &rule) {
  const Plan &plan = rule.plan();
  if (!plan.kept.is_every() || plan.uses_place || plan.uses_views || plan.rule.is_expression ||
      plan.schedule.short_rows > 0) {
    return false;
  }
  bool same_row = false;
  for (int i : rule.Tensors()) {
    const Operand &operand = plan.operands[i];
    const bool is_row = IsSameRow(operand) && operand.store.never();
    if (!IsWhole(operand) && !is_row && !operand.axes.is_none()) return false;
    if (!plan.rule.params[operand.param].has_even_rows()) return false;
    same_row = same_row || is_row;
  }
  return same_row;
}

/// The row to be repeated: null where the launch does not use it.
std::string RowOf(const PlanText &rule, int operand) {
  const Guard used = rule.plan().UsedWhereRun(operand);
  const std::string row = "plan." + rule.operand_name(operand) + ".dptr";
  if (used.always()) return row;
  const std::string condition = rule.HostGuardText(used, "plan.scalars");
  return (used.terms.size() > 1 ? "(" + condition + ")" : condition) + " ? " + row + " : nullptr";
}

}  // namespace

std::string FoldText(const PlanText &rule) {
  if (!Folds(rule)) return "";
  std::vector<std::string> strides, copies, assigned;
  std::string folded;
  for (int i : rule.Tensors()) {
    const Operand &operand = rule.plan().operands[i];
    const std::string &name = rule.operand_name(i);
    if (IsWhole(operand)) {
      strides.push_back("plan." + name + ".stride");
      folded += "folded." + name + ".stride = ";
    } else if (IsSameRow(operand)) {
      copies.push_back(RenderList(
          "const mshadow::RowCopies<" + rule.TypeName(operand.type) + "> " + name + "(",
          {RowOf(rule, i), "plan.cols", "fold"}, ");", kLineWidth - 4));
      assigned.push_back("folded." + name + ".dptr = " + name + ".values;");
    }
  }
  Values values;
  values.Set("work", WorkFunction(rule))
      .Set("call", RenderList("const index_t fold = mshadow::RowsToFold(",
                              {"plan.rows", "plan.cols", "{" + Join(strides, ", ") + "}"}, ");",
                              kLineWidth - 2))
      .Set("copies", Join(copies, "\n"))
      .Set("assigned", Join(assigned, "\n"))
      .Set("strides", folded + "folded.cols;");
  return RenderTemplate("cpu/fold.tmpl.gen.cc", values);
}

}  // namespace mgen
