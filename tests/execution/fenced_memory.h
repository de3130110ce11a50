// SPDX-License-Identifier: Apache-2.0
/// \file fenced_memory.h
/// Memory of one tensor in a test. Fences on both sides show a write outside it; a guard page on
/// one side, which no instruction may touch, shows a read as well.
#ifndef MSHADOW_TESTS_EXECUTION_FENCED_MEMORY_H_
#define MSHADOW_TESTS_EXECUTION_FENCED_MEMORY_H_

#include <cstddef>
#include <memory>

namespace mshadow_test {

/// Which side of a tensor has a guard page instead of a fence.
enum class Guard { kNone, kBefore, kAfter };

constexpr unsigned char kFenceByte = 0xa5;

class FencedMemory {
 public:
  /// \param bytes what the tensor needs; every byte is kFenceByte
  /// \param offset bytes by which the tensor is moved from a 64-byte boundary; ignored with a guard
  /// Throws std::bad_alloc.
  FencedMemory(size_t bytes, size_t offset, Guard guard);
  FencedMemory(const FencedMemory &other);
  FencedMemory &operator=(const FencedMemory &) = delete;

  /// The first byte of the tensor.
  unsigned char *data() const { return data_; }
  /// Whether nobody wrote to the fences.
  bool IsIntact() const;

 private:
  void Allocate();
  void AllocateGuarded();

  size_t bytes_, offset_;
  Guard guard_;
  std::shared_ptr<unsigned char> memory_;
  unsigned char *data_ = nullptr;
  unsigned char *begin_ = nullptr, *end_ = nullptr;  // of the fences and the tensor
};

}  // namespace mshadow_test

#endif  // MSHADOW_TESTS_EXECUTION_FENCED_MEMORY_H_
