// SPDX-License-Identifier: Apache-2.0
/// \file cudnn.h
/// The part of cuDNN that Stream<gpu> uses, on the fake runtime.
#ifndef MSHADOW_TESTS_CUDA_FAKE_CUDNN_H_
#define MSHADOW_TESTS_CUDA_FAKE_CUDNN_H_

#include "cuda_runtime_api.h"

enum cudnnStatus_t { CUDNN_STATUS_SUCCESS = 0, CUDNN_STATUS_NOT_INITIALIZED = 1 };
struct cudnnContext {
  cudaStream_t stream = nullptr;
  static inline int live = 0;        ///< handles that exist
  static inline bool fails = false;  ///< the next handle cannot be made
};
using cudnnHandle_t = cudnnContext *;

inline cudnnStatus_t cudnnCreate(cudnnHandle_t *handle) {
  if (cudnnContext::fails) return cudnnStatus_t(1);
  *handle = new cudnnContext;
  ++cudnnContext::live;
  return cudnnStatus_t(0);
}
inline cudnnStatus_t cudnnDestroy(cudnnHandle_t handle) {
  delete handle;
  --cudnnContext::live;
  return cudnnStatus_t(0);
}
inline cudnnStatus_t cudnnSetStream(cudnnHandle_t handle, cudaStream_t stream) {
  handle->stream = stream;
  return cudnnStatus_t(0);
}

enum cudnnDataType_t { CUDNN_DATA_FLOAT = 0, CUDNN_DATA_INT64 = 10, CUDNN_DATA_BOOLEAN = 11 };

#endif  // MSHADOW_TESTS_CUDA_FAKE_CUDNN_H_
