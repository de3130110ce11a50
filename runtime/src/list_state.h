// SPDX-License-Identifier: Apache-2.0
/// \file list_state.h
/// What a RuleList holds.
#ifndef MSHADOW_RUNTIME_LIST_STATE_H_
#define MSHADOW_RUNTIME_LIST_STATE_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "list_device.h"
#include "list_entry.h"
#include "list_overlap.h"
#include "list_work.h"
#include "mshadow/list.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {

/// Calls of one rule with the same scalars.
struct ListGroup {
  const RuleInfo *rule;
  std::vector<double> scalars;  ///< in the order of the rule's scalar parameters
  int parent;                   ///< the group that this one was split off, for one entry; or -1
  std::vector<bool> own;        ///< then: which scalars the parent's Set does not change
  bool changed;                 ///< since the Plans were made
  bool is_parent = false;       ///< of some group

  void Set(size_t scalar, double value) {
    changed = changed || scalars[scalar] != value;
    scalars[scalar] = value;
  }
};

class ListState {
 public:
  int NewGroup(const RuleInfo &rule);
  void SetGroup(int group, const char *scalar, double value);

  /// Makes this the list that the thread adds to. \returns the scalars of the group
  const double *BeginAdd(int group);
  /// Adds an entry to the group of BeginAdd; while a ListRecording lives, to one that has the
  /// call's scalars.
  void Keep(const ListedCall &call);
  void Keep(const KeptPlan &plan);
  /// Whether the list only wants scalars, and the conditions are as before; then takes them.
  bool TakeScalars(const void *scalars, size_t bytes, unsigned conditions);
  void EndAdd();

  /// \name On a GPU: whether launches are kept instead of run, and where.
  /// @{
  bool is_listing() const { return is_listing_; }
  void Keep(const cuda::ListedLaunch &launch) { launches_->Note(launch); }
  /// Where the entry's memory is; null: its calls use that of the stream.
  WorkspaceStack **MemoryOfEntry();
  /// @}

  void SetAll(const char *scalar, double value);
  void SetEntry(int64_t entry, const char *scalar, double value);
  void Replace(int64_t entry, const char *tensor, const ListedTensor &with);

  /// Checks all that Run checks, and makes the Plans that have changed.
  void Check();
  void Run();
  /// Whether the last Run has run or launched something.
  bool has_begun() const { return has_begun_; }
  int64_t size() const { return static_cast<int64_t>(entries_.size()); }

 private:
  ListEntry &At(int64_t entry);
  ListGroup &GroupOf(const ListEntry &entry) { return groups_[static_cast<size_t>(entry.group)]; }
  void ChooseDevice(const ListedCall &call);
  DeviceList::Call CallOf(int entry);
  void CallPlan(int entry);
  void DropLast();
  char *Allocate(size_t bytes);
  int GroupFor(const ListedCall &call);
  const ListedParam *ParamsOf(const ListedCall &call);
  void SetScalars(const ListEntry &entry);
  /// Makes the Plan of an entry from its arguments. \throws Error about the entry
  void Plan(int entry);
  void PlanBatch(ListBatch *batch);
  bool FindScalars(ListBatch *batch);
  void PlanInstance(size_t instance);
  void PlanAll();
  void PlanChangedBatches();
  void PlanChanged();
  void CheckOverlaps();

  std::vector<ListEntry> entries_;
  std::vector<ListGroup> groups_;
  /// By the function that makes the Plans: that of an instance of a rule.
  std::map<void (*)(const void *), std::vector<ListedParam>> params_;
  std::vector<std::unique_ptr<char[]>> memory_;  ///< of the entries' arguments
  char *next_ = nullptr;                         ///< what is free of the last piece of memory
  size_t left_ = 0;                              ///< how many bytes that is
  ListState *outer_ = nullptr;                   ///< the list that the thread added to before
  int adding_ = -1;                              ///< the group that BeginAdd named
  int planned_ = -1;                             ///< the entry whose Plan is being made
  bool is_kept_ = false;                         ///< its launcher has made one
  bool is_listing_ = false;                      ///< its launcher runs, on a GPU
  bool shares_scalars_ = false;                  ///< and has scalars that others may share
  unsigned conditions_ = 0;                      ///< which choose the loop or kernel
  unsigned wanted_conditions_ = 0;               ///< the same of Plans that need other scalars only
  std::vector<char> *wanted_scalars_ = nullptr;  ///< of a group, instead of a Plan
  std::vector<char> taken_scalars_;              ///< room for these, on a GPU
  std::vector<int> idle_;                        ///< entries without a Plan
  bool must_place_ = false;                      ///< an entry has another group or kind of Plan
  bool has_changed_groups_ = false;
  bool has_begun_ = false;
  ListWork work_;                         ///< on the CPU
  ListMemory planned_memory_;             ///< of the entry whose Plan is made
  std::unique_ptr<DeviceList> launches_;  ///< on a GPU; else null
  ListOverlaps overlaps_;
};

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_RUNTIME_LIST_STATE_H_
