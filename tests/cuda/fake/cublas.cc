// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "include/cublas_v2.h"
#include "state.h"

struct cublasContext {
  int device;
  cudaStream_t stream;
};

namespace fakecuda {
namespace {

std::set<cublasContext *> handles;

/// A column-major matrix, or its transpose.
template <typename T>
struct Matrix {
  T *data;
  int ld;
  bool transposed;
  T &operator()(int row, int column) const {
    return transposed ? data[static_cast<long>(row) * ld + column]
                      : data[static_cast<long>(column) * ld + row];
  }
};

template <typename Work>
cublasStatus_t Queue(cublasContext *handle, bool valid, Work work) {
  auto lock = Lock();
  if (handles.count(handle) == 0) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (Enter(__func__) != cudaSuccess) return CUBLAS_STATUS_EXECUTION_FAILED;
  if (!valid || !IsStream(handle->stream)) return CUBLAS_STATUS_INVALID_VALUE;
  const int device = handle->device;
  Enqueue(handle->stream, [work, device] {
    DeviceAccess open(device);
    work();
  });
  return CUBLAS_STATUS_SUCCESS;
}

/// c = alpha * a * b + beta * c, for m x n elements and k products each. beta 0 does not read c.
template <typename T>
void Multiply(Matrix<const T> a, Matrix<const T> b, Matrix<T> c, int m, int n, int k, T alpha,
              T beta) {
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i) {
      T sum = 0;
      for (int l = 0; l < k; ++l) sum += a(i, l) * b(l, j);
      c(i, j) = beta == T(0) ? alpha * sum : alpha * sum + beta * c(i, j);
    }
  }
}

template <typename T>
cublasStatus_t Gemm(cublasContext *handle, cublasOperation_t ta, cublasOperation_t tb, int m, int n,
                    int k, T alpha, const T *a, int lda, const T *b, int ldb, T beta, T *c,
                    int ldc) {
  const bool valid = m >= 0 && n >= 0 && k >= 0 && lda >= (ta == CUBLAS_OP_N ? m : k) &&
                     ldb >= (tb == CUBLAS_OP_N ? k : n) && ldc >= m && lda > 0 && ldb > 0 &&
                     ldc > 0;
  return Queue(handle, valid, [=] {
    Multiply<T>({a, lda, ta == CUBLAS_OP_T}, {b, ldb, tb == CUBLAS_OP_T}, {c, ldc, false}, m, n, k,
                alpha, beta);
  });
}

}  // namespace
}  // namespace fakecuda

const char *cublasGetStatusName(cublasStatus_t status) {
  switch (status) {
    case CUBLAS_STATUS_SUCCESS:
      return "CUBLAS_STATUS_SUCCESS";
    case CUBLAS_STATUS_NOT_INITIALIZED:
      return "CUBLAS_STATUS_NOT_INITIALIZED";
    case CUBLAS_STATUS_ALLOC_FAILED:
      return "CUBLAS_STATUS_ALLOC_FAILED";
    case CUBLAS_STATUS_INVALID_VALUE:
      return "CUBLAS_STATUS_INVALID_VALUE";
    case CUBLAS_STATUS_EXECUTION_FAILED:
      return "CUBLAS_STATUS_EXECUTION_FAILED";
  }
  return "unknown cuBLAS status";
}

cublasStatus_t cublasCreate(cublasHandle_t *handle) {
  auto lock = fakecuda::Lock();
  if (fakecuda::Enter(__func__) != cudaSuccess) return CUBLAS_STATUS_NOT_INITIALIZED;
  *handle = new cublasContext{fakecuda::CurrentDevice(), nullptr};
  fakecuda::handles.insert(*handle);
  fakecuda::CountObjects(1);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy(cublasHandle_t handle) {
  auto lock = fakecuda::Lock();
  const bool failed = fakecuda::Enter(__func__) != cudaSuccess;
  if (fakecuda::handles.erase(handle) == 0) return CUBLAS_STATUS_NOT_INITIALIZED;
  delete handle;
  fakecuda::CountObjects(-1);
  return failed ? CUBLAS_STATUS_EXECUTION_FAILED : CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream) {
  auto lock = fakecuda::Lock();
  if (fakecuda::handles.count(handle) == 0) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (fakecuda::Enter(__func__) != cudaSuccess) return CUBLAS_STATUS_EXECUTION_FAILED;
  handle->stream = stream;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t) {
  auto lock = fakecuda::Lock();
  if (fakecuda::handles.count(handle) == 0) return CUBLAS_STATUS_NOT_INITIALIZED;
  return fakecuda::Enter(__func__) == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                                                  : CUBLAS_STATUS_EXECUTION_FAILED;
}

cublasStatus_t cublasSgemm(cublasHandle_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, int k, const float *alpha,
                           const float *a, int lda, const float *b, int ldb, const float *beta,
                           float *c, int ldc) {
  return fakecuda::Gemm(handle, transa, transb, m, n, k, *alpha, a, lda, b, ldb, *beta, c, ldc);
}
cublasStatus_t cublasDgemm(cublasHandle_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, int k, const double *alpha,
                           const double *a, int lda, const double *b, int ldb, const double *beta,
                           double *c, int ldc) {
  return fakecuda::Gemm(handle, transa, transb, m, n, k, *alpha, a, lda, b, ldb, *beta, c, ldc);
}
