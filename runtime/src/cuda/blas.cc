// SPDX-License-Identifier: Apache-2.0
// Matrix products, by cuBLAS.
#include <cublas_v2.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <string>

#include "check.h"
#include "mshadow/detail/blas_engine.h"
#include "mshadow/detail/stream_gpu.h"

namespace mshadow {
namespace cuda {
namespace {

void CheckBlas(cublasStatus_t status, const char *call) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw Error(std::string(call) + ": " + cublasGetStatusName(status));
}

int Int(index_t value) {
  if (value > std::numeric_limits<int>::max()) {
    throw Error("dot: expected extents and strides below 2^31, which cuBLAS can count, got " +
                std::to_string(value));
  }
  return static_cast<int>(value);
}

/// How cuBLAS multiplies elements of type T: their type, the type of alpha and beta, the way of
/// computing. Floats are never rounded to TF32; 16-bit ones accumulate in float, on tensor cores.
template <typename T>
struct Arithmetic;
template <>
struct Arithmetic<float> {
  using Factor = float;
  static constexpr cudaDataType_t kType = CUDA_R_32F;
  static constexpr cublasComputeType_t kCompute = CUBLAS_COMPUTE_32F_PEDANTIC;
};
template <>
struct Arithmetic<double> {
  using Factor = double;
  static constexpr cudaDataType_t kType = CUDA_R_64F;
  static constexpr cublasComputeType_t kCompute = CUBLAS_COMPUTE_64F;
};
template <>
struct Arithmetic<half::half_t> {
  using Factor = float;
  static constexpr cudaDataType_t kType = CUDA_R_16F;
  static constexpr cublasComputeType_t kCompute = CUBLAS_COMPUTE_32F;
};
template <>
struct Arithmetic<bfloat::bf16_t> {
  using Factor = float;
  static constexpr cudaDataType_t kType = CUDA_R_16BF;
  static constexpr cublasComputeType_t kCompute = CUBLAS_COMPUTE_32F;
};

cublasOperation_t Flag(bool transpose) { return transpose ? CUBLAS_OP_T : CUBLAS_OP_N; }

template <typename Matrices>
int Stride(const Matrices &m) {
  return Int(std::max({m.stride, m.cols, index_t{1}}));
}

}  // namespace

cublasContext *CreateBlas(CUstream_st *stream) {
  cublasHandle_t handle = nullptr;
  CheckBlas(cublasCreate(&handle), "cublasCreate");
  std::unique_ptr<cublasContext, void (*)(cublasContext *)> owner(handle, DestroyBlas);
  CheckBlas(cublasSetStream(handle, stream), "cublasSetStream");
  // Sums of 16-bit products stay in float until the end.
  CheckBlas(cublasSetMathMode(handle, CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION),
            "cublasSetMathMode");
  return owner.release();
}

void DestroyBlas(cublasContext *handle) noexcept {
  if (handle != nullptr) cublasDestroy(handle);
}

// cuBLAS is column-major: there a row-major matrix is its transpose, and the product of the
// transposes in the other order is the transpose of the product.

template <typename T>
void Gemm(Stream<gpu> *stream, bool transpose_a, bool transpose_b, T alpha,
          const blas::Matrix<const T> &a, const blas::Matrix<const T> &b, T beta,
          const blas::Matrix<T> &dst) {
  if (dst.rows == 0 || dst.cols == 0) return;
  using Use = Arithmetic<T>;
  cublasContext *const handle = Stream<gpu>::GetBlasHandle(stream);
  const DeviceScope scope(stream->dev_id);
  const typename Use::Factor alpha_value = alpha, beta_value = beta;
  CheckBlas(cublasGemmEx(handle, Flag(transpose_b), Flag(transpose_a), Int(dst.cols), Int(dst.rows),
                         Int(transpose_a ? a.rows : a.cols), &alpha_value, b.dptr, Use::kType,
                         Stride(b), a.dptr, Use::kType, Stride(a), &beta_value, dst.dptr,
                         Use::kType, Stride(dst), Use::kCompute, CUBLAS_GEMM_DEFAULT),
            "cublasGemmEx");
}

template <typename T>
void Gemm(Stream<gpu> *stream, bool transpose_a, bool transpose_b, T alpha,
          const blas::Batch<const T> &a, const blas::Batch<const T> &b, T beta,
          const blas::Batch<T> &dst) {
  const blas::Matrix<T> &to = dst.first;
  if (dst.count == 0 || to.rows == 0 || to.cols == 0) return;
  using Use = Arithmetic<T>;
  cublasContext *const handle = Stream<gpu>::GetBlasHandle(stream);
  const DeviceScope scope(stream->dev_id);
  const typename Use::Factor alpha_value = alpha, beta_value = beta;
  CheckBlas(cublasGemmStridedBatchedEx(handle, Flag(transpose_b), Flag(transpose_a), Int(to.cols),
                                       Int(to.rows), Int(transpose_a ? a.first.rows : a.first.cols),
                                       &alpha_value, b.first.dptr, Use::kType, Stride(b.first),
                                       b.step, a.first.dptr, Use::kType, Stride(a.first), a.step,
                                       &beta_value, to.dptr, Use::kType, Stride(to), dst.step,
                                       Int(dst.count), Use::kCompute, CUBLAS_GEMM_DEFAULT),
            "cublasGemmStridedBatchedEx");
}

template <typename T>
void Gemm(Stream<gpu> *stream, bool transpose_a, bool transpose_b, T alpha,
          const blas::Pointers<const T> &a, const blas::Pointers<const T> &b, T beta,
          const blas::Pointers<T> &dst) {
  if (dst.count == 0 || dst.rows == 0 || dst.cols == 0) return;
  using Use = Arithmetic<T>;
  cublasContext *const handle = Stream<gpu>::GetBlasHandle(stream);
  const DeviceScope scope(stream->dev_id);
  const typename Use::Factor alpha_value = alpha, beta_value = beta;
  const auto untyped = [](const T *const *dptr) {
    return reinterpret_cast<const void *const *>(dptr);
  };
  CheckBlas(cublasGemmBatchedEx(handle, Flag(transpose_b), Flag(transpose_a), Int(dst.cols),
                                Int(dst.rows), Int(transpose_a ? a.rows : a.cols), &alpha_value,
                                untyped(b.dptr), Use::kType, Stride(b), untyped(a.dptr), Use::kType,
                                Stride(a), &beta_value, reinterpret_cast<void *const *>(dst.dptr),
                                Use::kType, Stride(dst), Int(dst.count), Use::kCompute,
                                CUBLAS_GEMM_DEFAULT),
            "cublasGemmBatchedEx");
}

#define MSHADOW_GEMM_OF(T, Operand)                                             \
  template void Gemm<T>(Stream<gpu> *, bool, bool, T, const Operand<const T> &, \
                        const Operand<const T> &, T, const Operand<T> &);
#define MSHADOW_GEMM(T)            \
  MSHADOW_GEMM_OF(T, blas::Matrix) \
  MSHADOW_GEMM_OF(T, blas::Batch)  \
  MSHADOW_GEMM_OF(T, blas::Pointers)
MSHADOW_GEMM(float)
MSHADOW_GEMM(double)
MSHADOW_GEMM(half::half_t)
MSHADOW_GEMM(bfloat::bf16_t)
#undef MSHADOW_GEMM
#undef MSHADOW_GEMM_OF

}  // namespace cuda
}  // namespace mshadow
