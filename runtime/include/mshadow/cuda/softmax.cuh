// SPDX-License-Identifier: Apache-2.0
/// \file softmax.cuh
/// Softmax on a GPU, with the CPU's sums.
#ifndef MSHADOW_CUDA_SOFTMAX_CUH_
#define MSHADOW_CUDA_SOFTMAX_CUH_

#include "mshadow/cuda/kernel.cuh"
#include "mshadow/detail/element_loop.h"
#include "mshadow/detail/softmax_sum.h"
#include "mshadow/detail/tensor_view.h"

namespace mshadow {
namespace cuda {

/// A block takes a row.
constexpr Tuning kRowTuning = {256, 1, 1, 32};

template <typename DType>
struct SoftmaxOfRows {
  Tensor<gpu, 2, DType> dst, energy;
  index_t rows, cols;
};

/// Replaces the values of the block's threads by fold(…) of all of them, pairwise in their order.
template <typename Acc, typename Fold>
__device__ __forceinline__ Acc FoldBlock(Acc *shared, Acc value, Fold fold) {
  const unsigned i = threadIdx.x;
  __syncthreads();  // the last result has been read
  shared[i] = value;
  for (unsigned step = 1; step < kRowTuning.threads; step *= 2) {
    __syncthreads();
    if (i % (2 * step) == 0 && i + step < kRowTuning.threads) {
      shared[i] = fold(shared[i], shared[i + step]);
    }
  }
  __syncthreads();
  return shared[0];
}

template <typename Acc>
struct Add {
  MSHADOW_XINLINE Acc operator()(Acc a, Acc b) const { return a + b; }
};
template <typename Acc>
struct KeepLarger {
  MSHADOW_XINLINE Acc operator()(Acc a, Acc b) const {
    return ::mshadow::detail::LargerOrNan(a, b);
  }
};

/// Each thread adds a run of 2^k leaves, which is a subtree of the whole sum. Threads without
/// leaves add zeros after the end, which do not change the bits of a sum of exponentials.
template <typename DType>
__global__ void __launch_bounds__(kRowTuning.threads)
    SoftmaxRowKernel(const SoftmaxOfRows<DType> task) {
  using Vector = ::mshadow::detail::SoftmaxVector<DType, true>;
  using Acc = typename Vector::Acc;
  __shared__ Acc shared[kRowTuning.threads];
  const index_t thread = threadIdx.x, threads = kRowTuning.threads;
  for (index_t y = blockIdx.x; y < task.rows; y += gridDim.x) {
    const Vector row{task.energy.dptr_ + y * task.energy.stride_, 1,
                     task.dst.dptr_ + y * task.dst.stride_, 1, task.cols};
    Acc max = row.at(0);
    for (index_t i = thread; i < row.n; i += threads) {
      max = ::mshadow::detail::LargerOrNan(max, row.at(i));
    }
    max = FoldBlock(shared, max, KeepLarger<Acc>());
    index_t run = 1;
    while (run * threads < row.leaves()) run *= 2;
    ::mshadow::detail::PairwiseSum<Acc> sum;
    for (index_t leaf = thread * run; leaf < (thread + 1) * run && leaf < row.leaves(); ++leaf) {
      sum.Push(row.Leaf(leaf, max));
    }
    const Acc total = FoldBlock(shared, sum.Finish(), Add<Acc>());
    for (index_t i = thread; i < row.n; i += threads) row.Store(i, max, total);
  }
}

template <typename DType>
void SoftmaxRows(const Tensor<gpu, 2, DType> &dst, const Tensor<gpu, 2, DType> &energy) {
  SoftmaxOfRows<DType> task{dst, energy, dst.shape_[0], dst.shape_[1]};
  if (task.rows == 0 || task.cols == 0) return;
  const LaunchScope scope("Softmax", dst.stream_);
  constexpr index_t kMaxBlocks = index_t{1} << 30;
  const unsigned blocks = static_cast<unsigned>(task.rows < kMaxBlocks ? task.rows : kMaxBlocks);
  void *args[] = {&task};
  scope.Check(cudaLaunchKernel(SoftmaxRowKernel<DType>, dim3(blocks), dim3(kRowTuning.threads),
                               args, 0, scope.stream()));
}

/// Classes in the middle: a thread for each position.
template <typename DType>
void SoftmaxColumns(const Tensor<gpu, 3, DType> &dst, const Tensor<gpu, 3, DType> &energy) {
  if (dst.shape_[1] == 0) return;
  ::mshadow::detail::RunBody(
      "Softmax",
      ::mshadow::detail::SoftmaxColumn<gpu, DType>{dst, energy, dst.shape_[0], dst.shape_[2]}, 0,
      dst.stream_);
}

}  // namespace cuda
}  // namespace mshadow

#endif  // MSHADOW_CUDA_SOFTMAX_CUH_
