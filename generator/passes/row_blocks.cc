// SPDX-License-Identifier: Apache-2.0
#include "passes/row_blocks.h"

namespace mgen {
namespace {

/// The most operands for which RowBlock (packet/row_block.inc) has copies.
constexpr size_t kMostOperands = 16;

/// Whether the rows of an operand lie at one distance, and are taken as they lie.
bool HasEvenRows(const Plan &plan, size_t i) {
  const Operand &operand = plan.operands[i];
  if (operand.param < 0 || operand.is_temporary || operand.axes.is_picked()) return true;
  return plan.rule.params[operand.param].has_even_rows() &&
         plan.ViewOf(static_cast<int>(i)) == nullptr;
}

}  // namespace

bool TakesRowsTogether(const Plan &plan) {
  if (!plan.kept.is_rows() || !plan.ReducesOnlyBy(Order::kLanes)) return false;
  if (plan.scans || plan.leaves || plan.rule.is_expression) return false;
  if (plan.uses_place || plan.uses_numbers) return false;
  if (plan.operands.size() > kMostOperands) return false;
  for (size_t i = 0; i < plan.operands.size(); ++i) {
    if (!HasEvenRows(plan, i)) return false;
  }
  return true;
}

}  // namespace mgen
