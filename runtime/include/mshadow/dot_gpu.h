// SPDX-License-Identifier: Apache-2.0
/// \file dot_gpu.h
/// dot on a GPU: cuBLAS, on the destination's stream, which must have a BLAS handle
/// (NewStream<gpu>(true, false)). Float products are computed in float, not in TF32.
#ifndef MSHADOW_DOT_GPU_H_
#define MSHADOW_DOT_GPU_H_

#include "mshadow/dot_engine.h"
#include "mshadow/stream_gpu.h"

namespace mshadow {
namespace cuda {

/// dst = alpha op(a) op(b) + beta dst, row-major, as blas::Gemm; queued on \p stream.
/// \throws Error if the stream has no BLAS handle, or an extent exceeds what cuBLAS can count
void Gemm(Stream<gpu> *stream, bool transpose_a, bool transpose_b, float alpha,
          const blas::Matrix<const float> &a, const blas::Matrix<const float> &b, float beta,
          const blas::Matrix<float> &dst);
void Gemm(Stream<gpu> *stream, bool transpose_a, bool transpose_b, double alpha,
          const blas::Matrix<const double> &a, const blas::Matrix<const double> &b, double beta,
          const blas::Matrix<double> &dst);

}  // namespace cuda

namespace expr {
MSHADOW_VERSION_BEGIN

namespace detail {
template <typename DType>
struct GpuProduct {
  static void Gemm(Stream<gpu> *stream, bool ta, bool tb, DType alpha,
                   const blas::Matrix<const DType> &a, const blas::Matrix<const DType> &b,
                   DType beta, const blas::Matrix<DType> &dst) {
    cuda::Gemm(stream, ta, tb, alpha, a, b, beta, dst);
  }
};
}  // namespace detail

template <>
struct BLASEngine<gpu, float> : detail::GpuProduct<float> {};
template <>
struct BLASEngine<gpu, double> : detail::GpuProduct<double> {};

MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#endif  // MSHADOW_DOT_GPU_H_
