// SPDX-License-Identifier: Apache-2.0
/// \file list_launches.h
/// The launches of a list on a GPU. Calls that launch the same kernel, with the same scalars, are
/// one launch: a batch. The Plans of its calls are a table on the device.
#ifndef MSHADOW_RUNTIME_LIST_LAUNCHES_H_
#define MSHADOW_RUNTIME_LIST_LAUNCHES_H_

#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "list_device.h"
#include "list_table.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {

class ListLaunches final : public DeviceList {
 public:
  /// \param stream a Stream<gpu> *, null for the current device's default stream
  explicit ListLaunches(void *stream);
  ~ListLaunches() override;
  ListLaunches(const ListLaunches &) = delete;
  ListLaunches &operator=(const ListLaunches &) = delete;

  void *stream() const override { return stream_; }
  void Begin(int entry) override;
  void Note(const cuda::ListedLaunch &launch) override;
  void NoteAlone(PlanFunction run) override { noted_alone_ = run; }
  bool Finish(const Call &call, bool shares, unsigned conditions) override;
  WorkspaceStack *&MemoryOfEntry() override { return memory_[static_cast<size_t>(entry_)]; }
  void Clear() override;
  void DropEntry(int entry) override;
  void Move(const Call &call, int from) override;
  const std::vector<Instance> &instances() const override { return instances_; }
  void SetScalars(size_t instance, const std::vector<char> &scalars) override;
  void Upload() override;
  void Run(bool *has_begun) override;

 private:
  /// Calls that are launched together.
  struct Batch {
    cuda::ListedLaunch launch;  ///< of the first call
    size_t position;            ///< among the launches of each of its calls
    std::vector<char> scalars;  ///< that the calls share
    ListTable table;
  };
  struct Place {
    int batch;
    int row;
  };
  struct Noted {
    cuda::ListedLaunch launch;
    std::vector<char> plan;
  };
  /// What an entry calls if it runs alone.
  struct Alone {
    PlanFunction run;
    const void *args;
  };
  /// The group that shares its scalars, the instance, the position among the launches, the kernel.
  using Key = std::tuple<int, PlanFunction, size_t, void (*)()>;

  Instance &InstanceOf(int group, PlanFunction plan);
  Key KeyOf(const Call &call, size_t position) const;
  bool Fits(const Call &call) const;
  Place MakePlace(const Call &call, size_t position);
  void NoteCaptureOfRun();

  void *const stream_;
  const int device_;
  int entry_ = -1;  ///< whose launches are noted
  std::vector<Noted> noted_;
  PlanFunction noted_alone_ = nullptr;
  std::vector<std::vector<Place>> places_;  ///< of each entry
  std::vector<WorkspaceStack *> memory_;    ///< likewise
  std::vector<bool> is_known_;              ///< whether it is in an instance
  std::map<std::pair<int, PlanFunction>, int> instance_of_;
  std::vector<Instance> instances_;
  std::map<int, Alone> alone_;  ///< by entry
  std::map<Key, int> batch_of_;
  std::vector<Batch> batches_;
  std::vector<int> order_;  ///< the batches, by position
  DeviceTables device_tables_;
  bool was_captured_ = false;
};

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_RUNTIME_LIST_LAUNCHES_H_
