// SPDX-License-Identifier: Apache-2.0
#include "passes/tiles.h"

#include <algorithm>

namespace mgen {
namespace {

/// The most operands that are read in tiles. Each tile is 16 KiB of the stack.
constexpr size_t kMostTiles = 4;

}  // namespace

int AxisAcross(const IndexedRead &read) {
  const bool is_plain = !read.is_counted && read.reducer.empty() && !read.holding && !read.moved &&
                        read.sources.size() == 1 && !read.is_nested() &&
                        read.sources.front().rows_by < 0;
  if (!is_plain) return -1;
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
  if (!plan->kept.is_every() || plan->rule.is_expression) return;
  for (size_t i = 0; i < plan->operands.size() && schedule.tiled.size() < kMostTiles; ++i) {
    const Operand &operand = plan->operands[i];
    if (!operand.load || !operand.read || !operand.gathered.always()) continue;
    const int axis = AxisAcross(*operand.read);
    // All tiles have as many rows as a cache line has elements, and the same rows.
    const bool fits = schedule.tiled.empty() ||
                      (operand.type == plan->operands[schedule.tiled.front()].type &&
                       axis == schedule.tiled_along);
    if (axis < 0 || !fits) continue;
    schedule.tiled.push_back(static_cast<int>(i));
    schedule.tiled_along = axis;
  }
}

}  // namespace mgen
