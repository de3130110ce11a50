// SPDX-License-Identifier: Apache-2.0
/// \file kernel.cuh
/// What an emitted `.cu` file is made of: the device region, the loops of a kernel over a matrix,
/// the choice of vectors and the launch.
#ifndef MSHADOW_CUDA_KERNEL_CUH_
#define MSHADOW_CUDA_KERNEL_CUH_

#include <cuda_runtime.h>

#include "mshadow/base.h"
#include "mshadow/cuda/call.cuh"
#include "mshadow/emitted/choose.h"
#include "mshadow/emitted/plan.h"
#include "mshadow/packet/device.cuh"

/// Instantiates the function that launches a rule's kernel, for the types of an instance.
#define MSHADOW_KERNEL_INSTANCE(launch, rule, ...) \
  template void launch(const ::mshadow::expr::Plan<rule, __VA_ARGS__> &, void *)

namespace mshadow {
namespace cuda {

/// How many elements a vector has if a rule's tensors have element types \p T: 16 bytes of the
/// narrowest type, so that no tensor is read in smaller pieces. To save registers, a vector has at
/// most 64 bytes of the widest type, and at most \p limit elements.
template <typename... T>
constexpr int VectorLanes(int limit) {
  int narrowest = 16, widest = 1;
  ((narrowest = static_cast<int>(sizeof(T)) < narrowest ? static_cast<int>(sizeof(T)) : narrowest),
   ...);
  ((widest = static_cast<int>(sizeof(T)) > widest ? static_cast<int>(sizeof(T)) : widest), ...);
  const int lanes = 16 / narrowest < 64 / widest ? 16 / narrowest : 64 / widest;
  return lanes < limit ? lanes : limit;
}

/// Whether the distance between rows, if there are several, is a multiple of \p bytes.
template <typename T>
inline bool AreRowsApartBy(size_t bytes, index_t rows, const PlanView<T> &view) {
  return rows == 1 || static_cast<size_t>(view.stride) * sizeof(T) % bytes == 0;
}
template <typename T>
inline bool AreRowsApartBy(size_t bytes, index_t rows, const PlanRuns<T> &view) {
  return rows == 1 ||
         (static_cast<size_t>(view.pitch) * sizeof(T) % bytes == 0 &&
          (view.inner == 1 || static_cast<size_t>(view.stride) * sizeof(T) % bytes == 0));
}
/// A single row, too, may be any row of the matrix.
template <typename T, typename IType>
inline bool AreRowsApartBy(size_t bytes, index_t, const PlanRows<T, IType> &view) {
  return static_cast<size_t>(view.stride) * sizeof(T) % bytes == 0;
}

/// Whether every row of each view is aligned for accesses of N elements, or of 16 bytes if N
/// elements have more.
template <int N, typename... Views>
inline bool IsAligned(index_t rows, const Views &...views) {
  const auto is_aligned = [rows](const auto &view) {
    constexpr size_t kSize = sizeof(*view.dptr);
    constexpr size_t kAccess = kSize * N < 16 ? kSize * N : 16;
    return reinterpret_cast<uintptr_t>(view.dptr) % kAccess == 0 &&
           AreRowsApartBy(kAccess, rows, view);
  };
  return (is_aligned(views) && ...);
}

/// Goes over the rows of one thread. The distance between two of them is the height of the grid in
/// threads.
class RowLoop {
 public:
  __device__ __forceinline__ explicit RowLoop(index_t rows,
                                              const BlockOfCall &block = BlockOfCall::Own())
      : y_(block.row()), step_(block.rows()), rows_(rows) {}
  __device__ __forceinline__ bool done() const { return y_ >= rows_; }
  __device__ __forceinline__ void next() { y_ += step_; }
  __device__ __forceinline__ index_t y() const { return y_; }

 private:
  index_t y_;
  index_t step_;
  index_t rows_;
};

/// Goes over the elements of a row that one thread takes. These are vectors of N elements; the
/// distance between two of them is the width of the grid in threads. The thread takes V vectors at
/// a time while so many are left, then one at a time. Then come the elements after the last whole
/// vector of the row, of which each thread takes one at a time.
template <int N, int V>
class ColumnLoop {
 public:
  __device__ __forceinline__ explicit ColumnLoop(index_t cols,
                                                 const BlockOfCall &block = BlockOfCall::Own())
      : thread_(block.column()), threads_(block.columns()), cols_(cols), x_(thread_ * N) {}

  __device__ __forceinline__ index_t x() const { return x_; }

  /// Whether V whole vectors are left. vectors() stands for their lanes.
  __device__ __forceinline__ bool has_all() const {
    return x_ + (V - 1) * threads_ * N + N <= cols_;
  }
  __device__ __forceinline__ void next_all() { x_ += V * threads_ * N; }
  __device__ __forceinline__ packet::device::Vectors<N> vectors() const { return {threads_ * N}; }

  /// Whether a whole vector is left, once has_all is false.
  __device__ __forceinline__ bool has_one() const { return x_ + N <= cols_; }
  __device__ __forceinline__ void next_one() { x_ += threads_ * N; }

  /// Moves to this thread's first element after the whole vectors.
  __device__ __forceinline__ void to_rest() { x_ = cols_ - cols_ % N + thread_; }
  __device__ __forceinline__ bool has_rest() const { return x_ < cols_; }
  __device__ __forceinline__ void next_rest() { x_ += threads_; }

 private:
  index_t thread_;   ///< the index of this thread in its row of the grid
  index_t threads_;  ///< the threads of a row of the grid
  index_t cols_;
  index_t x_;
};

/// The elements of a matrix that one thread takes: those of ColumnLoop in each row of RowLoop.
template <int N, int V>
class ElementsOfThread : public packet::device::OperandRows {
 public:
  __device__ __forceinline__ ElementsOfThread(const BlockOfCall &block, index_t rows, index_t cols)
      : OperandRows(0), rows_(rows, block), cols_(cols), block_(block) {
    y_ = rows_.y();
  }
  __device__ __forceinline__ bool done() const { return rows_.done(); }
  __device__ __forceinline__ void next() {
    rows_.next();
    y_ = rows_.y();
  }

  /// Calls step(At) for all elements. The last two loops are not unrolled: a thread runs them a few
  /// times at most, and the first one would have fewer registers. The bool asks for non-temporal
  /// stores, which a GPU does not need.
  template <typename Out, typename Step>
  __device__ __forceinline__ void ForEach(const Out &, const Step &step, bool = false) const {
    using packet::device::At;
    ColumnLoop<N, V> at(cols_, block_);
    for (; at.has_all(); at.next_all()) {
      step(At<N * V, packet::device::Vectors<N>>{at.x(), at.vectors()});
    }
    if constexpr (V > 1) {
      MSHADOW_DEVICE_UNROLL_BY(1)
      for (; at.has_one(); at.next_one()) step(At<N, packet::AllLanes>{at.x(), {}});
    }
    if constexpr (N > 1) {
      MSHADOW_DEVICE_UNROLL_BY(1)
      for (at.to_rest(); at.has_rest(); at.next_rest()) step(At<1, packet::AllLanes>{at.x(), {}});
    }
  }

 private:
  RowLoop rows_;
  index_t cols_;
  const BlockOfCall block_;
};

/// Launches a kernel over a rows x cols matrix, `lanes` elements of a row for each thread.
/// \param kernel as StartCall takes it
/// \param stream a Stream<gpu> *, null for the current device's default stream
/// \throws Error that names the rule, if the launch fails
template <typename Kernel, typename Plan>
void Launch(const char *rule, const Kernel &kernel, const Tuning &tuning, int lanes,
            const Plan &plan, void *stream) {
  const LaunchScope scope(rule, stream);
  StartCall(rule, scope, kernel, scope.MakeGrid(tuning, plan.rows, plan.cols, lanes), 0, plan);
}

/// The same for `kernel(body)`, which no list keeps.
template <typename Body>
void LaunchBody(const char *what, void (*kernel)(Body), const Tuning &tuning, int lanes,
                const Body &body, void *stream) {
  const LaunchScope scope(what, stream);
  StartKernel(scope, kernel, scope.MakeGrid(tuning, body.rows, body.cols, lanes), body);
}

}  // namespace cuda
}  // namespace mshadow

#endif  // MSHADOW_CUDA_KERNEL_CUH_
