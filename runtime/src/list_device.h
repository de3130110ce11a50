// SPDX-License-Identifier: Apache-2.0
/// \file list_device.h
/// What a list asks of the device on which its calls run, other than a CPU. list_launches.h has it
/// for GPUs. A program without CUDA need not link that.
#ifndef MSHADOW_RUNTIME_LIST_DEVICE_H_
#define MSHADOW_RUNTIME_LIST_DEVICE_H_

#include <vector>

#include "mshadow/detail/workspace.h"
#include "mshadow/emitted/listed.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {

/// The function that makes the Plans of an instance of a rule: ListedCall::plan.
using PlanFunction = void (*)(const void *args);

/// The launches of a list.
class DeviceList {
 public:
  virtual ~DeviceList() = default;
  virtual void *stream() const = 0;

  /// An entry of the list. If its group is not `root`, it was split off that, and has scalars of
  /// its own.
  struct Call {
    int entry;
    int group;
    int root;
    PlanFunction plan;
    const void *args;
  };

  /// \name Makes the launches of an entry: Begin, a Note for each, Finish.
  /// @{
  virtual void Begin(int entry) = 0;
  virtual void Note(const cuda::ListedLaunch &launch) = 0;
  /// Says that the entry runs alone, after all others: by run(args).
  virtual void NoteAlone(PlanFunction run) = 0;
  /// \param shares whether no scalar depends on the tensors
  /// \param conditions which chose the kernels
  /// \returns false if the entry had other kernels before: then Clear, and make all launches again
  virtual bool Finish(const Call &call, bool shares, unsigned conditions) = 0;
  /// @}
  /// The memory that the launches of the entry, since Begin, keep for themselves. May be null.
  virtual WorkspaceStack *&MemoryOfEntry() = 0;

  /// Forgets the launches of all entries.
  virtual void Clear() = 0;
  /// Forgets the last entry, if it has begun.
  virtual void DropEntry(int entry) = 0;
  /// Puts an entry into another group, before its launches are made again.
  virtual void Move(const Call &call, int from) = 0;

  /// The entries of a group that are calls of one instance of a rule.
  struct Instance {
    int group;
    PlanFunction plan;
    bool shares;          ///< whether they share their scalars
    unsigned conditions;  ///< then: which chose their kernels
    std::vector<int> entries;
    std::vector<int> batches;
  };
  virtual const std::vector<Instance> &instances() const = 0;
  /// Changes the scalars that all entries of an instance share.
  virtual void SetScalars(size_t instance, const std::vector<char> &scalars) = 0;

  /// Copies to the device what has changed.
  virtual void Upload() = 0;
  /// Launches everything.
  /// \param has_begun becomes true with the first launch
  /// \throws Error that names the rule, if a launch fails
  virtual void Run(bool *has_begun) = 0;
};

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_RUNTIME_LIST_DEVICE_H_
