// SPDX-License-Identifier: Apache-2.0
/// \file reduce_blocks.h
/// Rows and columns reduced many at a time, which CPUs do faster than one by one; the order of each
/// is the same, pairwise_tree.h.
#ifndef MSHADOW_EXTENSION_REDUCE_BLOCKS_H_
#define MSHADOW_EXTENSION_REDUCE_BLOCKS_H_

#include "mshadow/expr/run.h"
#include "mshadow/extension/lane_vector.h"
#include "mshadow/extension/pairwise_tree.h"

#include "mshadow/detail/strict_push.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN
namespace detail {

/// Takes elements x … x + n - 1 of rows y, y + step, … (\p count of them) into result[0 … n - 1],
/// each column's in the order of the rows. Four rows at a time: results are loaded and stored once
/// for four elements.
template <typename Reducer, typename Acc, typename DType, typename Src, typename Step>
MSHADOW_CINLINE void ReduceRun(const Src &src, index_t y, Step step, index_t count, index_t x,
                               int n, Acc *__restrict result) {
  index_t k = 0;
  for (; k + 4 <= count; k += 4, y += 4 * step) {
    const Run<Src, DType> a(src, y, x, n), b(src, y + step, x, n);
    const Run<Src, DType> c(src, y + 2 * step, x, n), d(src, y + 3 * step, x, n);
    for (int i = 0; i < n; ++i) {
      Acc value = result[i];
      Reducer::Reduce(value, static_cast<Acc>(a[i]));
      Reducer::Reduce(value, static_cast<Acc>(b[i]));
      Reducer::Reduce(value, static_cast<Acc>(c[i]));
      Reducer::Reduce(value, static_cast<Acc>(d[i]));
      result[i] = value;
    }
  }
  for (; k < count; ++k, y += step) {
    const Run<Src, DType> run(src, y, x, n);
    for (int i = 0; i < n; ++i) Reducer::Reduce(result[i], static_cast<Acc>(run[i]));
  }
}

/// out[i] is in[2 i] merged with in[2 i + 1].
template <typename Reducer, typename Acc>
MSHADOW_CINLINE void MergeNeighbours(const Acc *__restrict in, int count, Acc *__restrict out) {
  for (int i = 0; i < count; ++i) {
    Acc value = in[2 * i];
    MergeInto<Reducer>(value, static_cast<Acc>(in[2 * i + 1]));
    out[i] = value;
  }
}

/// ReduceRow, faster.
template <typename Reducer, typename Acc, typename Src>
MSHADOW_CINLINE void ReduceRowFast(const Src &src, index_t y, index_t cols, Acc *lanes) {
  if constexpr (!kHasLaneVector<Reducer, Acc>) {
    ReduceRow<Reducer>(src, y, cols, lanes);
  } else if (cols <= kReduceLeaf) {
    ReduceLeafVector<Reducer>(src, y, 0, cols, lanes);
  } else {
    PairwiseTree<Reducer, Acc, kReduceLanes> tree;
    for (index_t x = 0; x < cols; x += kReduceLeaf) {
      ReduceLeafVector<Reducer>(src, y, x, LeafEnd(x, cols), lanes);
      tree.Push(lanes);
    }
    const Acc *const result = tree.Finish();
    for (int l = 0; l < kReduceLanes; ++l) lanes[l] = result[l];
  }
}

constexpr int kRowBlock = 32;  ///< rows, each with a result of its own, that are reduced together
constexpr int kFewLanes = 8;   ///< where no more elements are, the other lanes change nothing

/// ReduceRowBlock of rows of at most kFewLanes elements, which have a lane each.
template <typename Reducer, typename Acc, typename Src, typename Step>
MSHADOW_CINLINE void ReduceShortRows(const Src &src, index_t y, Step step, int count, index_t cols,
                                     Acc *out) {
  Acc lanes[kRowBlock * kFewLanes], half[kRowBlock * kFewLanes / 2], buffer[kFewLanes];
  for (int i = 0; i < kFewLanes * count; ++i) Reducer::SetInitValue(lanes[i]);
  for (int i = 0; i < count; ++i, y += step) {
    const Acc *const values = detail::LeafValues(src, y, 0, cols, buffer);
    Acc *const row = lanes + i * kFewLanes;
    index_t x = 0;
    for (; x + 4 <= cols; x += 4) {
      FourResults<Reducer, Acc> four;
      four.Reduce(values + x);
      four.Store(row + x);
    }
    for (; x < cols; ++x) Reducer::Reduce(row[x], values[x]);
  }
  MergeNeighbours<Reducer>(lanes, 4 * count, half);
  MergeNeighbours<Reducer>(half, 2 * count, lanes);
  MergeNeighbours<Reducer>(lanes, count, out);
}

/// Rows y, y + step, … (\p count of them, kRowBlock at most) of \p cols elements to a result each,
/// as ReduceRow and ReduceAcross do it. The lanes of all rows are merged side by side.
template <typename Reducer, typename Acc, typename Src, typename Step>
MSHADOW_CINLINE void ReduceRowBlock(const Src &src, index_t y, Step step, int count, index_t cols,
                                    Acc *out) {
  static_assert(kReduceLanes == 16, "four halvings");
  if constexpr (kHasLaneVector<Reducer, Acc>) {
    if (cols <= kFewLanes) return ReduceShortRows<Reducer>(src, y, step, count, cols, out);
  }
  Acc lanes[kRowBlock * kReduceLanes], half[kRowBlock * kReduceLanes / 2];
  for (int i = 0; i < count; ++i, y += step) {
    ReduceRowFast<Reducer>(src, y, cols, lanes + i * kReduceLanes);
  }
  MergeNeighbours<Reducer>(lanes, 8 * count, half);
  MergeNeighbours<Reducer>(half, 4 * count, lanes);
  MergeNeighbours<Reducer>(lanes, 2 * count, half);
  MergeNeighbours<Reducer>(half, count, out);
}

/// kCount rows' lanes, a power of two, merged into the first as PairwiseTree merges so many leaves.
template <typename Reducer, int kCount, typename Acc>
MSHADOW_CINLINE void MergeRows(Acc (*rows)[kReduceLanes]) {
  if constexpr (kCount > 1) {
    for (int r = 0; r < kCount / 2; ++r) {
      Acc merged[kReduceLanes];
      for (int l = 0; l < kReduceLanes; ++l) {
        merged[l] = rows[2 * r][l];
        MergeInto<Reducer>(merged[l], rows[2 * r + 1][l]);
      }
      for (int l = 0; l < kReduceLanes; ++l) rows[r][l] = merged[l];
    }
    MergeRows<Reducer, kCount / 2>(rows);
  }
}

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#include "mshadow/detail/strict_pop.h"

#endif  // MSHADOW_EXTENSION_REDUCE_BLOCKS_H_
