// SPDX-License-Identifier: Apache-2.0
/// \file row_fold.h
/// Joins short rows of tensors without gaps: several rows become one, so that packets are full. An
/// operand with a single row for all of them, such as a bias, is repeated.
#ifndef MSHADOW_ROW_FOLD_H_
#define MSHADOW_ROW_FOLD_H_

#include <cstdint>
#include <cstring>
#include <initializer_list>

#include "mshadow/base.h"

namespace mshadow {

/// The most elements of a joined row.
inline constexpr index_t kFoldedRow = 512;

/// How many rows of \p cols elements to join: a power of two. It is 1 if rows are long or few, or
/// if one of the \p strides from row to row says that there are gaps.
MSHADOW_CINLINE index_t RowsToFold(index_t rows, index_t cols,
                                   std::initializer_list<int64_t> strides) {
  if (cols < 1 || cols > kFoldedRow) return 1;
  index_t fold = 1;
  while (2 * fold * cols <= kFoldedRow && 4 * fold <= rows) fold *= 2;
  for (const int64_t stride : strides) {
    if (stride != static_cast<int64_t>(cols)) return 1;
  }
  // With fewer, less is saved than the copies take.
  return fold < 4 ? 1 : fold;
}

/// A row of \p cols elements, repeated \p fold times. Null: a row that is not read.
template <typename T>
struct RowCopies {
  alignas(64) T values[kFoldedRow];

  MSHADOW_CINLINE RowCopies(const T *row, index_t cols, index_t fold) {
    if (row == nullptr) return;
    std::memcpy(static_cast<void *>(values), row, static_cast<size_t>(cols) * sizeof(T));
    for (index_t copies = 1; copies < fold; copies *= 2) {
      const index_t done = copies * cols;
      std::memcpy(static_cast<void *>(values + done), values,
                  static_cast<size_t>(done) * sizeof(T));
    }
  }
};

}  // namespace mshadow

#endif  // MSHADOW_ROW_FOLD_H_
