// SPDX-License-Identifier: Apache-2.0
/// \file leaves.h
/// For rules that reduce rows in one kernel and columns in another. The kernel over the rows also
/// computes the leaves of the columns' reductions (row_tree.h), while it has the elements in
/// registers: one row of leaves for each kColumnLeaf rows. The kernel over the columns then
/// combines these leaves.
#ifndef MSHADOW_LEAVES_H_
#define MSHADOW_LEAVES_H_

#include "mshadow/detail/workspace.h"
#include "mshadow/emitted/launch.h"
#include "mshadow/emitted/parts.h"
#include "mshadow/expr/overlap.h"

namespace mshadow {

/// The rows of \p shape in chunks of one leaf each.
inline Parts LeavesOf(const ColumnShape &shape) {
  return {shape.rows, kColumnLeaf, (shape.rows + kColumnLeaf - 1) / kColumnLeaf};
}

/// The number of elements from the start of one row of leaves, for \p cols columns, to that of the
/// next.
MSHADOW_XINLINE index_t LeafWidth(cpu, index_t cols) { return cols; }
/// The same on a GPU, rounded up to a multiple of the columns that a block takes. Each thread of a
/// block takes \p each columns.
MSHADOW_XINLINE index_t LeafWidth(gpu, index_t cols, index_t each = 1) {
  const index_t columns = 256 * each;
  return (cols + columns - 1) / columns * columns;
}

/// Whether no element of one tensor lies between the first and the last of another.
template <typename A, typename B>
inline bool AreApart(const TensorArg<A> &a, const TensorArg<B> &b) {
  const detail::Block one = {a.dptr, a.rows(), a.cols(), a.stride, sizeof(A)};
  const detail::Block other = {b.dptr, b.rows(), b.cols(), b.stride, sizeof(B)};
  return !detail::SpanOf(one).Meets(detail::SpanOf(other));
}

/// Whether the rule is faster if the kernel over the rows computes the leaves.
/// \param bytes bytes that this kernel moves for each element
bool LeavesPay(cpu, const ColumnShape &shape, index_t bytes);
bool LeavesPay(gpu, const ColumnShape &shape, index_t bytes);

/// Sets how many bytes a launch must move for LeavesPay to return true, in all threads. 0: any
/// launch will do. A negative number restores the default: on a CPU, it depends on caches and
/// threads; on a GPU, LeavesPay never returns true. Use it to measure or compare; results do not
/// change.
void SetLeavesBytes(int64_t bytes);

/// Memory for leaves, from the workspace of the calling thread or, on a GPU, of the stream.
inline LaunchMemory MemoryForLeaves(cpu, void *) { return LaunchMemory(); }
inline LaunchMemory MemoryForLeaves(gpu, [[maybe_unused]] void *stream) {
#if MSHADOW_USE_CUDA
  return LaunchMemory(detail::WorkspaceOfStream, stream);
#else
  return LaunchMemory();  // never used: without CUDA the launch throws
#endif
}

}  // namespace mshadow

#endif  // MSHADOW_LEAVES_H_
