// SPDX-License-Identifier: Apache-2.0
#include "passes/joined_rows.h"

namespace mgen {
namespace {

/// Whether a view reads one tensor, and has all its elements.
bool HasAll(const IndexedRead &read) {
  return read.is_plain() && read.sources.front().bounds.empty();
}

/// Whether several rows may be one, as far as tensors and the numbers of rows go.
/// \param joins says whether the rows of the view that is an operand may
/// \param views is how many views are loaded
template <typename Joins>
bool MayJoin(const Plan &plan, int *views, const Joins &joins) {
  if (!plan.kept.is_every() || plan.uses_place || plan.uses_numbers) return false;
  if (plan.rule.is_expression || plan.schedule.short_rows > 0) return false;
  for (size_t i = 0; i < plan.operands.size(); ++i) {
    const Operand &operand = plan.operands[i];
    if (operand.is_temporary || operand.axes.is_none()) continue;
    if (!operand.axes.is_every() || !plan.rule.params[operand.param].has_even_rows()) return false;
    if (plan.ViewOf(static_cast<int>(i)) == nullptr) continue;
    if (!operand.load || !operand.used.always()) return false;
    if (!operand.read || !HasAll(*operand.read) || !joins(static_cast<int>(i))) return false;
    ++*views;
  }
  return true;
}

}  // namespace

bool JoinsRows(const Plan &plan) {
  // Without planes the launch cannot tell by a view's distances whether rows follow each other.
  const auto has_planes = [&plan](int view) {
    return plan.operands[view].read->extents.size() > 2;
  };
  int views = 0;
  return MayJoin(plan, &views, has_planes) && views > 0;
}

bool JoinsTiled(const Plan &plan) {
  const auto is_tiled = [&plan](int view) { return plan.schedule.is_tiled(view); };
  int views = 0;
  return MayJoin(plan, &views, is_tiled) && views > 0;
}

int CollectedOf(const Plan &plan) {
  // Each has room for its rows on the stack, 16 KiB.
  constexpr int kMostViews = 4;
  const auto is_of_tensor = [&plan](int view) {
    const IndexedRead &read = *plan.operands[view].read;
    return !plan.schedule.is_tiled(view) && read.sources.front().tensor >= 0 &&
           read.extents.size() > 1;
  };
  int views = 0;
  return MayJoin(plan, &views, is_of_tensor) && views <= kMostViews ? views : 0;
}

}  // namespace mgen
