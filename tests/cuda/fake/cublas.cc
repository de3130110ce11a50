// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "include/cublas_v2.h"
#include "mshadow/bfloat.h"
#include "mshadow/half.h"
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

/// c = alpha * a * b + beta * c, for m x n elements and k products each, computed in A. beta 0 does
/// not read c.
template <typename T, typename A>
void Multiply(Matrix<const T> a, Matrix<const T> b, Matrix<T> c, int m, int n, int k, A alpha,
              A beta) {
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i) {
      A sum = 0;
      for (int l = 0; l < k; ++l) sum += static_cast<A>(a(i, l)) * static_cast<A>(b(l, j));
      const A old = beta == A(0) ? A(0) : beta * static_cast<A>(c(i, j));
      c(i, j) = static_cast<T>(beta == A(0) ? alpha * sum : alpha * sum + old);
    }
  }
}

/// The arguments that every form of a product has.
struct Shape {
  cublasOperation_t ta, tb;
  int m, n, k, lda, ldb, ldc;
  bool valid() const {
    return m >= 0 && n >= 0 && k >= 0 && lda >= (ta == CUBLAS_OP_N ? m : k) &&
           ldb >= (tb == CUBLAS_OP_N ? k : n) && ldc >= m && lda > 0 && ldb > 0 && ldc > 0;
  }
};

/// Matrices the given step apart, or wherever an array of the device says.
template <typename Void>
struct Strided {
  Void *first;
  long long step;
  template <typename T>
  T *at(int i) const {
    return static_cast<T *>(first) + i * step;
  }
};
template <typename Void>
struct Pointers {
  Void *const *first;
  template <typename T>
  T *at(int i) const {
    return static_cast<T *>(first[i]);
  }
};

/// `count` products.
template <typename T, typename A, typename From, typename To>
cublasStatus_t GemmBatch(cublasContext *handle, const Shape &shape, const void *alpha, From a,
                         From b, const void *beta, To c, int count) {
  const A alpha_value = *static_cast<const A *>(alpha), beta_value = *static_cast<const A *>(beta);
  return Queue(handle, shape.valid() && count >= 0, [=] {
    for (int i = 0; i < count; ++i) {
      Multiply<T, A>({a.template at<const T>(i), shape.lda, shape.ta == CUBLAS_OP_T},
                     {b.template at<const T>(i), shape.ldb, shape.tb == CUBLAS_OP_T},
                     {c.template at<T>(i), shape.ldc, false}, shape.m, shape.n, shape.k,
                     alpha_value, beta_value);
    }
  });
}

/// The same for elements of the type \p type.
template <typename From, typename To>
cublasStatus_t GemmBatchOf(cudaDataType_t type, cublasComputeType_t compute, cublasContext *handle,
                           const Shape &shape, const void *alpha, From a, From b, const void *beta,
                           To c, int count) {
  if ((type == CUDA_R_64F) != (compute == CUBLAS_COMPUTE_64F)) return CUBLAS_STATUS_INVALID_VALUE;
  const auto run = [&](auto gemm) { return gemm(handle, shape, alpha, a, b, beta, c, count); };
  switch (type) {
    case CUDA_R_32F:
      return run(GemmBatch<float, float, From, To>);
    case CUDA_R_64F:
      return run(GemmBatch<double, double, From, To>);
    case CUDA_R_16F:
      return run(GemmBatch<mshadow::half::half_t, float, From, To>);
    case CUDA_R_16BF:
      return run(GemmBatch<mshadow::bfloat::bf16_t, float, From, To>);
  }
  return CUBLAS_STATUS_INVALID_VALUE;
}

template <typename T>
cublasStatus_t Gemm(cublasContext *handle, cublasOperation_t ta, cublasOperation_t tb, int m, int n,
                    int k, T alpha, const T *a, int lda, const T *b, int ldb, T beta, T *c,
                    int ldc) {
  const bool valid = m >= 0 && n >= 0 && k >= 0 && lda >= (ta == CUBLAS_OP_N ? m : k) &&
                     ldb >= (tb == CUBLAS_OP_N ? k : n) && ldc >= m && lda > 0 && ldb > 0 &&
                     ldc > 0;
  return Queue(handle, valid, [=] {
    Multiply<T, T>({a, lda, ta == CUBLAS_OP_T}, {b, ldb, tb == CUBLAS_OP_T}, {c, ldc, false}, m, n,
                   k, alpha, beta);
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

cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                          cublasOperation_t transb, int m, int n, int k,
                                          const void *alpha, const void *a, cudaDataType_t a_type,
                                          int lda, long long a_step, const void *b,
                                          cudaDataType_t b_type, int ldb, long long b_step,
                                          const void *beta, void *c, cudaDataType_t c_type, int ldc,
                                          long long c_step, int batch_count,
                                          cublasComputeType_t compute, cublasGemmAlgo_t) {
  if (a_type != b_type || a_type != c_type) return CUBLAS_STATUS_INVALID_VALUE;
  using From = fakecuda::Strided<const void>;
  using To = fakecuda::Strided<void>;
  return fakecuda::GemmBatchOf(a_type, compute, handle, {transa, transb, m, n, k, lda, ldb, ldc},
                               alpha, From{a, a_step}, From{b, b_step}, beta, To{c, c_step},
                               batch_count);
}

cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                   cublasOperation_t transb, int m, int n, int k, const void *alpha,
                                   const void *const a[], cudaDataType_t a_type, int lda,
                                   const void *const b[], cudaDataType_t b_type, int ldb,
                                   const void *beta, void *const c[], cudaDataType_t c_type,
                                   int ldc, int batch_count, cublasComputeType_t compute,
                                   cublasGemmAlgo_t) {
  if (a_type != b_type || a_type != c_type) return CUBLAS_STATUS_INVALID_VALUE;
  using From = fakecuda::Pointers<const void>;
  using To = fakecuda::Pointers<void>;
  return fakecuda::GemmBatchOf(a_type, compute, handle, {transa, transb, m, n, k, lda, ldb, ldc},
                               alpha, From{a}, From{b}, beta, To{c}, batch_count);
}

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
                            cublasOperation_t transb, int m, int n, int k, const void *alpha,
                            const void *a, cudaDataType_t a_type, int lda, const void *b,
                            cudaDataType_t b_type, int ldb, const void *beta, void *c,
                            cudaDataType_t c_type, int ldc, cublasComputeType_t compute,
                            cublasGemmAlgo_t algo) {
  return cublasGemmStridedBatchedEx(handle, transa, transb, m, n, k, alpha, a, a_type, lda, 0, b,
                                    b_type, ldb, 0, beta, c, c_type, ldc, 0, 1, compute, algo);
}
