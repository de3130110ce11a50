// SPDX-License-Identifier: Apache-2.0
/// \file row_tree.h
/// The order in which the elements of a row are reduced, unfused and fused, on CPUs and GPUs:
/// element x goes to lane x % kRowLanes. Leaves of kRowLeaf elements are combined lane by lane,
/// pairwise in the order of their index; the lanes of the result are combined pairwise.
///
/// Each column is reduced like one of these lanes: the rows of a leaf of kColumnLeaf rows are
/// combined in order, and leaves pairwise.
///
/// A scan of a row goes over leaves of kScanLeaf elements, from the first to the last. In a leaf,
/// blocks of 1, 2, 4 and 8 elements become blocks of twice as many: the last element of the first
/// block is combined with each element of the second one. Then the result of all earlier leaves is
/// combined with each element of the leaf. For the first leaf that is the reducer's initial value;
/// for any other leaf, the final result of the last element of the leaf before.
#ifndef MSHADOW_ROW_TREE_H_
#define MSHADOW_ROW_TREE_H_

#include "mshadow/base.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN

constexpr int kRowLanes = 16;
constexpr index_t kRowLeaf = 32 * kRowLanes;  ///< elements

constexpr index_t kColumnLeaf = kRowLeaf / kRowLanes;  ///< rows

constexpr int kScanLeaf = 16;  ///< elements

/// The most elements of a row for which a CPU keeps a value of type T from one sweep to the next.
/// The values are on the stack, in 128 KB.
template <typename T>
constexpr index_t kRowBuffer = static_cast<index_t>((128 << 10) / sizeof(T));

/// One past the last element of the leaf from element \p begin on, in a row of \p cols elements.
MSHADOW_XINLINE index_t LeafEnd(index_t begin, index_t cols) {
  return cols - begin < kRowLeaf ? cols : begin + kRowLeaf;
}
/// One past the last row of the leaf from row \p begin on, in columns of \p rows elements.
MSHADOW_XINLINE index_t ColumnLeafEnd(index_t begin, index_t rows) {
  return rows - begin < kColumnLeaf ? rows : begin + kColumnLeaf;
}

MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_ROW_TREE_H_
