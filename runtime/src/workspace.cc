// SPDX-License-Identifier: Apache-2.0
#include "mshadow/detail/workspace.h"

#include <algorithm>
#include <mutex>
#include <new>
#include <string>
#include <vector>

#include "mshadow/detail/exception.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {
namespace {

constexpr size_t kAlign = 256;  // bytes

size_t RoundUp(size_t bytes) { return (bytes + kAlign - 1) / kAlign * kAlign; }

}  // namespace

/// A list of blocks; all memory up to the top is taken. A block does not move while memory of it is
/// taken, and never shrinks. So a call that found room once finds it again, whatever came between.
class WorkspaceStack {
 public:
  using Place = Workspace::Place;

  explicit WorkspaceStack(const WorkspaceMemory &memory) : memory_(memory) {}
  ~WorkspaceStack() {
    for (const Block &block : blocks_) memory_.free(block.memory);
    for (void *memory : outgrown_) memory_.free(memory);
  }
  WorkspaceStack(const WorkspaceStack &) = delete;
  WorkspaceStack &operator=(const WorkspaceStack &) = delete;

  Place Open() {
    if (memory_.is_shared) used_.lock();
    ++users_;
    return top_;
  }
  /// Notes whether the stream is being captured. Called once for each Workspace, since no capture
  /// begins or ends within a launch.
  void FindCapture(void *stream) {
    is_captured_ = memory_.is_captured != nullptr && memory_.is_captured(stream);
    was_captured_ = was_captured_ || is_captured_;
  }

  void NoteCapture() { was_captured_ = true; }
  void Restart() { top_ = {}; }

  void *Take(void *stream, size_t bytes, Place *end) {
    Place at{top_.block, RoundUp(top_.used)};
    size_t most = 0;
    while (at.block < blocks_.size()) {
      const size_t room = blocks_[at.block].bytes - std::min(blocks_[at.block].bytes, at.used);
      if (bytes <= room) break;
      most = std::max(most, room);
      at = {at.block + 1, 0};
    }
    if (at.block == blocks_.size()) at = {Grow(stream, bytes, most), 0};
    *end = top_ = {at.block, at.used + bytes};
    return static_cast<char *>(blocks_[at.block].memory) + at.used;
  }

  /// Gives back what a Workspace took. Returns whether no Workspace is left.
  bool Close(const Place &begin, const Place &end) noexcept {
    const bool is_last = --users_ == 0;
    if (memory_.is_kept) {
      // Restart gives it back.
    } else if (is_last) {
      top_ = {};
    } else if (top_.block == end.block && top_.used == end.used) {
      top_ = begin;
    }  // else another Workspace took memory later; all of it is free when no Workspace is left
    if (memory_.is_shared) used_.unlock();
    return is_last;
  }
  bool is_of_one() const { return memory_.is_of_one; }

 private:
  struct Block {
    void *memory = nullptr;
    size_t bytes = 0;
  };

  /// Makes room in the first block of which nothing is taken. Returns its index.
  /// \param most the most bytes that are free in one block
  size_t Grow(void *stream, size_t bytes, size_t most) {
    if (is_captured_) {
      ThrowError("a captured launch needs " + std::to_string(bytes) +
                 " bytes of its stream's workspace, which has " + std::to_string(most) +
                 " bytes: launch it once before the capture");
    }
    const size_t i = top_.block + (top_.used == 0 ? 0 : 1);
    if (i == blocks_.size()) blocks_.emplace_back();
    if (was_captured_) {
      outgrown_.push_back(blocks_[i].memory);
    } else {
      memory_.free(blocks_[i].memory);
    }
    blocks_[i] = {};
    blocks_[i].memory = memory_.allocate(stream, bytes);
    blocks_[i].bytes = bytes;
    return i;
  }

  const WorkspaceMemory memory_;
  std::recursive_mutex used_;  // a rule of several stages locks it, and so do its kernels
  std::vector<Block> blocks_;
  std::vector<void *> outgrown_;  // replaced blocks that captured graphs may still use
  Place top_;
  int users_ = 0;  // the number of nested Workspaces
  bool is_captured_ = false, was_captured_ = false;
};

WorkspaceStack *NewWorkspaceStack(const WorkspaceMemory &memory) {
  return new WorkspaceStack(memory);
}

void Restart(WorkspaceStack *stack) noexcept { stack->Restart(); }
void NoteCapture(WorkspaceStack *stack) noexcept { stack->NoteCapture(); }

void DeleteWorkspaceStack(WorkspaceStack *stack) noexcept { delete stack; }

WorkspaceStack &WorkspaceOfThread(void *) {
  // Whole cache lines: a kernel may store a whole packet at the end of a row.
  static thread_local WorkspaceStack stack(
      {[](void *, size_t bytes) {
         return ::operator new (RoundUp(bytes), std::align_val_t{kAlign});
       },
       [](void *memory) { ::operator delete (memory, std::align_val_t{kAlign}); }, nullptr, false});
  return stack;
}

void *Workspace::TakeBytes(int64_t count, size_t size) {
  size_t bytes = 0;
  if (count < 0 || __builtin_mul_overflow(static_cast<size_t>(count), size, &bytes) ||
      bytes > SIZE_MAX / 2) {
    throw std::bad_alloc();
  }
  if (stack_ == nullptr) {
    stack_ = &owner_(stream_);
    begin_ = end_ = stack_->Open();
    stack_->FindCapture(stream_);
  }
  return stack_->Take(stream_, std::max<size_t>(bytes, 1), &end_);
}

void Workspace::Close() noexcept {
  if (stack_->Close(begin_, end_) && stack_->is_of_one()) delete stack_;
}

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow
