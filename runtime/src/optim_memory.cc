// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "mshadow/detail/allocation.h"
#include "mshadow/detail/type_switch.h"
#include "optimizer_memory.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {
namespace {

/// States smaller than this share blocks of this size.
constexpr int64_t kBlock = 1 << 20;

class CpuMemory final : public OptimizerMemory {
 public:
  CpuMemory() : OptimizerMemory(cpu::kDevMask, nullptr) {}

  void Fill(const ListedTensor &tensor, double value) override {
    MSHADOW_TYPE_SWITCH_WITH_BOOL(tensor.type, DType, {
      std::fill_n(static_cast<DType *>(tensor.arg.dptr), tensor.arg.Size(),
                  static_cast<DType>(value));
    });
  }
  void Read(const ListedTensor &tensor,
            const std::function<void(const void *, size_t)> &take) override {
    const ByteRows rows(tensor);
    if (rows.bytes == 0) return;
    for (int64_t y = 0; y < rows.rows; ++y) {
      take(rows.first + y * rows.pitch, static_cast<size_t>(rows.bytes));
    }
  }
  void Write(const ListedTensor &tensor, const char *bytes) override {
    const ByteRows rows(tensor);
    CopyRows(rows.first, rows.pitch, bytes, rows.bytes, rows.bytes, rows.rows);
  }

 private:
  /// Large pieces are pages that nothing has touched yet.
  std::shared_ptr<char> Allocate(int64_t bytes) override {
    const std::shared_ptr<void> owner(
        std::calloc(static_cast<size_t>(bytes + kAlignment), size_t{1}), std::free);
    char *const memory = static_cast<char *>(owner.get());
    if (memory == nullptr) throw Error("cannot allocate " + std::to_string(bytes) + " bytes");
    AskForHugePages(memory, bytes);
    const int64_t past = reinterpret_cast<intptr_t>(memory) % kAlignment;
    return std::shared_ptr<char>(owner, memory + (kAlignment - past));
  }
  void Clear(char *memory, int64_t bytes) override {
    std::memset(memory, 0, static_cast<size_t>(bytes));
  }
};

}  // namespace

ByteRows::ByteRows(const ListedTensor &tensor) {
  const TensorArg<void> &arg = tensor.arg;
  const int64_t size = static_cast<int64_t>(SizeOfFlag(tensor.type));
  first = static_cast<char *>(arg.dptr);
  bytes = arg.cols() * size;
  pitch = arg.stride * size;
  rows = arg.rows();
  if (!arg.CheckContiguous()) return;
  bytes *= rows;
  pitch = bytes;
  rows = 1;
}

void *OptimizerMemory::Take(int64_t bytes) {
  bytes = (std::max<int64_t>(bytes, 1) + kAlignment - 1) / kAlignment * kAlignment;
  if (bytes <= left_) {
    left_ -= bytes;
    return std::exchange(next_, next_ + bytes);
  }
  const int64_t size = std::max(bytes, kBlock);
  blocks_.push_back(Allocate(size));
  char *const begin = blocks_.back().get();
  if (size - bytes > left_) {
    next_ = begin + bytes;
    left_ = size - bytes;
  }
  return begin;
}

void OptimizerMemory::Return(const Mark &mark) noexcept {
  blocks_.resize(mark.blocks);
  next_ = mark.next;
  left_ = mark.left;
  try {
    if (left_ > 0) Clear(next_, left_);
  } catch (const Error &) {
    left_ = 0;  // may not be zeroed: nobody gets it
  }
}

std::unique_ptr<OptimizerMemory> NewMemoryOnCpu() { return std::make_unique<CpuMemory>(); }

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow
