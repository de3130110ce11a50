// SPDX-License-Identifier: Apache-2.0
/// \file cublas_v2.h
/// The part of cuBLAS that the project uses, on the fake runtime: column-major, run on the handle's
/// stream, computed one element after another with separate multiply and add.
#ifndef MSHADOW_TESTS_CUDA_FAKE_CUBLAS_V2_H_
#define MSHADOW_TESTS_CUDA_FAKE_CUBLAS_V2_H_

#include "cuda_runtime_api.h"

enum cudaDataType_t { CUDA_R_32F = 0, CUDA_R_64F = 1, CUDA_R_16F = 2, CUDA_R_16BF = 14 };

enum cublasStatus_t {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_EXECUTION_FAILED = 13
};

enum cublasOperation_t { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1 };
enum cublasMath_t {
  CUBLAS_DEFAULT_MATH = 0,
  CUBLAS_PEDANTIC_MATH = 2,
  CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
};
enum cublasComputeType_t {
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_PEDANTIC = 69,
  CUBLAS_COMPUTE_64F = 70
};
enum cublasGemmAlgo_t { CUBLAS_GEMM_DEFAULT = -1 };

using cublasHandle_t = struct cublasContext *;

const char *cublasGetStatusName(cublasStatus_t status);
cublasStatus_t cublasCreate(cublasHandle_t *handle);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);

cublasStatus_t cublasSgemm(cublasHandle_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, int k, const float *alpha,
                           const float *a, int lda, const float *b, int ldb, const float *beta,
                           float *c, int ldc);
cublasStatus_t cublasDgemm(cublasHandle_t handle, cublasOperation_t transa,
                           cublasOperation_t transb, int m, int n, int k, const double *alpha,
                           const double *a, int lda, const double *b, int ldb, const double *beta,
                           double *c, int ldc);

/// Elements of all four types, which are multiplied and added in the compute type and rounded once.
cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
                            cublasOperation_t transb, int m, int n, int k, const void *alpha,
                            const void *a, cudaDataType_t a_type, int lda, const void *b,
                            cudaDataType_t b_type, int ldb, const void *beta, void *c,
                            cudaDataType_t c_type, int ldc, cublasComputeType_t compute,
                            cublasGemmAlgo_t algo);
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                          cublasOperation_t transb, int m, int n, int k,
                                          const void *alpha, const void *a, cudaDataType_t a_type,
                                          int lda, long long a_step, const void *b,
                                          cudaDataType_t b_type, int ldb, long long b_step,
                                          const void *beta, void *c, cudaDataType_t c_type, int ldc,
                                          long long c_step, int batch_count,
                                          cublasComputeType_t compute, cublasGemmAlgo_t algo);
cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                   cublasOperation_t transb, int m, int n, int k, const void *alpha,
                                   const void *const a[], cudaDataType_t a_type, int lda,
                                   const void *const b[], cudaDataType_t b_type, int ldb,
                                   const void *beta, void *const c[], cudaDataType_t c_type,
                                   int ldc, int batch_count, cublasComputeType_t compute,
                                   cublasGemmAlgo_t algo);

#endif  // MSHADOW_TESTS_CUDA_FAKE_CUBLAS_V2_H_
