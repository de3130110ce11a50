// SPDX-License-Identifier: Apache-2.0
/// \file reduce.cuh
/// Reduce1D, which kernels of mshadow's users call to reduce what the threads of a block have put
/// side by side. The library's own kernels reduce in the order of row_tree.h.
#ifndef MSHADOW_CUDA_REDUCE_CUH_
#define MSHADOW_CUDA_REDUCE_CUH_

#include <cuda_runtime.h>

namespace mshadow {
namespace cuda {

/// Reduces the 2^x_bits elements of \p buf, one for each threadIdx.x, to buf[0]: the upper half is
/// taken into the lower one, again and again. Every thread of the block calls it, and may read
/// buf[0] when it returns; rows of a block of several may have a buffer each.
/// \tparam Reducer a reducer of mshadow's, on volatile values
template <typename Reducer, int x_bits, typename DType>
__device__ inline void Reduce1D(volatile DType *buf) {
  const int x = static_cast<int>(threadIdx.x);
  for (int half = 1 << x_bits >> 1; half > 0; half /= 2) {
    __syncthreads();
    if (x < half) Reducer::Reduce(buf[x], buf[x + half]);
  }
  __syncthreads();
}

}  // namespace cuda
}  // namespace mshadow

#endif  // MSHADOW_CUDA_REDUCE_CUH_
