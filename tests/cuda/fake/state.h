// SPDX-License-Identifier: Apache-2.0
/// \file state.h
/// What the parts of the fake runtime share. Every public call holds Lock() from its first line.
#ifndef MSHADOW_TESTS_CUDA_FAKE_STATE_H_
#define MSHADOW_TESTS_CUDA_FAKE_STATE_H_

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "include/cuda_runtime_api.h"

namespace fakecuda {

/// Held by every API call and while queued work runs.
std::unique_lock<std::recursive_mutex> Lock();

/// Counts a call of that name; the error that it must answer, or cudaSuccess.
cudaError_t Enter(const char *call);
/// Makes `error` the last error; returns it.
cudaError_t Fail(cudaError_t error);

int CurrentDevice();

/// Counts things that must be released before the process ends.
void CountObjects(int change);

/// Prints the message and aborts: a mistake of the program under test that a GPU would not survive.
[[noreturn]] void Fatal(const char *message, const void *address);

/// Opens a device's memory while it lives; closes it, and checks the bytes behind every block.
class DeviceAccess {
 public:
  explicit DeviceAccess(int device);
  ~DeviceAccess();
  DeviceAccess(const DeviceAccess &) = delete;
  DeviceAccess &operator=(const DeviceAccess &) = delete;

 private:
  int device_;
};

/// The device whose block holds all of [pointer, pointer + bytes), or -1; -2 if the range leaves
/// the block that it begins in.
int DeviceOf(const void *pointer, size_t bytes);
constexpr int kHost = -1;
constexpr int kOutside = -2;

/// A piece of work on a stream.
struct Op {
  std::function<void()> run;
  CUstream_st *stream = nullptr;
  std::vector<std::shared_ptr<Op>> after;  ///< work of other streams that comes first
  bool done = false;
  double finished_ms = 0;  ///< on the host's steady clock
};

/// Puts work on a stream (null: the device's default stream, which waits for every blocking stream
/// and which they wait for).
std::shared_ptr<Op> Enqueue(CUstream_st *stream, std::function<void()> run);
/// Whether a stream is captured into a graph: calls that wait, allocate or use the default stream
/// are refused then, and what is put on the stream becomes the graph's.
bool IsCapturing();
/// Whether that refuses a call; the capture is invalid afterwards.
bool RefusedByCapture(const char *call);
cudaError_t RefuseInCapture(cudaError_t error);
/// Keeps work for the graph that `stream` is captured into; false if it is not.
bool Record(CUstream_st *stream, const std::function<void()> &run);
/// Runs all that must have run before `op` is done, and `op`.
void RunUntil(std::shared_ptr<Op> op);
/// Runs everything on a device.
void RunDevice(int device);
/// Null and cudaStreamLegacy are the default stream of the current device.
inline bool IsDefaultStream(CUstream_st *stream) {
  return stream == nullptr || stream == cudaStreamLegacy;
}
/// The default stream, or one that has been made.
bool IsStream(CUstream_st *stream);
int DeviceOfStream(CUstream_st *stream);

/// Runs a grid now. The device's memory is open.
void RunGrid(const std::function<void()> &body, dim3 grid, dim3 block);

}  // namespace fakecuda

#endif  // MSHADOW_TESTS_CUDA_FAKE_STATE_H_
