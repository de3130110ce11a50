// SPDX-License-Identifier: Apache-2.0
#include "passes/joined_rows.h"

namespace mgen {
namespace {

/// Whether the launch can tell by a view's distances whether its rows follow each other in a run:
/// the view reads one tensor, has all its elements, and has planes.
bool HasDistances(const IndexedRead &read) {
  return read.extents.size() > 2 && read.is_plain() && read.sources.front().bounds.empty();
}

}  // namespace

bool JoinsRows(const Plan &plan) {
  if (!plan.kept.is_every() || plan.uses_place || plan.uses_numbers) return false;
  if (plan.rule.is_expression || plan.schedule.short_rows > 0) return false;
  bool has_views = false;
  for (size_t i = 0; i < plan.operands.size(); ++i) {
    const Operand &operand = plan.operands[i];
    if (operand.is_temporary || operand.axes.is_none()) continue;
    if (!operand.axes.is_every() || !plan.rule.params[operand.param].has_even_rows()) return false;
    if (plan.ViewOf(static_cast<int>(i)) == nullptr) continue;
    if (!operand.load || !operand.used.always()) return false;
    if (!operand.read || !HasDistances(*operand.read)) return false;
    has_views = true;
  }
  return has_views;
}

}  // namespace mgen
