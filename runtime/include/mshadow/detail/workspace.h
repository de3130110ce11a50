// SPDX-License-Identifier: Apache-2.0
/// \file workspace.h
/// Memory that launches and assignments need besides their arguments: partial sums, tensors between
/// two stages, materialised temporaries. Each thread of the CPU and each stream of a GPU has a
/// stack of it. A stack grows with the first calls and keeps its memory. So later calls of the same
/// sizes allocate nothing, and no call waits for a GPU in order to free memory.
#ifndef MSHADOW_WORKSPACE_H_
#define MSHADOW_WORKSPACE_H_

#include <cstddef>

#include "mshadow/base.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {

class WorkspaceStack;

/// Where a stack's memory comes from.
struct WorkspaceMemory {
  void *(*allocate)(void *stream, size_t bytes);
  void (*free)(void *memory);
  /// Whether a CUDA graph now captures the stream, and will use what is taken; null: never.
  bool (*is_captured)(void *stream);
  bool is_shared;          ///< several threads use the stack, one at a time
  bool is_of_one = false;  ///< the stack is for one Workspace, which deletes it
  bool is_kept = false;    ///< what is taken stays taken until Restart: launches use it later
};
WorkspaceStack *NewWorkspaceStack(const WorkspaceMemory &memory);
/// Gives back all that was taken from a stack of kept memory.
void Restart(WorkspaceStack *stack) noexcept;
/// Notes that a CUDA graph uses what was taken from the stack: its memory is kept until the end.
void NoteCapture(WorkspaceStack *stack) noexcept;
/// Deletes a stack and frees its memory. Does nothing if \p stack is null.
void DeleteWorkspaceStack(WorkspaceStack *stack) noexcept;

/// The calling thread's stack.
WorkspaceStack &WorkspaceOfThread(void *);
/// A stream's stack. Null is the default stream of the current device, whose stack is never freed.
WorkspaceStack &WorkspaceOfStream(void *stream);
/// The stack of the list's entry whose Plans the calling thread makes, for a GPU; null: there is
/// none.
WorkspaceStack **MemoryOfEntry();
/// The same as WorkspaceOfStream for unfused expressions. Each thread may have a default stream of
/// its own there. So for null the memory is allocated for one assignment, and freed after it.
WorkspaceStack &WorkspaceOfAssignment(void *stream);

/// Takes memory from a stack, and gives it back when this object is destroyed:
///
///     Workspace workspace;
///     float *sums = workspace.Take<float>(count);
///
/// Workspaces nest: in a rule of several stages, each kernel makes one inside the rule's. The next
/// inner Workspace reuses the memory of one that is destroyed.
class Workspace {
 public:
  using Owner = WorkspaceStack &(*)(void *stream);

  MSHADOW_CINLINE Workspace() : Workspace(WorkspaceOfThread, nullptr) {}
  /// \param stream a Stream<gpu> *, or null for the current device's default stream. The stack of
  /// WorkspaceOfStream(nullptr) is locked for the calling thread while this holds memory of it
  MSHADOW_CINLINE Workspace(Owner owner, void *stream) : owner_(owner), stream_(stream) {}
  MSHADOW_CINLINE ~Workspace() {
    if (stack_ != nullptr) Close();
  }
  Workspace(const Workspace &) = delete;
  Workspace &operator=(const Workspace &) = delete;

  /// \p count elements, not initialised, aligned to 256 bytes: to cache lines, and to what a GPU's
  /// threads load at once. Not null even if \p count is 0. \throws std::bad_alloc; on a GPU, Error
  /// if there is no memory, or if the stream is being captured and its stack is too small
  template <typename T>
  MSHADOW_CINLINE T *Take(int64_t count) {
    return static_cast<T *>(TakeBytes(count, sizeof(T)));
  }

 private:
  friend WorkspaceStack;
  struct Place {
    size_t block = 0, used = 0;  // bytes
  };

  void *TakeBytes(int64_t count, size_t size);
  void Close() noexcept;

  const Owner owner_;
  void *const stream_;
  WorkspaceStack *stack_ = nullptr;  // null until Take: many launches need no memory
  Place begin_, end_;
};

}  // namespace detail
MSHADOW_VERSION_END

/// The name of Workspace in emitted code.
using LaunchMemory = detail::Workspace;

}  // namespace mshadow

#endif  // MSHADOW_WORKSPACE_H_
