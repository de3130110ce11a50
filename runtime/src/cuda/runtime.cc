// SPDX-License-Identifier: Apache-2.0
#include "mshadow/cuda/runtime.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <mutex>
#include <string>

#include "check.h"

namespace mshadow {

namespace cuda {

void Check(cudaError_t status, const char *call) {
  if (status == cudaSuccess) return;
  cudaGetLastError();
  throw Error(std::string(call) + ": " + cudaGetErrorName(status) + " (" +
              cudaGetErrorString(status) + ")");
}

bool IsBuilt() noexcept { return true; }

int DeviceCount() noexcept {
  int count = 0;
  if (cudaGetDeviceCount(&count) == cudaSuccess) return count;
  cudaGetLastError();
  return 0;
}

int CurrentDevice() {
  int device = 0;
  Check(cudaGetDevice(&device), "cudaGetDevice");
  return device;
}

void SetDevice(int device) { Check(cudaSetDevice(device), "cudaSetDevice"); }

const DeviceProperties &PropertiesOf(int device) {
  static std::mutex mutex;
  static std::map<int, DeviceProperties> known;
  const std::lock_guard<std::mutex> lock(mutex);
  const auto found = known.find(device);
  if (found != known.end()) return found->second;
  cudaDeviceProp from;
  Check(cudaGetDeviceProperties(&from, device), "cudaGetDeviceProperties");
  DeviceProperties &to = known[device];
  std::copy(std::begin(from.name), std::end(from.name), to.name);
  to.totalGlobalMem = from.totalGlobalMem;
  to.sharedMemPerBlock = from.sharedMemPerBlock;
  to.regsPerBlock = from.regsPerBlock;
  to.warpSize = from.warpSize;
  to.maxThreadsPerBlock = from.maxThreadsPerBlock;
  to.maxThreadsPerMultiProcessor = from.maxThreadsPerMultiProcessor;
  std::copy(std::begin(from.maxThreadsDim), std::end(from.maxThreadsDim), to.maxThreadsDim);
  std::copy(std::begin(from.maxGridSize), std::end(from.maxGridSize), to.maxGridSize);
  to.multiProcessorCount = from.multiProcessorCount;
  to.major = from.major;
  to.minor = from.minor;
  return to;
}

DeviceScope::DeviceScope(int device) : previous_(CurrentDevice()) {
  if (previous_ == device) {
    previous_ = -1;
  } else {
    SetDevice(device);
  }
}

DeviceScope::~DeviceScope() {
  if (previous_ >= 0) cudaSetDevice(previous_);
}

void *Malloc(size_t bytes) {
  void *pointer = nullptr;
  if (bytes != 0) Check(cudaMalloc(&pointer, bytes), "cudaMalloc");
  return pointer;
}

void Free(void *pointer) noexcept {
  if (pointer != nullptr && cudaFree(pointer) != cudaSuccess) cudaGetLastError();
}

void *MallocHost(size_t bytes) {
  void *pointer = nullptr;
  if (bytes != 0) Check(cudaMallocHost(&pointer, bytes), "cudaMallocHost");
  return pointer;
}

void FreeHost(void *pointer) noexcept {
  if (pointer != nullptr && cudaFreeHost(pointer) != cudaSuccess) cudaGetLastError();
}

void CopyRows(void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width,
              size_t height, Direction direction, CUstream_st *stream) {
  if (width == 0 || height == 0) return;
  const cudaMemcpyKind kind = direction == Direction::kHostToDevice   ? cudaMemcpyHostToDevice
                              : direction == Direction::kDeviceToHost ? cudaMemcpyDeviceToHost
                                                                      : cudaMemcpyDeviceToDevice;
  if (height == 1 || (dst_pitch == width && src_pitch == width)) {
    Check(cudaMemcpyAsync(dst, src, width * height, kind, stream), "cudaMemcpyAsync");
  } else {
    Check(cudaMemcpy2DAsync(dst, dst_pitch, src, src_pitch, width, height, kind, stream),
          "cudaMemcpy2DAsync");
  }
}

CUstream_st *CreateStream() {
  cudaStream_t stream = nullptr;
  Check(cudaStreamCreate(&stream), "cudaStreamCreate");
  return stream;
}

void DestroyStream(CUstream_st *stream) noexcept {
  if (stream != nullptr && cudaStreamDestroy(stream) != cudaSuccess) cudaGetLastError();
}

void Synchronize(CUstream_st *stream) {
  Check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
}

bool IsIdle(CUstream_st *stream) {
  const cudaError_t status = cudaStreamQuery(stream);
  if (status == cudaErrorNotReady) return false;
  Check(status, "cudaStreamQuery");
  return true;
}

bool IsCaptured(CUstream_st *stream) {
  if (stream == nullptr) return false;
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  Check(cudaStreamIsCapturing(stream, &status), "cudaStreamIsCapturing");
  return status != cudaStreamCaptureStatusNone;
}

CUevent_st *CreateEvent() {
  cudaEvent_t event = nullptr;
  Check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "cudaEventCreateWithFlags");
  return event;
}

void DestroyEvent(CUevent_st *event) noexcept {
  if (event != nullptr && cudaEventDestroy(event) != cudaSuccess) cudaGetLastError();
}

void RecordEvent(CUevent_st *event, CUstream_st *stream) {
  Check(cudaEventRecord(event, stream), "cudaEventRecord");
}

void WaitFor(CUevent_st *event) { Check(cudaEventSynchronize(event), "cudaEventSynchronize"); }

}  // namespace cuda
}  // namespace mshadow
