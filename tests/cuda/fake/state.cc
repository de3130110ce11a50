// SPDX-License-Identifier: Apache-2.0
// Errors, injected faults, devices, and the count of what is alive.
#include "state.h"

#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "include/fake_cuda.h"

namespace fakecuda {
namespace {

struct Faults {
  int calls = 0;
  int failing_call = 0;  // 0: none
  cudaError_t error = cudaSuccess;
  bool sticky = false;
  cudaError_t sticky_error = cudaSuccess;
  const char *failed = "";
};

Faults faults;
int live_objects = 0;
thread_local int current_device = 0;
thread_local cudaError_t last_error = cudaSuccess;

void ReportLeaks() {
  if (live_objects == 0) return;
  std::fprintf(stderr, "fake CUDA: %d blocks, streams, events or handles were never released\n",
               live_objects);
  std::fflush(nullptr);
  _exit(1);
}

}  // namespace

std::unique_lock<std::recursive_mutex> Lock() {
  static auto *mutex = new std::recursive_mutex;  // outlives every static that makes a call
  return std::unique_lock<std::recursive_mutex>(*mutex);
}

cudaError_t Enter(const char *call) {
  ++faults.calls;
  if (faults.calls == faults.failing_call) {
    faults.failed = call;
    if (faults.sticky) faults.sticky_error = faults.error;
    return Fail(faults.error);
  }
  if (faults.sticky_error != cudaSuccess) return Fail(faults.sticky_error);
  return RefusedByCapture(call) ? RefuseInCapture(cudaErrorStreamCaptureUnsupported) : cudaSuccess;
}

cudaError_t Fail(cudaError_t error) {
  if (error != cudaSuccess && error != cudaErrorNotReady) last_error = error;
  return error;
}

int CurrentDevice() { return current_device; }

void CountObjects(int change) {
  static const bool registered = std::atexit(ReportLeaks) == 0;
  static_cast<void>(registered);
  live_objects += change;
}

void Fatal(const char *message, const void *address) {
  std::fprintf(stderr, "fake CUDA: %s (%p)\n", message, address);
  std::abort();
}

void FailCall(int call, cudaError_t error, bool sticky) {
  auto lock = Lock();
  faults = Faults();
  faults.failing_call = call;
  faults.error = error;
  faults.sticky = sticky;
}

void ClearFaults() {
  auto lock = Lock();
  faults = Faults();
  last_error = cudaSuccess;
}

const char *FailedCall() { return faults.failed; }
int Calls() { return faults.calls; }
int LiveObjects() { return live_objects; }

cudaError_t MaxActiveBlocks(int *blocks, int threads) {
  auto lock = Lock();
  if (cudaError_t error = Enter(__func__)) return error;
  if (threads <= 0 || threads > 1024) return Fail(cudaErrorInvalidValue);
  *blocks = std::max(1, kThreads[current_device] / threads);
  return cudaSuccess;
}

}  // namespace fakecuda

using fakecuda::Enter;
using fakecuda::Fail;
using fakecuda::Lock;

const char *cudaGetErrorName(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return "cudaSuccess";
    case cudaErrorInvalidValue:
      return "cudaErrorInvalidValue";
    case cudaErrorMemoryAllocation:
      return "cudaErrorMemoryAllocation";
    case cudaErrorInitializationError:
      return "cudaErrorInitializationError";
    case cudaErrorInvalidConfiguration:
      return "cudaErrorInvalidConfiguration";
    case cudaErrorInvalidDevicePointer:
      return "cudaErrorInvalidDevicePointer";
    case cudaErrorInvalidMemcpyDirection:
      return "cudaErrorInvalidMemcpyDirection";
    case cudaErrorInsufficientDriver:
      return "cudaErrorInsufficientDriver";
    case cudaErrorDevicesUnavailable:
      return "cudaErrorDevicesUnavailable";
    case cudaErrorNoDevice:
      return "cudaErrorNoDevice";
    case cudaErrorInvalidDevice:
      return "cudaErrorInvalidDevice";
    case cudaErrorInvalidResourceHandle:
      return "cudaErrorInvalidResourceHandle";
    case cudaErrorNotReady:
      return "cudaErrorNotReady";
    case cudaErrorIllegalAddress:
      return "cudaErrorIllegalAddress";
    case cudaErrorMisalignedAddress:
      return "cudaErrorMisalignedAddress";
    case cudaErrorLaunchFailure:
      return "cudaErrorLaunchFailure";
    case cudaErrorStreamCaptureUnsupported:
      return "cudaErrorStreamCaptureUnsupported";
    case cudaErrorStreamCaptureInvalidated:
      return "cudaErrorStreamCaptureInvalidated";
    case cudaErrorStreamCaptureImplicit:
      return "cudaErrorStreamCaptureImplicit";
    case cudaErrorUnknown:
      return "cudaErrorUnknown";
  }
  return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error) { return cudaGetErrorName(error); }

cudaError_t cudaGetLastError() {
  const cudaError_t error = fakecuda::last_error;
  fakecuda::last_error = fakecuda::faults.sticky_error;
  return error;
}

cudaError_t cudaPeekAtLastError() { return fakecuda::last_error; }

cudaError_t cudaGetDeviceCount(int *count) {
  auto lock = Lock();
  if (cudaError_t error = Enter(__func__)) return error;
  *count = fakecuda::kDevices;
  return cudaSuccess;
}

cudaError_t cudaGetDevice(int *device) {
  auto lock = Lock();
  if (cudaError_t error = Enter(__func__)) return error;
  *device = fakecuda::current_device;
  return cudaSuccess;
}

cudaError_t cudaSetDevice(int device) {
  auto lock = Lock();
  if (cudaError_t error = Enter(__func__)) return error;
  if (device < 0 || device >= fakecuda::kDevices) return Fail(cudaErrorInvalidDevice);
  fakecuda::current_device = device;
  return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize() {
  auto lock = Lock();
  if (cudaError_t error = Enter(__func__)) return error;
  fakecuda::RunDevice(fakecuda::current_device);
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attr, int device) {
  auto lock = Lock();
  if (cudaError_t error = Enter(__func__)) return error;
  if (device < 0 || device >= fakecuda::kDevices) return Fail(cudaErrorInvalidDevice);
  switch (attr) {
    case cudaDevAttrMaxThreadsPerBlock:
      *value = 1024;
      return cudaSuccess;
    case cudaDevAttrMultiProcessorCount:
      *value = 2;
      return cudaSuccess;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
      *value = fakecuda::kThreads[device];
      return cudaSuccess;
    case cudaDevAttrComputeCapabilityMajor:
      *value = 9;
      return cudaSuccess;
    case cudaDevAttrComputeCapabilityMinor:
      *value = 0;
      return cudaSuccess;
  }
  return Fail(cudaErrorInvalidValue);
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *prop, int device) {
  auto lock = Lock();
  if (cudaError_t error = Enter(__func__)) return error;
  if (device < 0 || device >= fakecuda::kDevices) return Fail(cudaErrorInvalidDevice);
  *prop = cudaDeviceProp();
  std::snprintf(prop->name, sizeof prop->name, "fake device %d", device);
  prop->totalGlobalMem = size_t{1} << 35;
  prop->major = 9;
  prop->multiProcessorCount = 2;
  prop->maxThreadsPerMultiProcessor = fakecuda::kThreads[device];
  prop->maxThreadsPerBlock = 1024;
  prop->sharedMemPerBlock = 48 << 10;
  prop->regsPerBlock = 1 << 16;
  prop->warpSize = 32;
  const int threads[] = {1024, 1024, 64}, blocks[] = {INT_MAX, 65535, 65535};
  std::copy(threads, threads + 3, prop->maxThreadsDim);
  std::copy(blocks, blocks + 3, prop->maxGridSize);
  return cudaSuccess;
}
