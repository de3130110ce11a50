// SPDX-License-Identifier: Apache-2.0
/// \file optimizer_memory.h
/// The memory of an optimizer's states, and copies of its tensors from and to the host: of a CPU in
/// optim_memory.cc, of a GPU in optim_memory_gpu.cc.
#ifndef MSHADOW_RUNTIME_OPTIMIZER_MEMORY_H_
#define MSHADOW_RUNTIME_OPTIMIZER_MEMORY_H_

#include <functional>
#include <memory>
#include <vector>

#include "mshadow/list.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {

/// A tensor as rows of bytes. It is one row if there is no padding.
struct ByteRows {
  char *first;
  int64_t bytes;  ///< of a row, without padding
  int64_t pitch;  ///< from one row to the next
  int64_t rows;

  explicit ByteRows(const ListedTensor &tensor);
  int64_t Size() const { return bytes * rows; }
};

/// The device of an optimizer's tensors. On a GPU all work is queued on the stream of the tensors.
class OptimizerMemory {
 public:
  /// \param stream on a GPU a Stream<gpu> *, null for the current device's default stream
  OptimizerMemory(int device, void *stream) : device_(device), stream_(stream) {}
  virtual ~OptimizerMemory() = default;
  OptimizerMemory(const OptimizerMemory &) = delete;
  OptimizerMemory &operator=(const OptimizerMemory &) = delete;

  int device() const { return device_; }  ///< cpu::kDevMask or gpu::kDevMask
  void *stream() const { return stream_; }

  /// Zeroed memory that begins on a cache line and stays where it is.
  void *Take(int64_t bytes);
  /// How much has been taken.
  struct Mark {
    size_t blocks;
    char *next;
    int64_t left;
  };
  Mark mark() const { return {blocks_.size(), next_, left_}; }
  /// Gives back all that was taken after \p mark.
  void Return(const Mark &mark) noexcept;

  /// Throws an Error that begins with \p about, which ends with "expected ", if the tensors have no
  /// stream and lie on another GPU than the current one.
  virtual void CheckCurrent(const char *about) const { static_cast<void>(about); }
  /// Whether a CUDA graph captures the stream.
  virtual bool IsCaptured() const { return false; }

  /// Sets all elements of a tensor without padding. Does not wait for the device.
  virtual void Fill(const ListedTensor &tensor, double value) = 0;
  /// Passes the bytes of a tensor to \p take, in order and without padding, piece by piece.
  virtual void Read(const ListedTensor &tensor,
                    const std::function<void(const void *, size_t)> &take) = 0;
  /// Copies \p bytes, the elements without padding, to a tensor. They may change afterwards.
  virtual void Write(const ListedTensor &tensor, const char *bytes) = 0;
  /// Waits until all work of the stream is done. \throws Error if any of it failed
  virtual void Wait() const {}

 protected:
  /// Frees all memory that was taken.
  void FreeBlocks() { blocks_.clear(); }

 private:
  /// Zeroed memory of so many bytes, which begins on a cache line.
  virtual std::shared_ptr<char> Allocate(int64_t bytes) = 0;
  /// Zeroes memory.
  virtual void Clear(char *memory, int64_t bytes) = 0;

  const int device_;
  void *const stream_;
  std::vector<std::shared_ptr<char>> blocks_;
  char *next_ = nullptr;  ///< what is free of the last block
  int64_t left_ = 0;      ///< how many bytes that is
};

std::unique_ptr<OptimizerMemory> NewMemoryOnCpu();
/// \throws Error if there is no CUDA
std::unique_ptr<OptimizerMemory> NewMemoryOnGpu(void *stream);

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_RUNTIME_OPTIMIZER_MEMORY_H_
