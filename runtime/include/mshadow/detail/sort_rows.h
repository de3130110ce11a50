// SPDX-License-Identifier: Apache-2.0
/// \file sort_rows.h
/// Sorts of the rows of a matrix: what a sort gets, unfused and as a stage of a rule.
#ifndef MSHADOW_SORT_ROWS_H_
#define MSHADOW_SORT_ROWS_H_

#include "mshadow/base.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {

/// The first `count` elements of each row, sorted. Equal elements keep their order.
template <typename DType>
struct RowsToSort {
  DType *values;  ///< (rows, count): gets the elements; null: they are not wanted
  index_t values_stride;
  void *columns;  ///< (rows, count): gets their columns; null: they are not wanted
  int type;       ///< of `columns`: DataType<T>::kFlag
  index_t columns_stride;
  const DType *src;  ///< (rows, cols)
  index_t src_stride;
  index_t rows, cols, count;
  bool ascends;  ///< the least come first; NaN counts as greatest
};

/// Sorts the rows that a caller has checked, in threads.
template <typename DType>
void SortRowsOnCpu(const RowsToSort<DType> &task);

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_SORT_ROWS_H_
