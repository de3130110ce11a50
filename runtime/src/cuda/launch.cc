// SPDX-License-Identifier: Apache-2.0
#include "mshadow/cuda/launch.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>

#include "check.h"
#include "mshadow/detail/stream_gpu.h"

namespace mshadow {

namespace {

int DeviceOf(void *stream) {
  return stream == nullptr ? cuda::CurrentDevice() : static_cast<Stream<gpu> *>(stream)->dev_id;
}

CUstream_st *QueueOf(void *stream) {
  return Stream<gpu>::GetStream(static_cast<Stream<gpu> *>(stream));
}

// What the stacks of workspace.cc ask of CUDA.

void *AllocateFor(void *stream, size_t bytes) {
  const cuda::DeviceScope scope(DeviceOf(stream));
  return cuda::Malloc(bytes);
}

bool IsCaptured(void *stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  cuda::Check(cudaStreamIsCapturing(QueueOf(stream), &status), "cudaStreamIsCapturing");
  return status != cudaStreamCaptureStatusNone;
}

/// It stays to the end of the process: at exit there may be no device to give memory back to.
detail::WorkspaceStack &WorkspaceOfDefaultStream() {
  static std::mutex mutex;
  static auto *const stacks = new std::map<int, detail::WorkspaceStack *>;
  const int device = cuda::CurrentDevice();
  const std::lock_guard<std::mutex> lock(mutex);
  detail::WorkspaceStack *&stack = (*stacks)[device];
  if (stack == nullptr) {
    stack = detail::NewWorkspaceStack({AllocateFor, cuda::Free, IsCaptured, true});
  }
  return *stack;
}

}  // namespace

/// While a list makes the Plans of an entry: the memory of this entry.
detail::WorkspaceStack &detail::WorkspaceOfStream(void *stream) {
  if (WorkspaceStack **const own = MemoryOfEntry()) {
    if (*own == nullptr) {
      *own =
          NewWorkspaceStack({AllocateFor, cuda::Free, IsCaptured, false, false, /*is_kept=*/true});
    }
    return **own;
  }
  if (stream == nullptr) return WorkspaceOfDefaultStream();
  WorkspaceStack *&stack = static_cast<Stream<gpu> *>(stream)->workspace_;
  if (stack == nullptr) stack = NewWorkspaceStack({AllocateFor, cuda::Free, IsCaptured, false});
  return *stack;
}

detail::WorkspaceStack &detail::WorkspaceOfAssignment(void *stream) {
  if (stream != nullptr) return WorkspaceOfStream(stream);
  return *NewWorkspaceStack({AllocateFor, cuda::Free, nullptr, false, /*is_of_one=*/true});
}

namespace cuda {
namespace {

/// Threads that a device holds at once. Asked for once per device: the answer never changes.
index_t ResidentThreads(int device) {
  constexpr int kCached = 64;
  static std::atomic<index_t> cache[kCached];
  if (device < kCached && cache[device] != 0) return cache[device];
  int processors = 0, threads = 0;
  Check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device),
        "cudaDeviceGetAttribute");
  Check(cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device),
        "cudaDeviceGetAttribute");
  const index_t resident = static_cast<index_t>(processors) * threads;
  if (device < kCached) cache[device] = resident;
  return resident;
}

bool SyncWanted() {
  static const bool wanted = [] {
    const char *value = std::getenv("MSHADOW_CUDA_SYNC");
    return value != nullptr && std::strcmp(value, "0") != 0 && *value != '\0';
  }();
  return wanted;
}

index_t CeilDivide(index_t a, index_t b) { return (a + b - 1) / b; }

}  // namespace

Grid MakeGrid(const Tuning &tuning, index_t rows, index_t cols, int lanes,
              index_t resident) noexcept {
  constexpr index_t kMaxY = 65535;  // of a grid, on every device
  Grid grid;
  const index_t wanted = CeilDivide(cols, lanes);  // threads in a row
  grid.block_x = static_cast<unsigned>(tuning.threads);
  if (rows > 1) {
    while (grid.block_x > 1 && grid.block_x / 2 >= wanted) grid.block_x /= 2;
  }
  grid.block_y = static_cast<unsigned>(tuning.threads) / grid.block_x;
  const index_t blocks = std::max<index_t>(1, resident / tuning.threads * tuning.waves);
  const index_t x = std::min(CeilDivide(wanted, grid.block_x), blocks);
  grid.x = static_cast<unsigned>(x);
  grid.y = static_cast<unsigned>(
      std::min({CeilDivide(rows, grid.block_y), std::max<index_t>(1, blocks / x), kMaxY}));
  return grid;
}

LaunchScope::LaunchScope(const char *rule, void *stream)
    : rule_(rule), stream_(QueueOf(stream)), device_(DeviceOf(stream)), scope_(device_) {}

Grid LaunchScope::MakeGrid(const Tuning &tuning, index_t rows, index_t cols, int lanes) const {
  return cuda::MakeGrid(tuning, rows, cols, lanes, ResidentThreads(device_));
}

void LaunchScope::Check(int status) const {
  const char *call = "cudaLaunchKernel";
  if (status == cudaSuccess && SyncWanted()) {
    status = cudaStreamSynchronize(stream_);
    call = "cudaStreamSynchronize after the launch";
  }
  if (status == cudaSuccess) return;
  cuda::Check(static_cast<cudaError_t>(status), (std::string(rule_) + ": " + call).c_str());
}

}  // namespace cuda
}  // namespace mshadow
