// SPDX-License-Identifier: Apache-2.0
#include "list_launches.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "mshadow/cuda/runtime.h"
#include "mshadow/detail/stream_gpu.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {
namespace {

CUstream_st *QueueOf(void *stream) {
  return Stream<gpu>::GetStream(static_cast<Stream<gpu> *>(stream));
}

int DeviceOf(void *stream) {
  return stream == nullptr ? cuda::CurrentDevice() : static_cast<Stream<gpu> *>(stream)->dev_id;
}

}  // namespace

ListLaunches::ListLaunches(void *stream) : stream_(stream), device_(DeviceOf(stream)) {}

ListLaunches::~ListLaunches() {
  for (Batch &batch : batches_) cuda::Free(batch.table.memory());
  for (WorkspaceStack *memory : memory_) DeleteWorkspaceStack(memory);
}

void ListLaunches::Begin(int entry) {
  entry_ = entry;
  noted_.clear();
  noted_alone_ = nullptr;
  const size_t entries = std::max(places_.size(), static_cast<size_t>(entry) + 1);
  places_.resize(entries);
  memory_.resize(entries);
  is_known_.resize(entries);
  if (MemoryOfEntry() != nullptr) Restart(MemoryOfEntry());
}

void ListLaunches::Note(const cuda::ListedLaunch &launch) {
  const char *const plan = static_cast<const char *>(launch.plan);
  noted_.push_back({launch, std::vector<char>(plan, plan + launch.bytes)});
  noted_.back().launch.plan = noted_.back().plan.data();
}

ListLaunches::Instance &ListLaunches::InstanceOf(int group, PlanFunction plan) {
  const int next = static_cast<int>(instances_.size());
  const auto [found, is_new] = instance_of_.emplace(std::make_pair(group, plan), next);
  if (is_new) instances_.push_back({group, plan, false, 0, {}, {}});
  return instances_[static_cast<size_t>(found->second)];
}

ListLaunches::Key ListLaunches::KeyOf(const Call &call, size_t position) const {
  return {call.root, call.plan, position, noted_[position].launch.kernel};
}

/// Whether the launches that are noted have the kernels of those that the entry had before.
bool ListLaunches::Fits(const Call &call) const {
  const std::vector<Place> &places = places_[static_cast<size_t>(call.entry)];
  if (places.empty()) return true;
  if (places.size() != noted_.size()) return false;
  for (size_t i = 0; i < places.size(); ++i) {
    const auto found = batch_of_.find(KeyOf(call, i));
    if (found == batch_of_.end() || found->second != places[i].batch) return false;
  }
  return true;
}

ListLaunches::Place ListLaunches::MakePlace(const Call &call, size_t position) {
  const int next = static_cast<int>(batches_.size());
  const auto [found, is_new] = batch_of_.emplace(KeyOf(call, position), next);
  if (is_new) {
    const cuda::ListedLaunch &launch = noted_[position].launch;
    batches_.push_back(
        {launch, position, std::vector<char>(launch.scalars_bytes), ListTable(launch)});
    InstanceOf(call.root, call.plan).batches.push_back(next);
    const auto comes_first = [this](size_t at, int batch) {
      return at < batches_[static_cast<size_t>(batch)].position;
    };
    order_.insert(std::upper_bound(order_.begin(), order_.end(), position, comes_first), next);
  }
  return {found->second, batches_[static_cast<size_t>(found->second)].table.AddRow()};
}

bool ListLaunches::Finish(const Call &call, bool shares, unsigned conditions) {
  const size_t entry = static_cast<size_t>(call.entry);
  if (!is_known_[entry]) {
    InstanceOf(call.group, call.plan).entries.push_back(call.entry);
    is_known_[entry] = true;
  }
  Instance &instance = InstanceOf(call.group, call.plan);
  instance.shares = shares && call.group == call.root;
  instance.conditions = conditions;
  if (noted_alone_ != nullptr) {
    alone_[call.entry] = {noted_alone_, call.args};
    return true;
  }
  if (!Fits(call)) return false;
  std::vector<Place> &places = places_[entry];
  for (size_t i = places.size(); i < noted_.size(); ++i) places.push_back(MakePlace(call, i));
  const bool has_own_scalars = !shares || call.group != call.root;
  for (size_t i = 0; i < noted_.size(); ++i) {
    const cuda::ListedLaunch &launch = noted_[i].launch;
    Batch &batch = batches_[static_cast<size_t>(places[i].batch)];
    batch.table.SetRow(places[i].row, launch, has_own_scalars);
    if (has_own_scalars || launch.scalars_bytes == 0) continue;
    std::memcpy(batch.scalars.data(), static_cast<const char *>(launch.plan) + launch.scalars_at,
                launch.scalars_bytes);
  }
  return true;
}

void ListLaunches::Clear() {
  for (Batch &batch : batches_) device_tables_.Release(batch.table);
  batches_.clear();
  batch_of_.clear();
  order_.clear();
  instances_.clear();
  instance_of_.clear();
  for (std::vector<Place> &places : places_) places.clear();
  alone_.clear();
  is_known_.assign(is_known_.size(), false);
}

void ListLaunches::DropEntry(int entry) {
  const size_t last = static_cast<size_t>(entry);
  if (last >= memory_.size()) return;
  DeleteWorkspaceStack(memory_[last]);
  places_.resize(last);
  alone_.erase(entry);
  memory_.resize(last);
  is_known_.resize(last);
}

void ListLaunches::Move(const Call &call, int from) {
  std::vector<int> &entries = InstanceOf(from, call.plan).entries;
  entries.erase(std::remove(entries.begin(), entries.end(), call.entry), entries.end());
  InstanceOf(call.group, call.plan).entries.push_back(call.entry);
}

void ListLaunches::SetScalars(size_t instance, const std::vector<char> &scalars) {
  for (const int index : instances_[instance].batches) {
    batches_[static_cast<size_t>(index)].scalars = scalars;
  }
}

void ListLaunches::Upload() {
  bool has_changes = false;
  for (Batch &batch : batches_) {
    batch.table.LayOut();
    has_changes = has_changes || batch.table.has_changes();
  }
  if (!has_changes) return;
  const cuda::DeviceScope scope(device_);
  if (cuda::IsCaptured(QueueOf(stream_))) {
    throw Error(
        "list: a captured run cannot copy what has changed to the GPU: call Check() of the list, "
        "or Step() of the optimizer, before the capture");
  }
  std::vector<DeviceCopy> copies;
  for (Batch &batch : batches_) {
    if (!batch.table.has_changes()) continue;
    device_tables_.Reserve(&batch.table);
    batch.table.AddChanges(&copies);
  }
  device_tables_.Copy(copies, QueueOf(stream_));
  for (Batch &batch : batches_) batch.table.ForgetChanges();
}

/// If a graph captures this run, keeps the memory that the graph will use.
void ListLaunches::NoteCaptureOfRun() {
  if (was_captured_ || order_.empty() || !cuda::IsCaptured(QueueOf(stream_))) return;
  was_captured_ = true;
  device_tables_.KeepAll();
  for (WorkspaceStack *memory : memory_) {
    if (memory != nullptr) NoteCapture(memory);
  }
}

void ListLaunches::Run(bool *has_begun) {
  if (stream_ == nullptr && cuda::CurrentDevice() != device_) {
    throw Error("list: expected the current device to be " + std::to_string(device_) +
                ", which has the list's tensors, got " + std::to_string(cuda::CurrentDevice()));
  }
  NoteCaptureOfRun();
  for (const int index : order_) {
    const Batch &batch = batches_[static_cast<size_t>(index)];
    cuda::ListedTable table = batch.table.OnDevice();
    table.scalars = batch.scalars.data();
    batch.launch.start(batch.launch.rule, batch.launch.kernel, table, batch.table.grid(), stream_);
    *has_begun = true;
  }
  for (const auto &[entry, alone] : alone_) {
    *has_begun = true;  // a rule of several launches may fail after the first
    alone.run(alone.args);
  }
}

DeviceList *NewListOnGpu(void *stream) { return new ListLaunches(stream); }

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow
