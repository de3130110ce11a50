// SPDX-License-Identifier: Apache-2.0
#include "mshadow/emitted/launch_memory.h"

#include <memory>
#include <new>
#include <vector>

namespace mshadow {
namespace {

constexpr size_t kLine = 64;  // bytes

struct FreeLines {
  void operator()(void *memory) const { ::operator delete(memory, std::align_val_t{kLine}); }
};

struct Block {
  std::unique_ptr<void, FreeLines> memory;
  size_t bytes;
};

/// What a thread has: blocks, of which all but the first are there only until the next launch finds
/// one that is large enough.
struct Blocks {
  std::vector<Block> blocks;
  size_t used = 0;   ///< of the last block
  size_t taken = 0;  ///< of all
  int users = 0;     ///< LaunchMemory objects, one inside the other

  void Add(size_t bytes) {
    blocks.reserve(blocks.size() + 1);
    blocks.push_back(
        {std::unique_ptr<void, FreeLines>(::operator new(bytes, std::align_val_t{kLine})), bytes});
    used = 0;
  }

  void *Take(size_t bytes) {
    bytes = (bytes + kLine - 1) / kLine * kLine;
    if (blocks.empty() || blocks.back().bytes - used < bytes) Add(bytes);
    void *const memory = static_cast<char *>(blocks.back().memory.get()) + used;
    used += bytes;
    taken += bytes;
    return memory;
  }

  void Reset() noexcept {
    if (blocks.size() > 1) {
      blocks.clear();
      try {
        Add(taken);
      } catch (const std::bad_alloc &) {
        // The next launch asks again.
      }
    }
    used = taken = 0;
  }
};

Blocks &OfThread() {
  static thread_local Blocks blocks;
  return blocks;
}

}  // namespace

void LaunchMemory::Release() noexcept {
  if (--OfThread().users == 0) OfThread().Reset();
}

void *LaunchMemory::TakeBytes(size_t bytes) {
  Blocks &blocks = OfThread();
  if (!is_used_) ++blocks.users;
  is_used_ = true;
  return blocks.Take(bytes);
}

}  // namespace mshadow
