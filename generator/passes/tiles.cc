// SPDX-License-Identifier: Apache-2.0
#include "passes/tiles.h"

#include <algorithm>

namespace mgen {
namespace {

/// The most operands that are read in tiles. Tiles are on the stack: each takes 16 KiB, in a kernel
/// over rows 256 KiB.
size_t MostTiles(const Plan &plan) { return plan.kept.is_rows() ? 2 : 4; }

bool MayHaveTiles(const Plan &plan) {
  return (plan.kept.is_every() || plan.kept.is_rows()) && !plan.rule.is_expression;
}

/// Whether all loads of an operand are those of an element of each row: none is under a condition,
/// none picks one by an index, and none reads a value of the row.
bool IsReadByElements(const Operand &operand) {
  return operand.load && operand.read && operand.used.always() && operand.axes.is_every();
}

}  // namespace

int AxisAcross(const IndexedRead &read) {
  if (!read.is_plain()) return -1;
  const std::vector<Affine> &indices = read.sources.front().indices;
  const int last = static_cast<int>(read.extents.size()) - 1;
  const bool is_across =
      std::any_of(indices.begin(), indices.end() - 1,
                  [last](const Affine &index) { return index.FactorOfAxis(last) != 0; });
  if (!is_across) return -1;
  int axis = last - 1;
  while (axis >= 0 && indices.back().FactorOfAxis(axis) != 1) --axis;
  return axis;
}

void ScheduleTiles(Plan *plan) {
  Schedule &schedule = plan->schedule;
  if (!MayHaveTiles(*plan)) return;
  for (size_t i = 0; i < plan->operands.size() && schedule.tiled.size() < MostTiles(*plan); ++i) {
    const Operand &operand = plan->operands[i];
    if (!IsReadByElements(operand)) continue;
    const int axis = AxisAcross(*operand.read);
    // A kernel over rows takes them in their order.
    const bool is_next = axis + 2 == static_cast<int>(operand.read->extents.size());
    if (plan->kept.is_rows() && !is_next) continue;
    // All tiles have as many rows as a cache line has elements, and the same rows.
    const bool fits =
        schedule.tiled.empty() || (operand.type == plan->operands[schedule.tiled.front()].type &&
                                   axis == schedule.tiled_along);
    if (axis < 0 || !fits) continue;
    schedule.tiled.push_back(static_cast<int>(i));
    schedule.tiled_along = axis;
  }
}

}  // namespace mgen
