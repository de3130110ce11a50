// SPDX-License-Identifier: Apache-2.0
/// \file parts.h
/// How work is split into chunks for threads. A rule that reduces everything treats all elements as
/// one row (row_tree.h), and a chunk is a whole subtree of the reduction. So results do not depend
/// on the number of chunks. A rule that reduces columns splits its rows likewise.
#ifndef MSHADOW_PARTS_H_
#define MSHADOW_PARTS_H_

#include <cstdint>
#include <initializer_list>
#include <limits>

#include "mshadow/detail/row_tree.h"
#include "mshadow/emitted/plan.h"
#include "mshadow/parallel.h"

namespace mshadow {

/// The most chunks of a reduction of everything.
constexpr index_t kMaxParts = 256;

/// [0, size) in chunks; the number of leaves in a chunk is a power of two. The range counts all
/// elements in row-major order, or the rows of a matrix whose columns are reduced.
struct Parts {
  index_t size;   ///< elements, or rows
  index_t part;   ///< the length of each chunk but the last
  index_t count;  ///< chunks; 0 if size is 0

  MSHADOW_XINLINE index_t Begin(index_t p) const { return p * part; }
  MSHADOW_XINLINE index_t End(index_t p) const {
    return size - p * part < part ? size : (p + 1) * part;
  }
  /// One past the last element of the leaf whose first element is \p begin.
  MSHADOW_XINLINE index_t EndOfLeaf(index_t begin) const { return LeafEnd(begin, size); }
};

/// \param part the length of each chunk but the last
inline Parts InChunksOf(index_t part, index_t size) {
  return {size, part, size > 0 ? (size - 1) / part + 1 : 0};
}

/// The chunks of \p size elements: at most kMaxParts, so that one thread can combine their partial
/// sums, and enough for many threads.
inline Parts MakeParts(index_t size) {
  index_t part = 8 * kRowLeaf;
  while (size > 0 && part <= (size - 1) / kMaxParts) part *= 2;
  return InChunksOf(part, size);
}

/// How many columns a thread reduces together: for float, 4 KiB of each row, which is a page.
constexpr index_t kBlockColumns = 1024;

MSHADOW_XINLINE index_t BlocksOfColumns(index_t cols, index_t block = kBlockColumns) {
  return (cols + block - 1) / block;
}

/// Rows of a matrix whose columns are reduced: rows of memory begin, begin + step, ... below end.
struct RowsOfMatrix {
  index_t begin, end, step;
};

/// A tensor as matrices whose columns are reduced. There is a matrix for each combination of
/// coordinates in the dimensions before the reduced one and between it and a row of memory.
struct ColumnShape {
  index_t outer;  ///< the product of the extents before the reduced dimension
  index_t rows;   ///< the extent of the reduced dimension
  index_t inner;  ///< the product of the extents between the reduced dimension and a row of memory
  index_t cols;   ///< elements of a row of memory

  MSHADOW_XINLINE index_t matrices() const { return outer * inner; }
  /// The number of columns of all matrices. Each column is reduced to one value.
  MSHADOW_XINLINE index_t size() const { return matrices() * cols; }
  MSHADOW_XINLINE index_t elements() const { return size() * rows; }
  /// Rows [begin, end) of a matrix.
  MSHADOW_XINLINE RowsOfMatrix Rows(index_t matrix, index_t begin, index_t end) const {
    if (inner == 1) return {matrix * rows + begin, matrix * rows + end, 1};
    const index_t first = matrix / inner * rows * inner + matrix % inner;
    return {first + begin * inner, first + end * inner, inner};
  }
};

/// The largest index that can be doubled.
constexpr index_t kMostDoubled = std::numeric_limits<index_t>::max() / 2;

/// The chunks of the rows, enough for as many threads as are worthwhile. All blocks of columns of
/// all chunks run in parallel.
/// \param bytes bytes that the kernel moves for each element
inline Parts MakeRowParts(const ColumnShape &shape, index_t bytes) {
  const index_t rows = shape.rows, threads = WorthwhileThreads(rows, shape.size() * bytes);
  const int64_t items = static_cast<int64_t>(rows) *
                        static_cast<int64_t>(shape.matrices() * BlocksOfColumns(shape.cols));
  const auto leaves_threads_some = [&](index_t part) {
    return threads == 1 || static_cast<int64_t>(part) * 4 * static_cast<int64_t>(threads) < items;
  };
  index_t part = kColumnLeaf;
  while (part < rows && part <= kMostDoubled && leaves_threads_some(part)) part *= 2;
  return InChunksOf(part, rows);
}

/// PhaseLaunch::phase of a launch that runs all phases.
constexpr index_t kAllPhases = static_cast<index_t>(-1);

/// A phase of a kernel that reduces columns.
struct ColumnPhase {
  bool is_sweep;  ///< true: a pass over the elements; false: an epilogue for each column
  index_t bytes;  ///< bytes that the pass moves for each element
};

/// Which phases of a kernel a launch runs, if they may be launched one by one.
struct PhaseLaunch {
  index_t phase;  ///< the index of the only phase, or kAllPhases
  index_t block;  ///< the columns of a block; only for kernels that reduce columns on a CPU
};

/// Runs `loop(plan, begin, end)` over blocks of columns, in parallel. If the rows are one chunk,
/// each call runs all phases. Otherwise each phase runs over all chunks and blocks, and ends before
/// the next begins.
/// \param launch the member of \p plan that says which phase a call runs
/// \param has_leaves whether another kernel has already run the first phase; each chunk is one leaf
void RunColumns(void (*loop)(const void *, index_t, index_t), const void *plan, PhaseLaunch *launch,
                const Parts &parts, const ColumnShape &shape,
                std::initializer_list<ColumnPhase> phases, bool has_leaves = false);

/// The partial sums of a reduction: kRowLanes values for each chunk.
template <typename T>
using PartsOf = T[kMaxParts][kRowLanes];

/// A RowRange that knows the lanes of a reduction.
class LaneRange : public RowRange {
 public:
  MSHADOW_XINLINE LaneRange(index_t begin, index_t end, index_t cols)
      : RowRange(begin, end, cols), cols_(cols) {}

  /// The index of the row's first element in row-major order.
  MSHADOW_XINLINE index_t first() const { return y() * cols_; }
  /// The lane of the row's first element in the range. It is lane 0 if the tensors are one run of
  /// memory.
  MSHADOW_XINLINE index_t lane() const { return (first() + begin()) % kRowLanes; }
  /// How many of the row's elements in the range come before the first element of lane 0.
  MSHADOW_XINLINE index_t head() const {
    const index_t to_block = (kRowLanes - lane()) % kRowLanes;
    return end() - begin() < to_block ? end() - begin() : to_block;
  }

 private:
  index_t cols_;
};

}  // namespace mshadow

#endif  // MSHADOW_PARTS_H_
