// SPDX-License-Identifier: Apache-2.0
#include "mshadow/cuda/launch.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "check.h"
#include "mshadow/detail/stream_gpu.h"
#include "mshadow/emitted/stage_memory.h"

namespace mshadow {

/// The workspaces of a stream.
struct StreamMemory {
  struct Block {
    void *memory = nullptr;
    size_t bytes = 0;
  };
  std::vector<Block> slots;
  std::vector<void *> outgrown;  ///< what graphs may use
  bool was_captured = false;
};

namespace {

bool IsCaptured(CUstream_st *stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  cuda::Check(cudaStreamIsCapturing(stream, &status), "cudaStreamIsCapturing");
  return status != cudaStreamCaptureStatusNone;
}

}  // namespace

void *Stream<gpu>::Workspace(size_t bytes, int slot) {
  if (memory_ == nullptr) memory_ = new StreamMemory;
  StreamMemory &all = *memory_;
  const size_t number = static_cast<size_t>(slot);
  if (all.slots.size() <= number) all.slots.resize(number + 1);
  StreamMemory::Block &block = all.slots[number];
  const bool is_captured = IsCaptured(stream_);
  all.was_captured = all.was_captured || is_captured;
  if (bytes <= block.bytes) return block.memory;
  if (is_captured) {
    detail::ThrowError("a captured launch needs " + std::to_string(bytes) +
                       " bytes of its stream's workspace, which has " +
                       std::to_string(block.bytes) + " bytes: launch it once before the capture");
  }
  const cuda::DeviceScope scope(dev_id);
  if (all.was_captured) {
    all.outgrown.push_back(block.memory);
  } else {
    cuda::Free(block.memory);
  }
  block = {};
  block.memory = cuda::Malloc(bytes);
  block.bytes = bytes;
  return block.memory;
}

void Stream<gpu>::FreeWorkspace() noexcept {
  if (memory_ == nullptr) return;
  for (const StreamMemory::Block &block : memory_->slots) cuda::Free(block.memory);
  for (void *memory : memory_->outgrown) cuda::Free(memory);
  delete memory_;
  memory_ = nullptr;
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

/// What the default streams of all devices share, and by whom it is used. It stays to the end of
/// the process: at exit there may be no device to give it back to. A rule of several stages has it
/// while its kernels do.
struct DefaultStreams {
  std::recursive_mutex used;
  std::map<int, Stream<gpu>> by_device;
};

DefaultStreams &Defaults() {
  static DefaultStreams *const defaults = new DefaultStreams;
  return *defaults;
}

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
    : rule_(rule),
      stream_(Stream<gpu>::GetStream(static_cast<Stream<gpu> *>(stream))),
      device_(stream == nullptr ? CurrentDevice() : static_cast<Stream<gpu> *>(stream)->dev_id),
      scope_(device_) {}

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

namespace {

/// Memory of a stream, or of the default stream, which is then locked.
void *Borrow(void *stream, size_t bytes, int slot) {
  if (stream != nullptr) return static_cast<Stream<gpu> *>(stream)->Workspace(bytes, slot);
  std::unique_lock<std::recursive_mutex> lock(Defaults().used);
  const int device = CurrentDevice();
  Stream<gpu> &shared = Defaults().by_device[device];
  shared.dev_id = device;
  void *const memory = shared.Workspace(bytes, slot);
  lock.release();
  return memory;
}

void Return(void *stream) {
  if (stream == nullptr) Defaults().used.unlock();
}

}  // namespace

Workspace::Workspace(void *stream, size_t bytes)
    : memory_(Borrow(stream, bytes, 0)), stream_(stream) {}

Workspace::~Workspace() { Return(stream_); }

}  // namespace cuda

void *detail::BorrowStageMemory(void *stream, size_t bytes) {
  return cuda::Borrow(stream, bytes, 1);
}

void detail::ReturnStageMemory(void *stream) noexcept { cuda::Return(stream); }

}  // namespace mshadow
