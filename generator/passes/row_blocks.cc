// SPDX-License-Identifier: Apache-2.0
#include "passes/row_blocks.h"

#include <algorithm>

#include "passes/short_rows.h"

namespace mgen {
namespace {

/// Whether rows of a view are some distance apart, and so are the elements of a row, all of which
/// are there.
bool HasEvenElements(const IndexedRead &read) {
  const bool is_strided = !read.is_counted && read.reducer.empty() && !read.holding &&
                          !read.moved && !read.computed && read.extents.size() == 2 &&
                          read.sources.size() == 1 && !read.is_nested() && !read.is_gathered() &&
                          read.sources.front().bounds.empty();
  if (!is_strided) return false;
  const std::vector<Affine> &indices = read.sources.front().indices;
  const int64_t factor = indices.back().FactorOfAxis(1);
  return factor == 1 ||
         (factor == 0 && std::any_of(indices.begin(), indices.end(), [](const Affine &index) {
            return index.FactorOfAxis(1) != 0;
          }));
}

/// Whether the rows of an operand lie at one distance, and are taken as they lie.
bool HasEvenRows(const Plan &plan, size_t i) {
  const Operand &operand = plan.operands[i];
  if (operand.param < 0 || operand.is_temporary) return true;
  if (operand.axes.is_picked()) return plan.kept.is_rows();
  if (!plan.rule.params[operand.param].has_even_rows()) return false;
  if (plan.ViewOf(static_cast<int>(i)) == nullptr) return true;
  return plan.kept.is_every() && operand.read && HasEvenElements(*operand.read);
}

/// How many matrices a kernel moves.
int MovesOf(const Plan &plan) {
  int moves = 0;
  for (const Operand &operand : plan.operands) {
    if (!operand.axes.is_every() || operand.is_temporary) continue;
    moves += (operand.load ? 1 : 0) + (operand.store.never() ? 0 : 1);
  }
  return moves;
}

/// The most operands for which RowBlock (packet/row_block.inc) has copies.
constexpr size_t kMostOperands = 16;

/// The most matrices that a kernel over elements moves in blocks. Each of them is copied, so the
/// more there are, the less is gained: AdamW, which moves seven, took 1.2 times as long.
constexpr int kMostMoves = 4;

}  // namespace

bool TakesRowsTogether(const Plan &plan) {
  const bool has_rows =
      plan.kept.is_rows()
          ? plan.ReducesOnlyBy(Order::kLanes) && !plan.scans && !plan.leaves
          : plan.kept.is_every() && ShortRowsOf(plan) == 0 && MovesOf(plan) <= kMostMoves;
  if (!has_rows || plan.uses_place || plan.uses_numbers || plan.rule.is_expression) return false;
  if (plan.operands.size() > kMostOperands) return false;
  for (size_t i = 0; i < plan.operands.size(); ++i) {
    if (!HasEvenRows(plan, i)) return false;
  }
  return true;
}

}  // namespace mgen
