// SPDX-License-Identifier: Apache-2.0
/// \file cusolverDn.h
/// The part of cuSOLVER that Stream<gpu> uses, on the fake runtime.
#ifndef MSHADOW_TESTS_CUDA_FAKE_CUSOLVERDN_H_
#define MSHADOW_TESTS_CUDA_FAKE_CUSOLVERDN_H_

#include "cuda_runtime_api.h"

enum cusolverStatus_t { CUSOLVER_STATUS_SUCCESS = 0, CUSOLVER_STATUS_NOT_INITIALIZED = 1 };
struct cusolverDnContext {
  cudaStream_t stream = nullptr;
  static inline int live = 0;        ///< handles that exist
  static inline bool fails = false;  ///< the next handle cannot be made
};
using cusolverDnHandle_t = cusolverDnContext *;

inline cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *handle) {
  if (cusolverDnContext::fails) return cusolverStatus_t(1);
  *handle = new cusolverDnContext;
  ++cusolverDnContext::live;
  return cusolverStatus_t(0);
}
inline cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle) {
  delete handle;
  --cusolverDnContext::live;
  return cusolverStatus_t(0);
}
inline cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream) {
  handle->stream = stream;
  return cusolverStatus_t(0);
}

#endif  // MSHADOW_TESTS_CUDA_FAKE_CUSOLVERDN_H_
