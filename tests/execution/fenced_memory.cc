// SPDX-License-Identifier: Apache-2.0
#include "fenced_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

namespace mshadow_test {
namespace {

constexpr size_t kFence = 512;  // bytes before and after the tensor

size_t RoundUp(size_t bytes, size_t unit) { return (bytes + unit - 1) / unit * unit; }

}  // namespace

FencedMemory::FencedMemory(size_t bytes, size_t offset, Guard guard)
    : bytes_(bytes), offset_(offset), guard_(guard) {
  guard_ == Guard::kNone ? Allocate() : AllocateGuarded();
  std::memset(begin_, kFenceByte, static_cast<size_t>(end_ - begin_));
}

FencedMemory::FencedMemory(const FencedMemory &other)
    : FencedMemory(other.bytes_, other.offset_, other.guard_) {
  std::memcpy(begin_, other.begin_, static_cast<size_t>(end_ - begin_));
}

void FencedMemory::Allocate() {
  const size_t size = RoundUp(kFence + offset_ + bytes_ + kFence, 64);
  memory_.reset(static_cast<unsigned char *>(std::aligned_alloc(64, size)), std::free);
  if (!memory_) throw std::bad_alloc();
  begin_ = memory_.get();
  data_ = begin_ + kFence + offset_;
  end_ = data_ + bytes_ + kFence;
}

void FencedMemory::AllocateGuarded() {
  const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t usable = RoundUp(kFence + bytes_, page);
  void *mapped =
      mmap(nullptr, usable + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  auto *pages = static_cast<unsigned char *>(mapped);
  memory_.reset(pages, [=](unsigned char *first) { munmap(first, usable + page); });
  const bool is_before = guard_ == Guard::kBefore;
  begin_ = is_before ? pages + page : pages;
  end_ = begin_ + usable;
  data_ = is_before ? begin_ : end_ - bytes_;
  if (mprotect(is_before ? pages : end_, page, PROT_NONE) != 0) throw std::bad_alloc();
}

bool FencedMemory::IsIntact() const {
  const auto is_fence = [](unsigned char byte) { return byte == kFenceByte; };
  return std::all_of(begin_, data_, is_fence) && std::all_of(data_ + bytes_, end_, is_fence);
}

}  // namespace mshadow_test
