// SPDX-License-Identifier: Apache-2.0
/// \file parts.h
/// How the elements of a rule that reduces everything are shared out: as parts of one row of all
/// elements (row_tree.h), each a whole subtree of its reductions, so that results do not depend on
/// the number of parts; and the rows of one that reduces columns, likewise.
#ifndef MSHADOW_PARTS_H_
#define MSHADOW_PARTS_H_

#include <initializer_list>

#include "mshadow/detail/row_tree.h"
#include "mshadow/emitted/plan.h"
#include "mshadow/parallel.h"

namespace mshadow {

constexpr index_t kMaxParts = 256;

/// All \p size elements, in row-major order, in parts of so many leaves as is a power of two.
struct Parts {
  index_t size;   ///< elements
  index_t part;   ///< elements of each but the last
  index_t count;  ///< parts; 0 of nothing

  MSHADOW_XINLINE index_t Begin(index_t p) const { return p * part; }
  MSHADOW_XINLINE index_t End(index_t p) const {
    return size - p * part < part ? size : (p + 1) * part;
  }
  MSHADOW_XINLINE index_t EndOfLeaf(index_t leaf) const { return LeafEnd(leaf, size); }
};

/// The parts of \p size elements: few enough to be reduced by one thread, and enough for many.
inline Parts MakeParts(index_t size) {
  index_t part = 8 * kRowLeaf;
  while (part * kMaxParts < size) part *= 2;
  return {size, part, (size + part - 1) / part};
}

/// Columns that a thread reduces side by side: of floats 4 KB of each row, a page.
constexpr index_t kBlockColumns = 1024;

MSHADOW_XINLINE index_t BlocksOfColumns(index_t cols, index_t block = kBlockColumns) {
  return (cols + block - 1) / block;
}

/// Rows of memory, of a matrix that is reduced to its columns: so many apart.
struct RowsOfMatrix {
  index_t begin, end, step;
};

/// A tensor as matrices whose columns are reduced: one, or one for each index of the dimensions
/// beside the one that is reduced.
struct ColumnShape {
  index_t outer;  ///< indices of the dimensions before that one
  index_t rows;   ///< of that one
  index_t inner;  ///< of those behind it that are not in a row of memory
  index_t cols;   ///< of a row of memory

  MSHADOW_XINLINE index_t matrices() const { return outer * inner; }
  /// Columns of all matrices, each of which has a value.
  MSHADOW_XINLINE index_t size() const { return matrices() * cols; }
  MSHADOW_XINLINE index_t elements() const { return size() * rows; }
  /// Rows [begin, end) of a matrix.
  MSHADOW_XINLINE RowsOfMatrix Rows(index_t matrix, index_t begin, index_t end) const {
    if (inner == 1) return {matrix * rows + begin, matrix * rows + end, 1};
    const index_t first = matrix / inner * rows * inner + matrix % inner;
    return {first + begin * inner, first + end * inner, inner};
  }
};

/// The rows in parts of so many leaves as is a power of two, for the threads that moving \p bytes
/// of each element is worth: blocks of columns of all parts are gone through side by side.
inline Parts MakeRowParts(const ColumnShape &shape, index_t bytes) {
  const index_t rows = shape.rows, threads = WorthwhileThreads(rows, shape.size() * bytes);
  const index_t items = rows * shape.matrices() * BlocksOfColumns(shape.cols);
  index_t part = kColumnLeaf;
  while (part < rows && (threads == 1 || part * 4 * threads < items)) part *= 2;
  return {rows, part, (rows + part - 1) / part};
}

/// What a launch does that does not do one phase, whose number it would have.
constexpr index_t kAllPhases = static_cast<index_t>(-1);

/// A phase of a kernel that reduces columns.
struct ColumnPhase {
  bool is_sweep;  ///< over the elements; else once for each column
  index_t bytes;  ///< that a sweep moves of each element
};

/// What a launch does of a kernel whose phases may be launched one by one.
struct PhaseLaunch {
  index_t phase;  ///< its only one, or kAllPhases
  index_t block;  ///< on a CPU, of a kernel that reduces columns: how many are a block
};

/// Runs `loop(plan, …)` over blocks of columns, each phase after the other; where rows are in
/// several parts over the blocks of each, and phase by phase.
/// \param launch of the plan
void RunColumns(void (*loop)(const void *, index_t, index_t), const void *plan, PhaseLaunch *launch,
                const Parts &parts, const ColumnShape &shape,
                std::initializer_list<ColumnPhase> phases);

/// The parts of a reduction's result: kRowLanes values each.
template <typename T>
using PartsOf = T[kMaxParts][kRowLanes];

/// The rows of elements [begin, end), as RowRange has them.
class LaneRange : public RowRange {
 public:
  MSHADOW_XINLINE LaneRange(index_t begin, index_t end, index_t cols)
      : RowRange(begin, end, cols), cols_(cols) {}

  /// The number of the row's first element, where they are counted row by row.
  MSHADOW_XINLINE index_t first() const { return y() * cols_; }
  /// The lane of the range's first element in the row: not 0 only in tensors that are not one run
  /// of memory.
  MSHADOW_XINLINE index_t lane() const { return (first() + begin()) % kRowLanes; }
  /// How many elements come before the row's first whole block.
  MSHADOW_XINLINE index_t head() const {
    const index_t to_block = (kRowLanes - lane()) % kRowLanes;
    return end() - begin() < to_block ? end() - begin() : to_block;
  }

 private:
  index_t cols_;
};

}  // namespace mshadow

#endif  // MSHADOW_PARTS_H_
