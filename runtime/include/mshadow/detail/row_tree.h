// SPDX-License-Identifier: Apache-2.0
/// \file row_tree.h
/// The order in which the elements of a row are reduced, unfused and fused, on CPUs and GPUs:
/// element x goes to lane x % kRowLanes. Leaves of kRowLeaf elements are combined lane by lane,
/// pairwise in the order of their index; the lanes of the result are combined pairwise.
///
/// Columns lie side by side, so each of them is what a lane is above: leaves of kColumnLeaf rows,
/// combined pairwise.
///
/// A scan of a row goes over leaves of kScanLeaf elements, from the first to the last. In a leaf,
/// blocks of 1, 2, 4 and 8 elements become blocks of twice as many: the last element of the first
/// block is combined with each element of the second one. Then what all earlier leaves have given,
/// at first the reducer's initial value, is combined with each element of the leaf. That of the
/// leaf's last element is what the earlier leaves have given for the next leaf.
#ifndef MSHADOW_ROW_TREE_H_
#define MSHADOW_ROW_TREE_H_

#include "mshadow/base.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN

constexpr int kRowLanes = 16;
constexpr index_t kRowLeaf = 32 * kRowLanes;  ///< elements

constexpr index_t kColumnLeaf = kRowLeaf / kRowLanes;  ///< rows

constexpr int kScanLeaf = 16;  ///< elements

/// Of how many elements of a row a CPU keeps a value of type T from one sweep to the next: 128 KB
/// of the stack.
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
