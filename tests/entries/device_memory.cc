// SPDX-License-Identifier: Apache-2.0
#include "device_memory.h"

#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstdlib>

namespace {

void Check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::printf("%s\n", cudaGetErrorString(status));
  std::abort();
}

}  // namespace

void *DeviceCopy(const void *host, size_t bytes) {
  void *device = nullptr;
  Check(cudaMalloc(&device, bytes));
  Check(cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice));
  return device;
}

void HostCopy(void *host, const void *device, size_t bytes) {
  Check(cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost));
}

void DeviceFree(void *device) { Check(cudaFree(device)); }

void *NewCudaStream(void) {
  cudaStream_t stream = nullptr;
  Check(cudaStreamCreate(&stream));
  return stream;
}

bool IsCudaStream(void *stream) {
  const bool is_one = cudaStreamQuery(static_cast<cudaStream_t>(stream)) == cudaSuccess;
  cudaGetLastError();
  return is_one;
}

void DeleteCudaStream(void *stream) { Check(cudaStreamDestroy(static_cast<cudaStream_t>(stream))); }
