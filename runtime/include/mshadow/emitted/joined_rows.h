// SPDX-License-Identifier: Apache-2.0
/// \file joined_rows.h
/// Takes the rows of a plane, such as those of an image, as one row, if they follow each other
/// without gaps in all tensors of a kernel. Packets and tiles are then full, though rows are short.
#ifndef MSHADOW_JOINED_ROWS_H_
#define MSHADOW_JOINED_ROWS_H_

#include "mshadow/base.h"
#include "mshadow/emitted/plan.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {

/// Whether \p count rows of \p cols elements follow each other.
template <typename T>
MSHADOW_CINLINE bool AreOneRun(const PlanView<T> &tensor, index_t, index_t cols) {
  return tensor.stride == static_cast<int64_t>(cols);
}
template <typename View>
MSHADOW_CINLINE bool AreOneRun(const View &view, index_t count, index_t cols) {
  return view.RowsOfRun(cols) == count;
}

template <typename T>
MSHADOW_CINLINE void TakeAsOne(PlanView<T> *tensor, index_t count) {
  tensor->stride *= static_cast<int64_t>(count);
}
template <typename View>
MSHADOW_CINLINE void TakeAsOne(View *view, index_t) {
  view->JoinRows();
}

}  // namespace detail

/// Joins the rows of \p plan if it can.
/// \param view a StridedView of three axes or more
/// \param others the other operands: such views, and tensors with an element for each of the kernel
template <typename Plan, typename View, typename... Operands>
MSHADOW_CINLINE void JoinRows(Plan *plan, View *view, Operands *...others) {
  const index_t cols = plan->cols, count = view->RowsOfRun(cols);
  if (count == 1 || !(detail::AreOneRun(*others, count, cols) && ...)) return;
  view->JoinRows();
  (detail::TakeAsOne(others, count), ...);
  plan->rows /= count;
  plan->cols *= count;
}

MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_JOINED_ROWS_H_
