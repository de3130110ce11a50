// SPDX-License-Identifier: Apache-2.0
/// \file map_plan.cuh
/// Evaluates an expression's Plan in a kernel: how a GPU runs unfused rules, which are also the
/// reference for generated rules. A thread evaluates one element at a time. The user's flags decide
/// how the kernel is compiled: to get the bits of the CPU, pass -fmad=false to nvcc, and neither
/// -ftz=true nor --use_fast_math.
#ifndef MSHADOW_CUDA_MAP_PLAN_CUH_
#define MSHADOW_CUDA_MAP_PLAN_CUH_

#include "mshadow/cuda/kernel.cuh"
#include "mshadow/detail/shape.h"
#include "mshadow/detail/stream_gpu.h"

namespace mshadow {
namespace cuda {

constexpr Tuning kMapTuning = {/*threads=*/256, /*lanes=*/1, /*vectors=*/1, /*waves=*/32};

/// An assignment, as its kernel receives it.
template <typename Dst, typename Src>
struct Assignment {
  Dst dst;
  Src src;
  index_t rows, cols;
};

template <typename Saver, typename DType, typename Dst, typename Src>
__global__ void __launch_bounds__(kMapTuning.threads)
    MapKernel(const Assignment<Dst, Src> assignment) {
  Dst dst = assignment.dst;
  for (RowLoop row(assignment.rows); !row.done(); row.next()) {
    for (ColumnLoop<1, 1> at(assignment.cols); at.has_all(); at.next_all()) {
      Saver::template Save<DType>(dst.REval(row.y(), at.x()), assignment.src.Eval(row.y(), at.x()));
    }
  }
}

/// `dst saver src` for every element of \p shape, queued on \p stream.
template <typename Saver, typename DType, typename Dst, typename Src>
void RunMap(const Dst &dst, const Src &src, Shape<2> shape, Stream<gpu> *stream) {
  LaunchBody("assignment", MapKernel<Saver, DType, Dst, Src>, kMapTuning, 1,
             Assignment<Dst, Src>{dst, src, shape[0], shape[1]}, stream);
}

}  // namespace cuda
}  // namespace mshadow

#endif  // MSHADOW_CUDA_MAP_PLAN_CUH_
