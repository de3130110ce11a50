// SPDX-License-Identifier: Apache-2.0
/// \file runtime.h
/// What the runtime asks of CUDA, without CUDA's headers: a program that includes this compiles on
/// every machine. In a runtime built without CUDA each function that needs a device throws NoCuda.
///
/// All functions throw an Error that names the CUDA call and the error that it returned, unless
/// marked noexcept.
#ifndef MSHADOW_CUDA_RUNTIME_H_
#define MSHADOW_CUDA_RUNTIME_H_

#include <cstddef>

#include "mshadow/detail/exception.h"

struct CUstream_st;    // cudaStream_t points to it
struct CUevent_st;     // cudaEvent_t points to it
struct cublasContext;  // cublasHandle_t points to it

namespace mshadow {

namespace cuda {

/// Whether the runtime was built with CUDA.
bool IsBuilt() noexcept;
/// How many devices there are; 0 without CUDA, without a driver or without a GPU.
int DeviceCount() noexcept;
int CurrentDevice();
void SetDevice(int device);

/// What Stream<gpu>::prop says of its device: the members of cudaDeviceProp by which kernels are
/// sized, under the same names.
struct DeviceProperties {
  char name[256] = "";
  size_t totalGlobalMem = 0;     ///< bytes
  size_t sharedMemPerBlock = 0;  ///< bytes
  int regsPerBlock = 0;
  int warpSize = 0;
  int maxThreadsPerBlock = 0;
  int maxThreadsPerMultiProcessor = 0;
  int maxThreadsDim[3] = {0, 0, 0};
  int maxGridSize[3] = {0, 0, 0};
  int multiProcessorCount = 0;
  int major = 0;  ///< of the compute capability, as minor
  int minor = 0;
};
/// The properties of a device, for which CUDA is asked once.
const DeviceProperties &PropertiesOf(int device);

/// Makes a device current while it lives.
class DeviceScope {
 public:
  explicit DeviceScope(int device);
  ~DeviceScope();
  DeviceScope(const DeviceScope &) = delete;
  DeviceScope &operator=(const DeviceScope &) = delete;

 private:
  int previous_;  ///< -1: it was current already
};

/// Memory of the current device; null for no bytes.
void *Malloc(size_t bytes);
/// Frees memory. An error here is an error of earlier work, which the next call on the device
/// reports, too.
void Free(void *pointer) noexcept;

/// Page-locked memory of the host, from which copies are fast; null for no bytes.
void *MallocHost(size_t bytes);
void FreeHost(void *pointer) noexcept;

enum class Direction { kHostToDevice, kDeviceToHost, kDeviceToDevice };
/// Copies rows of \p width bytes, queued on \p stream. A pitch is the number of bytes from one row
/// to the next.
void CopyRows(void *dst, size_t dst_pitch, const void *src, size_t src_pitch, size_t width,
              size_t height, Direction direction, CUstream_st *stream);

/// Writes the \p size bytes at \p value to each of \p cols elements of \p rows rows, which begin
/// \p stride elements apart; queued on \p stream.
void FillRows(void *dst, size_t stride, size_t cols, size_t rows, const void *value, size_t size,
              CUstream_st *stream);

/// A stream of the current device. Its work and the default stream's are ordered as they are
/// queued, so that tensors with and without a stream may be mixed.
CUstream_st *CreateStream();
void DestroyStream(CUstream_st *stream) noexcept;
/// Waits for what is queued.
void Synchronize(CUstream_st *stream);
/// Whether nothing is queued or running.
bool IsIdle(CUstream_st *stream);
/// Whether a CUDA graph now captures what is queued. The default stream, null, never is.
bool IsCaptured(CUstream_st *stream);

/// A mark in the work of a stream of the current device.
CUevent_st *CreateEvent();
void DestroyEvent(CUevent_st *event) noexcept;
/// Marks the end of what is queued now.
void RecordEvent(CUevent_st *event, CUstream_st *stream);
/// Waits for what was queued before the last RecordEvent.
void WaitFor(CUevent_st *event);

/// A cuBLAS handle of the current device whose work goes to \p stream.
cublasContext *CreateBlas(CUstream_st *stream);
void DestroyBlas(cublasContext *handle) noexcept;

}  // namespace cuda
}  // namespace mshadow

#endif  // MSHADOW_CUDA_RUNTIME_H_
