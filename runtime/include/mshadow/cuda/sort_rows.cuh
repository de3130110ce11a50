// SPDX-License-Identifier: Apache-2.0
/// \file sort_rows.cuh
/// Sorts of rows on a GPU, unfused and between the kernels of a rule. A block takes a row. No two
/// elements of a row are equal to a sort, since their columns differ. So its result does not depend
/// on how the sort is made.
#ifndef MSHADOW_CUDA_SORT_ROWS_CUH_
#define MSHADOW_CUDA_SORT_ROWS_CUH_

#include "mshadow/cuda/kernel.cuh"
#include "mshadow/detail/sort_key.h"
#include "mshadow/detail/sort_rows.h"
#include "mshadow/detail/workspace.h"
#include "mshadow/emitted/launch_sort.h"

/// Instantiates the function that sorts rows of these types.
#define MSHADOW_SORT_INSTANCE(DType, IType)     \
  template void mshadow::detail::SortRowsOnGpu( \
      const char *, const ::mshadow::LaunchSort<DType, IType> &, void *)

namespace mshadow {
namespace cuda {

constexpr unsigned kSortThreads = 256;
/// A row of at most so many elements is sorted in shared memory.
constexpr index_t kSortedInBlock = 2048;
/// At most so many elements of a short or a long row are picked one after the other. To find more,
/// the row is sorted.
constexpr index_t kPickedOfShort = 8, kPicked = 64;

/// An element of a row; the one without a column comes last.
template <typename Key>
struct SortElement {
  Key key;
  int64_t column;  ///< -1: none

  MSHADOW_XINLINE bool ComesBefore(const SortElement &other) const {
    if (column < 0 || other.column < 0) return other.column < 0 && column >= 0;
    return key > other.key || (key == other.key && column < other.column);
  }
};

/// One row for the threads of a block.
template <typename DType, typename IType>
struct SortedRow {
  using Key = ::mshadow::detail::SortKey<DType>;
  using Element = SortElement<Key>;
  const DType *src;
  DType *values;
  IType *columns;
  index_t cols;
  Key flip;

  MSHADOW_XINLINE SortedRow(const ::mshadow::detail::RowsToSort<DType> &task, index_t y)
      : src(task.src + y * task.src_stride),
        values(task.values == nullptr ? nullptr : task.values + y * task.values_stride),
        columns(task.columns == nullptr
                    ? nullptr
                    : static_cast<IType *>(task.columns) + y * task.columns_stride),
        cols(task.cols),
        flip(::mshadow::detail::FlipOf<Key>(task.ascends)) {}

  MSHADOW_XINLINE Element At(index_t x) const {
    return {static_cast<Key>(::mshadow::detail::KeyOf(src[x]) ^ flip), static_cast<int64_t>(x)};
  }
  /// Makes the element of column \p column the result number \p i.
  MSHADOW_XINLINE void Put(index_t i, int64_t column) const {
    if (values != nullptr) values[i] = src[column];
    if (columns != nullptr) columns[i] = ScalarCast<IType>(column);
  }
  /// Of every step-th element from \p begin on, the first one that comes after \p last.
  MSHADOW_XINLINE Element FirstAfter(const Element &last, index_t begin, index_t step) const {
    Element first = {Key{0}, -1};
    for (index_t x = begin; x < cols; x += step) {
      const Element element = At(x);
      const bool is_after = last.column < 0 || last.ComesBefore(element);
      if (is_after && element.ComesBefore(first)) first = element;
    }
    return first;
  }
};

/// Finds the first elements one by one. Each thread knows the first of its own elements that is
/// left. The thread whose element is picked looks for its next one.
template <typename IType, typename DType>
__global__ void __launch_bounds__(kSortThreads)
    PickKernel(const ::mshadow::detail::RowsToSort<DType> task) {
  using Element = typename SortedRow<DType, IType>::Element;
  __shared__ Element shared[kSortThreads];
  const unsigned thread = threadIdx.x, threads = blockDim.x;
  for (index_t y = blockIdx.x; y < task.rows; y += gridDim.x) {
    const SortedRow<DType, IType> row(task, y);
    Element own = row.FirstAfter({0, -1}, thread, threads);
    for (index_t i = 0; i < task.count; ++i) {
      shared[thread] = own;
      for (unsigned step = threads / 2; step > 0; step /= 2) {
        __syncthreads();
        if (thread < step && shared[thread + step].ComesBefore(shared[thread])) {
          shared[thread] = shared[thread + step];
        }
      }
      __syncthreads();
      const Element picked = shared[0];
      if (thread == 0) row.Put(i, picked.column);
      if (own.column == picked.column) own = row.FirstAfter(picked, thread, threads);
      __syncthreads();  // all have read the element that was picked
    }
  }
}

/// Puts two elements in order.
template <typename Element>
MSHADOW_XINLINE void Order(Element *elements, index_t first, index_t second) {
  const Element a = elements[first], b = elements[second];
  if (a.ComesBefore(b)) return;
  elements[first] = b;
  elements[second] = a;
}

/// Sorts by a bitonic network whose first step of each merge mirrors the second half. All its
/// comparisons put the earlier element at the lower place. So the elements that would be after the
/// end, up to a power of two, are last from the start, and need not be there.
template <typename Element>
__device__ __forceinline__ void SortInBlock(Element *elements, index_t count) {
  const index_t thread = threadIdx.x, threads = blockDim.x;
  for (index_t width = 2; width < 2 * count; width *= 2) {
    __syncthreads();
    for (index_t i = thread; i < count; i += threads) {
      const index_t other = i ^ (width - 1);
      if (i < other && other < count) Order(elements, i, other);
    }
    for (index_t half = width / 4; half > 0; half /= 2) {
      __syncthreads();
      for (index_t i = thread; i < count; i += threads) {
        const index_t other = i ^ half;
        if (i < other && other < count) Order(elements, i, other);
      }
    }
  }
  __syncthreads();
}

/// Sorts rows in shared memory or, if they are long, in memory of the block's own.
template <typename IType, typename DType>
__global__ void __launch_bounds__(kSortThreads)
    SortKernel(const ::mshadow::detail::RowsToSort<DType> task, void *memory) {
  using Element = typename SortedRow<DType, IType>::Element;
  __shared__ Element shared[kSortedInBlock];
  Element *const elements =
      memory == nullptr ? shared : static_cast<Element *>(memory) + blockIdx.x * task.cols;
  for (index_t y = blockIdx.x; y < task.rows; y += gridDim.x) {
    const SortedRow<DType, IType> row(task, y);
    for (index_t x = threadIdx.x; x < task.cols; x += blockDim.x) elements[x] = row.At(x);
    SortInBlock(elements, task.cols);
    for (index_t i = threadIdx.x; i < task.count; i += blockDim.x) {
      row.Put(i, elements[i].column);
    }
    __syncthreads();  // all have read this row's elements
  }
}

/// A warp for a short row, more threads for longer ones.
inline unsigned ThreadsOfRow(index_t cols) {
  unsigned threads = 32;
  while (threads < kSortThreads && static_cast<index_t>(2 * threads) < cols) threads *= 2;
  return threads;
}

/// Sorts rows that a caller has checked.
/// \param owner of the memory for long rows
template <typename IType, typename DType>
void SortRows(const char *what, ::mshadow::detail::RowsToSort<DType> task,
              ::mshadow::detail::Workspace::Owner owner, void *stream) {
  using Element = typename SortedRow<DType, IType>::Element;
  if (task.rows == 0 || task.count == 0) return;
  const LaunchScope scope(what, stream);
  const bool fits = task.cols <= kSortedInBlock;
  const bool picks = task.count <= (fits ? kPickedOfShort : kPicked);
  const bool is_long = !picks && !fits;
  // Blocks of long rows have memory of their own, so they are few.
  const index_t most = is_long ? 256 : index_t{1} << 30;
  const index_t blocks = task.rows < most ? task.rows : most;
  ::mshadow::detail::Workspace workspace(owner, stream);
  const int64_t elements = static_cast<int64_t>(blocks) * static_cast<int64_t>(task.cols);
  void *memory = is_long ? workspace.Take<Element>(elements) : nullptr;
  void *args[] = {&task, &memory};
  const dim3 grid(static_cast<unsigned>(blocks)), block(ThreadsOfRow(task.cols));
  const auto start = [&](auto kernel) {
    scope.Check(cudaLaunchKernel(kernel, grid, block, args, 0, scope.stream()));
  };
  picks ? start(PickKernel<IType, DType>) : start(SortKernel<IType, DType>);
}

}  // namespace cuda

MSHADOW_VERSION_BEGIN
namespace detail {

template <typename DType, typename IType>
void SortRowsOnGpu(const char *rule, const LaunchSort<DType, IType> &sort, void *stream) {
  cuda::SortRows<IType>(rule, RowsOf(sort), WorkspaceOfStream, stream);
}

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_CUDA_SORT_ROWS_CUH_
