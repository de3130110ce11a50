// SPDX-License-Identifier: Apache-2.0
// The memory of an optimizer on a GPU. All is queued on the stream of the optimizer's tensors.
#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "mshadow/detail/stream_gpu.h"
#include "mshadow/detail/type_switch.h"
#include "optimizer_memory.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {
namespace {

/// Page-locked memory of the host for copies. It has two halves, which take turns. When one is
/// full, the host waits for the copies of the other one, which were queued long before.
class HostStage {
 public:
  /// Bytes of a half: the most that Take gives. Large copies need pieces of about this size.
  static constexpr size_t kHalf = size_t{1} << 20;

  HostStage() = default;
  HostStage(const HostStage &) = delete;
  HostStage &operator=(const HostStage &) = delete;
  ~HostStage() {
    cuda::FreeHost(memory_);
    for (Half &half : halves_) cuda::DestroyEvent(half.copied);
  }

  /// Memory that nothing queued uses. It stays as it is until \p stream has done what is queued
  /// next.
  char *Take(size_t bytes, CUstream_st *stream) {
    constexpr size_t kAlign = 16;
    bytes = (bytes + kAlign - 1) / kAlign * kAlign;
    if (memory_ == nullptr) memory_ = static_cast<char *>(cuda::MallocHost(2 * kHalf));
    if (used_ + bytes > kHalf) Turn(stream);
    return memory_ + current_ * kHalf + std::exchange(used_, used_ + bytes);
  }

 private:
  struct Half {
    CUevent_st *copied = nullptr;
    bool is_used = false;  ///< `copied` comes after its copies, which may not be done
  };

  void Turn(CUstream_st *stream) {
    Half &full = halves_[current_], &next = halves_[1 - current_];
    if (full.copied == nullptr) full.copied = cuda::CreateEvent();
    cuda::RecordEvent(full.copied, stream);
    if (next.is_used) cuda::WaitFor(next.copied);
    full.is_used = true;
    next.is_used = false;
    current_ = 1 - current_;
    used_ = 0;
  }

  char *memory_ = nullptr;
  Half halves_[2];
  size_t current_ = 0;  ///< the half from which Take gives
  size_t used_ = 0;     ///< bytes of it
};

class GpuMemory final : public OptimizerMemory {
 public:
  explicit GpuMemory(void *stream)
      : OptimizerMemory(gpu::kDevMask, stream),
        index_(stream == nullptr ? cuda::CurrentDevice() : gpu_stream()->dev_id) {}
  ~GpuMemory() override {
    FreeBlocks();  // first: this waits for the device, whose copies may still read the stage
  }

  void CheckCurrent(const char *about) const override {
    if (stream() != nullptr || cuda::CurrentDevice() == index_) return;
    throw Error(std::string(about) + "the current device to be " + std::to_string(index_) +
                ", which has the optimizer's tensors, got " +
                std::to_string(cuda::CurrentDevice()));
  }
  bool IsCaptured() const override { return cuda::IsCaptured(Queue()); }

  void Fill(const ListedTensor &tensor, double value) override;
  void Read(const ListedTensor &tensor,
            const std::function<void(const void *, size_t)> &take) override;
  void Write(const ListedTensor &tensor, const char *bytes) override;
  void Wait() const override {
    const cuda::DeviceScope scope(index_);
    cuda::Synchronize(Queue());
  }

 private:
  std::shared_ptr<char> Allocate(int64_t bytes) override {
    const cuda::DeviceScope scope(index_);
    const std::shared_ptr<char> memory(
        static_cast<char *>(cuda::Malloc(static_cast<size_t>(bytes))), cuda::Free);
    Clear(memory.get(), bytes);
    return memory;
  }
  void Clear(char *memory, int64_t bytes) override {
    const cuda::DeviceScope scope(index_);
    const char zero = 0;
    const size_t size = static_cast<size_t>(bytes);
    cuda::FillRows(memory, size, size, 1, &zero, sizeof zero, Queue());
  }

  /// Calls visit(first, width, height) for pieces of a tensor that the stage can hold, in order. A
  /// piece is \p height rows of \p width bytes.
  template <typename Visit>
  static void ForEachPiece(const ByteRows &tensor, const Visit &visit);

  Stream<gpu> *gpu_stream() const { return static_cast<Stream<gpu> *>(stream()); }
  CUstream_st *Queue() const { return Stream<gpu>::GetStream(gpu_stream()); }
  void Copy(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
            size_t height, cuda::Direction direction) const {
    cuda::CopyRows(to, to_pitch, from, from_pitch, width, height, direction, Queue());
  }

  const int index_;  ///< of the GPU
  HostStage stage_;
};

template <typename Visit>
void GpuMemory::ForEachPiece(const ByteRows &tensor, const Visit &visit) {
  if (tensor.Size() == 0) return;
  const int64_t most = static_cast<int64_t>(HostStage::kHalf);
  const int64_t width = std::min(tensor.bytes, most), height = most / width;
  for (int64_t y = 0; y < tensor.rows; y += height) {
    for (int64_t x = 0; x < tensor.bytes; x += width) {
      visit(tensor.first + y * tensor.pitch + x,
            static_cast<size_t>(std::min(width, tensor.bytes - x)),
            static_cast<size_t>(std::min(height, tensor.rows - y)));
    }
  }
}

/// Copies the first elements from the host, and then what is there again and again, doubling.
void GpuMemory::Fill(const ListedTensor &tensor, double value) {
  constexpr size_t kFirst = 1024;
  const cuda::DeviceScope scope(index_);
  const size_t bytes = static_cast<size_t>(ByteRows(tensor).Size());
  if (bytes == 0) return;
  size_t done = std::min(bytes, kFirst);
  char *const from = stage_.Take(done, Queue());
  MSHADOW_TYPE_SWITCH_WITH_BOOL(tensor.type, DType, {
    std::fill_n(reinterpret_cast<DType *>(from), done / sizeof(DType), static_cast<DType>(value));
  });
  char *const to = static_cast<char *>(tensor.arg.dptr);
  Copy(to, done, from, done, done, 1, cuda::Direction::kHostToDevice);
  while (done < bytes) {
    const size_t more = std::min(done, bytes - done);
    Copy(to + done, more, to, more, more, 1, cuda::Direction::kDeviceToDevice);
    done += more;
  }
}

void GpuMemory::Read(const ListedTensor &tensor,
                     const std::function<void(const void *, size_t)> &take) {
  const cuda::DeviceScope scope(index_);
  const ByteRows rows(tensor);
  ForEachPiece(rows, [&](const char *from, size_t width, size_t height) {
    char *const to = stage_.Take(width * height, Queue());
    Copy(to, width, from, static_cast<size_t>(rows.pitch), width, height,
         cuda::Direction::kDeviceToHost);
    cuda::Synchronize(Queue());
    take(to, width * height);
  });
}

void GpuMemory::Write(const ListedTensor &tensor, const char *bytes) {
  const cuda::DeviceScope scope(index_);
  const ByteRows rows(tensor);
  ForEachPiece(rows, [&](char *to, size_t width, size_t height) {
    char *const from = stage_.Take(width * height, Queue());
    std::memcpy(from, bytes, width * height);
    bytes += width * height;
    Copy(to, static_cast<size_t>(rows.pitch), from, width, width, height,
         cuda::Direction::kHostToDevice);
  });
}

}  // namespace

std::unique_ptr<OptimizerMemory> NewMemoryOnGpu(void *stream) {
  return std::make_unique<GpuMemory>(stream);
}

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow
