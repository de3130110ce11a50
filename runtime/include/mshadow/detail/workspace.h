// SPDX-License-Identifier: Apache-2.0
/// \file workspace.h
/// Memory that launches and assignments need besides their arguments: results of parts, tensors
/// between two stages, materialised temporaries. It is a stack for each thread of the CPU, and for
/// each stream of a GPU. It grows with the first calls and stays, so that later ones of the same
/// sizes allocate nothing, and nothing that frees memory has to wait for a GPU.
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
  /// Whether a graph will use what is taken now; null: never.
  bool (*is_captured)(void *stream);
  bool is_shared;          ///< by threads, of which one at a time has it
  bool is_of_one = false;  ///< Workspace, with which it goes
};
WorkspaceStack *NewWorkspaceStack(const WorkspaceMemory &memory);
/// Frees its memory. Null is nothing.
void DeleteWorkspaceStack(WorkspaceStack *stack) noexcept;

/// The calling thread's.
WorkspaceStack &WorkspaceOfThread(void *);
/// A stream's. The default stream's is one for each device; it stays to the end of the process.
WorkspaceStack &WorkspaceOfStream(void *stream);
/// The same for unfused expressions, whose default stream may be each thread's own: there the
/// memory is allocated for one assignment, and freed after it.
WorkspaceStack &WorkspaceOfAssignment(void *stream);

/// What is taken from a stack, until this goes:
///
///     Workspace workspace;
///     float *sums = workspace.Take<float>(count);
///
/// One may be made while another is there, as a kernel's within a rule of several stages. The inner
/// one's memory is free again when it goes, for the next inner one.
class Workspace {
 public:
  using Owner = WorkspaceStack &(*)(void *stream);

  MSHADOW_CINLINE Workspace() : Workspace(WorkspaceOfThread, nullptr) {}
  /// \param stream a Stream<gpu> *, null for the current device's default stream: that of launches
  /// is the calling thread's while this has memory of it
  MSHADOW_CINLINE Workspace(Owner owner, void *stream) : owner_(owner), stream_(stream) {}
  MSHADOW_CINLINE ~Workspace() {
    if (stack_ != nullptr) Close();
  }
  Workspace(const Workspace &) = delete;
  Workspace &operator=(const Workspace &) = delete;

  /// \p count elements, not initialised, aligned to 256 bytes: cache lines, and what a GPU's
  /// threads load at once. For no elements too it is not null. \throws std::bad_alloc; for a GPU,
  /// Error if there is no memory, or the stream is captured and does not have so much
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
  WorkspaceStack *stack_ = nullptr;  // many launches turn out to need none
  Place begin_, end_;
};

}  // namespace detail
MSHADOW_VERSION_END

/// What emitted code calls it.
using LaunchMemory = detail::Workspace;

}  // namespace mshadow

#endif  // MSHADOW_WORKSPACE_H_
