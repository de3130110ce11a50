// SPDX-License-Identifier: Apache-2.0
#include "passes/short_rows.h"

#include "ir/builder.h"
#include "ir/extents.h"

namespace mgen {
namespace {

/// Up to four elements: of longer rows a packet holds few.
constexpr int64_t kMost = 4;

/// The extent of the last dimension of an operand, if it is a slice or a view. Only a number
/// matters.
Affine ColumnsOf(const Plan &plan, const Operand &operand) {
  const Param &param = plan.rule.params[operand.param];
  if (operand.read && !operand.read->moved) return operand.read->extents.back();
  if (param.is_part() && param.view->is_reshaped && param.rank != Param::kRankParam) {
    return Affine::Of(ExtentOfPart(plan.rule, operand.param, param.rank - 1));
  }
  if (param.is_part()) {
    const bool is_any = param.rank == Param::kRankParam;
    const int last = param.view->LastRangeOf(is_any ? Node::kLastDim : param.rank - 1);
    if (last >= 0) {
      const auto range = static_cast<size_t>(last);
      return Affine::Of(param.view->End(range)) - Affine::Of(param.view->Begin(range));
    }
  }
  return Affine::Of(MakeDim(operand.param, Node::kLastDim));
}

/// Whether row y of a view is row y of its tensor, of which it has a range, or one element; or
/// element y of all elements of its tensor.
bool KeepsRows(const IndexedRead &read) {
  if (!read.is_plain() || !read.sources.front().bounds.empty()) return false;
  const std::vector<Affine> &indices = read.sources.front().indices;
  if (read.extents.size() < 2) return false;
  const int last = static_cast<int>(read.extents.size()) - 1;
  if (static_cast<int>(indices.size()) < last || indices.size() > read.extents.size()) return false;
  for (int d = 0; d < last; ++d) {
    if (!(indices[static_cast<size_t>(d)] == Affine::Of(MakeAxis(d)))) return false;
  }
  if (static_cast<int>(indices.size()) == last) return true;
  const Affine &along = indices.back();
  return !along.has_axes() || !(along - Affine::Of(MakeAxis(last))).has_axes();
}

/// Whether an operand only has to fit. It may be a read with more axes than the kernel has.
bool IsOnlyChecked(const Operand &operand) { return !operand.load && operand.store.never(); }

/// Whether the rows of an operand lie at one distance.
bool HasPlainRows(const Plan &plan, size_t operand) {
  const Operand &of = plan.operands[operand];
  if (of.is_temporary || IsOnlyChecked(of)) return true;
  if (of.axes.is_picked()) return false;
  if (!plan.rule.params[of.param].has_even_rows()) return false;
  if (plan.ViewOf(static_cast<int>(operand)) == nullptr) return true;
  return of.read && KeepsRows(*of.read);
}

}  // namespace

int ShortRowsOf(const Plan &plan) {
  if (!plan.kept.is_every() || plan.uses_place || plan.uses_numbers || plan.rule.is_expression) {
    return 0;
  }
  int64_t columns = 0;
  for (size_t i = 0; i < plan.operands.size(); ++i) {
    if (!HasPlainRows(plan, i)) return 0;
    if (IsOnlyChecked(plan.operands[i])) continue;
    const Affine known = ColumnsOf(plan, plan.operands[i]);
    if (plan.operands[i].axes.is_every() && known.is_constant()) columns = known.constant();
  }
  return 0 < columns && columns <= kMost ? static_cast<int>(columns) : 0;
}

}  // namespace mgen
