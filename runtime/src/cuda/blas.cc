// SPDX-License-Identifier: Apache-2.0
// Matrix products, by cuBLAS.
#include <cublas_v2.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <string>

#include "check.h"
#include "mshadow/dot_gpu.h"
#include "mshadow/stream_gpu.h"

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

/// cuBLAS is column-major: there a row-major matrix is its transpose, and the product of the
/// transposes in the other order is the transpose of the product.
template <typename T, typename Function>
void Multiply(Function gemm, const char *call, Stream<gpu> *stream, bool ta, bool tb, T alpha,
              const blas::Matrix<const T> &a, const blas::Matrix<const T> &b, T beta,
              const blas::Matrix<T> &dst) {
  if (dst.rows == 0 || dst.cols == 0) return;
  cublasContext *const handle = Stream<gpu>::GetBlasHandle(stream);
  const DeviceScope scope(stream->dev_id);
  const auto flag = [](bool transpose) { return transpose ? CUBLAS_OP_T : CUBLAS_OP_N; };
  const auto stride = [](const auto &m) { return Int(std::max({m.stride, m.cols, index_t{1}})); };
  CheckBlas(
      gemm(handle, flag(tb), flag(ta), Int(dst.cols), Int(dst.rows), Int(ta ? a.rows : a.cols),
           &alpha, b.dptr, stride(b), a.dptr, stride(a), &beta, dst.dptr, stride(dst)),
      call);
}

}  // namespace

cublasContext *CreateBlas(CUstream_st *stream) {
  cublasHandle_t handle = nullptr;
  CheckBlas(cublasCreate(&handle), "cublasCreate");
  std::unique_ptr<cublasContext, void (*)(cublasContext *)> owner(handle, DestroyBlas);
  CheckBlas(cublasSetStream(handle, stream), "cublasSetStream");
  // The default may round the factors of float products to TF32.
  CheckBlas(cublasSetMathMode(handle, CUBLAS_PEDANTIC_MATH), "cublasSetMathMode");
  return owner.release();
}

void DestroyBlas(cublasContext *handle) noexcept {
  if (handle != nullptr) cublasDestroy(handle);
}

void Gemm(Stream<gpu> *stream, bool transpose_a, bool transpose_b, float alpha,
          const blas::Matrix<const float> &a, const blas::Matrix<const float> &b, float beta,
          const blas::Matrix<float> &dst) {
  Multiply(cublasSgemm, "cublasSgemm", stream, transpose_a, transpose_b, alpha, a, b, beta, dst);
}

void Gemm(Stream<gpu> *stream, bool transpose_a, bool transpose_b, double alpha,
          const blas::Matrix<const double> &a, const blas::Matrix<const double> &b, double beta,
          const blas::Matrix<double> &dst) {
  Multiply(cublasDgemm, "cublasDgemm", stream, transpose_a, transpose_b, alpha, a, b, beta, dst);
}

}  // namespace cuda
}  // namespace mshadow
