// SPDX-License-Identifier: Apache-2.0
#include "mshadow/list.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "list_state.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {
namespace {

/// The list that this thread adds a call to, or makes the Plan of a call for.
thread_local ListState *current = nullptr;

const char *DeviceName(bool is_gpu) { return is_gpu ? "a GPU" : "the CPU"; }

/// Whom an error is about.
std::string EntryName(int64_t entry) { return "list entry " + std::to_string(entry) + ": "; }

[[noreturn]] void FailName(const RuleInfo &rule, const char *what, const char *name) {
  throw Error(std::string(rule.name) + ": expected the name of a " + what + ", got '" + name + "'");
}

/// The index of scalar \p name among the scalars of \p rule; -1 if it has none.
int FindScalarIf(const RuleInfo &rule, const char *name) {
  int index = 0;
  for (const ParamInfo &param : rule) {
    if (param.is_tensor) continue;
    if (std::strcmp(param.name, name) == 0) return index;
    ++index;
  }
  return -1;
}
size_t FindScalar(const RuleInfo &rule, const char *name) {
  const int index = FindScalarIf(rule, name);
  if (index < 0) FailName(rule, "scalar", name);
  return static_cast<size_t>(index);
}

/// The index of tensor \p name among the parameters of \p rule.
int FindTensor(const RuleInfo &rule, const char *name) {
  for (int i = 0; i < rule.num_params; ++i) {
    if (rule.params[i].is_tensor && std::strcmp(rule.params[i].name, name) == 0) return i;
  }
  FailName(rule, "tensor", name);
}

/// The tensors of an entry.
void FindMemory(const ListEntry &entry, ListMemory *memory) {
  memory->spans.clear();
  memory->bytes = 0;
  for (int i = 0; i < entry.rule().num_params; ++i) {
    if (!entry.IsTensor(i)) continue;
    const Block block = entry.BlockOf(i);
    const int64_t bytes = block.rows * block.cols * block.size;
    const bool has_gaps = block.rows > 1 && block.stride != block.cols;
    memory->spans.push_back({static_cast<const char *>(block.dptr), has_gaps ? 0 : bytes});
    memory->bytes += bytes;
  }
}

/// A scalar parameter, as the memory of arguments has it.
template <typename T>
T *ScalarAt(char *args, const ListedParam &param) {
  return reinterpret_cast<T *>(args + param.at);
}

/// Calls \p visit with a pointer to a scalar of the arguments \p args.
template <typename Visit>
void VisitScalar(char *args, const ListedParam &param, const Visit &visit) {
  const bool is_signed = param.scalar == ListedScalar::kSigned;
  switch (param.scalar) {
    case ListedScalar::kNone:
      return;
    case ListedScalar::kBool:
      return visit(ScalarAt<bool>(args, param));
    case ListedScalar::kFloat:
      return visit(ScalarAt<float>(args, param));
    case ListedScalar::kDouble:
      return visit(ScalarAt<double>(args, param));
    case ListedScalar::kHalf:
      return visit(ScalarAt<half::half_t>(args, param));
    case ListedScalar::kBfloat:
      return visit(ScalarAt<bfloat::bf16_t>(args, param));
    case ListedScalar::kSigned:
    case ListedScalar::kUnsigned:
      if (param.size == 1 && is_signed) return visit(ScalarAt<int8_t>(args, param));
      if (param.size == 1) return visit(ScalarAt<uint8_t>(args, param));
      if (param.size == 2 && is_signed) return visit(ScalarAt<int16_t>(args, param));
      if (param.size == 2) return visit(ScalarAt<uint16_t>(args, param));
      if (param.size == 4 && is_signed) return visit(ScalarAt<int32_t>(args, param));
      if (param.size == 4) return visit(ScalarAt<uint32_t>(args, param));
      if (is_signed) return visit(ScalarAt<int64_t>(args, param));
      return visit(ScalarAt<uint64_t>(args, param));
  }
}

/// While it lives, the thread adds to the list.
class CurrentList {
 public:
  explicit CurrentList(ListState *list) : outer_(std::exchange(current, list)) {}
  ~CurrentList() { current = outer_; }
  CurrentList(const CurrentList &) = delete;
  CurrentList &operator=(const CurrentList &) = delete;

 private:
  ListState *outer_;
};

}  // namespace

void KeepCall(const ListedCall &call) {
  if (current == nullptr) {
    throw Error(std::string(call.rule->name) + ": expected a list that the thread adds to");
  }
  current->Keep(call);
}

bool IsAddingToList() { return current != nullptr; }

int ListState::NewGroup(const RuleInfo &rule) {
  ListGroup group = {&rule, {}, -1, {}, false};
  for (const ParamInfo &param : rule) {
    if (!param.is_tensor) group.scalars.push_back(param.has_value ? param.value : 0);
  }
  groups_.push_back(group);
  return static_cast<int>(groups_.size()) - 1;
}

void ListState::SetGroup(int group, const char *scalar, double value) {
  ListGroup &own = groups_[static_cast<size_t>(group)];
  const size_t index = FindScalar(*own.rule, scalar);
  own.Set(index, value);
  has_changed_groups_ = true;
  if (!own.is_parent) return;
  for (ListGroup &other : groups_) {
    if (other.parent == group && !other.own[index]) other.Set(index, value);
  }
}

void ListState::SetAll(const char *scalar, double value) {
  bool has_one = false;
  for (ListGroup &group : groups_) {
    const int index = FindScalarIf(*group.rule, scalar);
    if (index < 0) continue;
    has_one = true;
    if (group.parent < 0 || !group.own[static_cast<size_t>(index)]) {
      group.Set(static_cast<size_t>(index), value);
    }
  }
  has_changed_groups_ = true;
  if (!has_one) {
    throw Error("list: expected the name of a scalar of an entry, got '" + std::string(scalar) +
                "'");
  }
}

const double *ListState::BeginAdd(int group) {
  outer_ = std::exchange(current, this);
  adding_ = group;
  return groups_[static_cast<size_t>(group)].scalars.data();
}

void ListState::EndAdd() {
  current = outer_;
  adding_ = -1;
}

/// Memory for a copy of a call's arguments, which stays where it is.
char *ListState::Allocate(size_t bytes) {
  constexpr size_t kPiece = size_t{1} << 16;
  bytes = (bytes + alignof(std::max_align_t) - 1) / alignof(std::max_align_t) *
          alignof(std::max_align_t);
  if (left_ < bytes) {
    left_ = std::max(kPiece, bytes);
    memory_.emplace_back(new char[left_]);
    next_ = memory_.back().get();
  }
  left_ -= bytes;
  return std::exchange(next_, next_ + bytes);
}

/// A group of calls of the rule with the scalars of \p call, whose arguments are a copy; mostly the
/// last one.
int ListState::GroupFor(const ListedCall &call) {
  std::vector<double> scalars;
  char *const args = const_cast<char *>(static_cast<const char *>(call.args));
  for (int i = 0; i < call.rule->num_params; ++i) {
    VisitScalar(args, call.params[i],
                [&](const auto *scalar) { scalars.push_back(static_cast<double>(*scalar)); });
  }
  for (size_t i = groups_.size(); i > 0; --i) {
    const ListGroup &group = groups_[i - 1];
    if (group.rule == call.rule && group.parent < 0 && group.scalars == scalars) {
      return static_cast<int>(i) - 1;
    }
  }
  groups_.push_back({call.rule, scalars, -1, {}, false});
  return static_cast<int>(groups_.size()) - 1;
}

const ListedParam *ListState::ParamsOf(const ListedCall &call) {
  std::vector<ListedParam> &params = params_[call.plan];
  if (params.empty()) params.assign(call.params, call.params + call.rule->num_params);
  return params.data();
}

/// The first entry decides where a list runs.
void ListState::ChooseDevice(const ListedCall &call) {
  const bool on_gpu = call.device == gpu::kDevMask;
  const char *const args = static_cast<const char *>(call.args);
  const auto is_tensor = [](const ParamInfo &param) { return param.is_tensor; };
  const auto first =
      std::find_if(call.rule->begin(), call.rule->end(), is_tensor) - call.rule->begin();
  void *const stream = reinterpret_cast<const TensorLayout *>(args + call.params[first].at)->stream;
  if (entries_.empty()) {
    if (on_gpu && call.new_list == nullptr) NoCuda(call.rule->name);
    launches_.reset(on_gpu ? call.new_list(stream) : nullptr);
    return;
  }
  const std::string about = EntryName(size()) + call.rule->name + ": expected ";
  if (on_gpu != (launches_ != nullptr)) {
    throw Error(about + "tensors of " + DeviceName(!on_gpu) + ", as entry 0 has, got tensors of " +
                DeviceName(on_gpu));
  }
  if (on_gpu && stream != launches_->stream()) {
    throw Error(about + "the stream of entry 0, got another one");
  }
}

DeviceList::Call ListState::CallOf(int index) {
  const ListEntry &entry = entries_[static_cast<size_t>(index)];
  const int parent = GroupOf(entry).parent;
  return {index, entry.group, parent < 0 ? entry.group : parent, entry.call.plan, entry.args};
}

WorkspaceStack **ListState::MemoryOfEntry() {
  if (!is_listing_ || entries_[static_cast<size_t>(planned_)].rule().calls() > 0) return nullptr;
  return &launches_->MemoryOfEntry();
}

/// Calls the launcher of an entry, which makes its Plans.
void ListState::CallPlan(int index) {
  const ListEntry &entry = entries_[static_cast<size_t>(index)];
  planned_ = index;
  is_kept_ = false;
  if (launches_ == nullptr) return entry.call.plan(entry.args);
  const bool wanted_scalars = wanted_scalars_ != nullptr;
  launches_->Begin(index);
  shares_scalars_ = false;
  is_listing_ = true;
  try {
    entry.call.plan(entry.args);
  } catch (...) {
    is_listing_ = false;
    throw;
  }
  is_listing_ = false;
  if (wanted_scalars && wanted_scalars_ == nullptr) return;
  if (entry.rule().calls() > 0) launches_->NoteAlone(entry.call.plan);
  const bool fits = launches_->Finish(CallOf(index), shares_scalars_, conditions_);
  must_place_ = must_place_ || !fits;
}

void ListState::Keep(const ListedCall &call) {
  ChooseDevice(call);
  char *const args = Allocate(call.bytes);
  std::memcpy(args, call.args, call.bytes);
  const ListedCall kept = {call.rule, ParamsOf(call), args,         call.bytes,
                           call.plan, call.device,    call.new_list};
  const int index = static_cast<int>(entries_.size());
  entries_.push_back({kept, args, adding_ >= 0 ? adding_ : GroupFor(kept), {-1, 0}});
  try {
    CallPlan(index);
    if (launches_ == nullptr && !is_kept_) idle_.push_back(index);
    overlaps_.Change(index);
  } catch (const Error &error) {
    DropLast();
    throw Error(EntryName(size()) + error.what());
  } catch (...) {  // no memory: there may be half a Plan
    DropLast();
    must_place_ = true;
    throw;
  }
}

void ListState::DropLast() {
  entries_.pop_back();
  if (launches_ != nullptr) launches_->DropEntry(static_cast<int>(entries_.size()));
}

void ListState::Keep(const KeptPlan &plan) {
  if (launches_ != nullptr) return launches_->NoteAlone(plan.run());
  ListEntry &entry = entries_[static_cast<size_t>(planned_)];
  FindMemory(entry, &planned_memory_);
  is_kept_ = true;
  if (entry.place.batch < 0) {
    entry.place = work_.Add(entry.group, planned_, entry.call, plan, planned_memory_);
  } else {
    work_.Set(entry.place, plan, planned_memory_);
  }
  work_.batches()[static_cast<size_t>(entry.place.batch)].conditions = conditions_;
}

bool ListState::TakeScalars(const void *scalars, size_t bytes, unsigned conditions) {
  shares_scalars_ = true;
  conditions_ = conditions;
  if (wanted_scalars_ == nullptr || conditions != wanted_conditions_) return false;
  wanted_scalars_->resize(bytes);
  std::memcpy(wanted_scalars_->data(), scalars, bytes);
  wanted_scalars_ = nullptr;
  return true;
}

void ListState::SetScalars(const ListEntry &entry) {
  const double *next = groups_[static_cast<size_t>(entry.group)].scalars.data();
  for (int i = 0; i < entry.rule().num_params; ++i) {
    VisitScalar(entry.args, entry.call.params[i], [&next](auto *scalar) {
      *scalar = static_cast<std::remove_pointer_t<decltype(scalar)>>(*next++);
    });
  }
}

void ListState::Plan(int index) {
  ListEntry &entry = entries_[static_cast<size_t>(index)];
  SetScalars(entry);
  const CurrentList scope(this);
  const bool had_plan = entry.place.batch >= 0, wants_scalars = wanted_scalars_ != nullptr;
  try {
    CallPlan(index);
  } catch (const Error &error) {
    must_place_ = must_place_ || launches_ != nullptr;  // the memory of its launches may be another
    throw Error(EntryName(index) + error.what());
  } catch (...) {
    must_place_ = true;
    throw;
  }
  if (launches_ != nullptr) return;
  const bool has_scalars = wants_scalars && wanted_scalars_ == nullptr;
  must_place_ = must_place_ || (is_kept_ != had_plan && !has_scalars);
}

ListEntry &ListState::At(int64_t entry) {
  if (entry < 0 || entry >= size()) {
    throw Error("list: expected an entry below " + std::to_string(size()) + ", got " +
                std::to_string(entry));
  }
  return entries_[static_cast<size_t>(entry)];
}

void ListState::SetEntry(int64_t index, const char *scalar, double value) {
  ListEntry &entry = At(index);
  const ListGroup before = GroupOf(entry);
  const size_t number = FindScalar(*before.rule, scalar);
  const bool is_own = before.parent >= 0;
  if (!is_own) {
    GroupOf(entry).is_parent = true;
    groups_.push_back(before);
    groups_.back().parent = entry.group;
    groups_.back().is_parent = false;
    groups_.back().own.assign(before.scalars.size(), false);
    const int from = std::exchange(entry.group, static_cast<int>(groups_.size()) - 1);
    if (launches_ != nullptr) {
      launches_->Move(CallOf(static_cast<int>(index)), from);
    } else {
      must_place_ = true;
    }
  }
  ListGroup &group = GroupOf(entry);
  group.own[number] = true;
  group.scalars[number] = value;
  group.changed = true;
  has_changed_groups_ = true;
}

void ListState::Replace(int64_t index, const char *tensor, const ListedTensor &with) {
  ListEntry &entry = At(index);
  const RuleInfo &rule = entry.rule();
  const int number = FindTensor(rule, tensor);
  const ListedParam &param = entry.call.params[number];
  const std::string about =
      EntryName(index) + rule.name + ": argument '" + rule.params[number].name + "': expected ";
  const int device = launches_ == nullptr ? cpu::kDevMask : gpu::kDevMask;
  if (with.device != device) {
    throw Error(about + "a tensor of " + DeviceName(device == gpu::kDevMask) + ", got one of " +
                DeviceName(with.device == gpu::kDevMask));
  }
  if (launches_ != nullptr && with.arg.stream != launches_->stream()) {
    throw Error(about + "the stream of the list, got another one");
  }
  if (with.type != param.type) {
    throw Error(about + NameOfFlag(param.type) + ", got " + NameOfFlag(with.type));
  }
  TensorArg<void> *const at = &entry.TensorAt(number);
  if (with.arg.dim != at->dim) {
    throw Error(about + "rank " + std::to_string(at->dim) + ", got rank " +
                std::to_string(with.arg.dim));
  }
  const TensorArg<void> old = std::exchange(*at, with.arg);
  try {
    Plan(static_cast<int>(index));
  } catch (...) {
    *at = old;
    throw;
  }
  overlaps_.Change(static_cast<int>(index));
}

/// Makes the first Plan of a batch again; or only finds the scalars that all of them share, if the
/// launcher computes those before its checks. \returns whether it is the latter
bool ListState::FindScalars(ListBatch *batch) {
  const bool has_shared = batch->kept.scalars_bytes() != 0 && !batch->kept.looks_at_data();
  wanted_scalars_ = has_shared ? &batch->scalars : nullptr;
  wanted_conditions_ = batch->conditions;
  try {
    Plan(batch->rows[0].entry);
  } catch (...) {
    wanted_scalars_ = nullptr;
    throw;
  }
  const bool found = has_shared && wanted_scalars_ == nullptr;
  wanted_scalars_ = nullptr;
  if (found) work_.ChangeScalars();
  return found;
}

/// Makes the Plans of a batch again, since scalars changed. The first one says whether the others
/// keep theirs.
void ListState::PlanBatch(ListBatch *batch) {
  const auto loop = batch->rows[0].work.loop;
  if (FindScalars(batch)) return;
  const bool is_shared = batch->kept.scalars_bytes() != 0 && !batch->kept.looks_at_data() &&
                         loop == batch->rows[0].work.loop;
  if (is_shared) return;
  for (size_t i = 1; i < batch->rows.size(); ++i) Plan(batch->rows[i].entry);
}

/// Makes the Plans of an instance again, since scalars changed; or only finds the scalars that its
/// entries share.
void ListState::PlanInstance(size_t index) {
  const auto entries = [&]() -> const std::vector<int> & {
    return launches_->instances()[index].entries;
  };
  if (entries().empty()) return;
  if (!launches_->instances()[index].shares) {
    for (size_t i = 0; i < entries().size(); ++i) Plan(entries()[i]);
    return;
  }
  wanted_scalars_ = &taken_scalars_;
  wanted_conditions_ = launches_->instances()[index].conditions;
  try {
    Plan(entries()[0]);
  } catch (...) {
    wanted_scalars_ = nullptr;
    throw;
  }
  if (wanted_scalars_ == nullptr) return launches_->SetScalars(index, taken_scalars_);
  wanted_scalars_ = nullptr;  // the kernel is another one now, so all Plans are made again
}

void ListState::PlanAll() {
  if (launches_ != nullptr) launches_->Clear();
  work_.Clear();
  idle_.clear();
  for (ListEntry &entry : entries_) entry.place = {-1, 0};
  for (int i = 0; i < static_cast<int>(entries_.size()); ++i) {
    Plan(i);
    if (launches_ == nullptr && !is_kept_) idle_.push_back(i);
  }
  must_place_ = false;
}

void ListState::PlanChangedBatches() {
  const auto is_changed = [this](int group) { return groups_[static_cast<size_t>(group)].changed; };
  for (size_t i = 0; i < work_.batches().size() && !must_place_; ++i) {
    ListBatch &batch = work_.batches()[i];
    if (is_changed(batch.group)) {
      PlanBatch(&batch);
    } else if (batch.kept.looks_at_data()) {
      for (size_t row = 0; row < batch.rows.size(); ++row) Plan(batch.rows[row].entry);
    }
  }
  if (has_changed_groups_) {  // what had nothing to do may have now
    for (const int entry : idle_) {
      if (is_changed(entries_[static_cast<size_t>(entry)].group)) must_place_ = true;
    }
  }
}

void ListState::PlanChanged() {
  if (launches_ == nullptr) {
    PlanChangedBatches();
  } else if (has_changed_groups_) {
    for (size_t i = 0; i < launches_->instances().size() && !must_place_; ++i) {
      const size_t group = static_cast<size_t>(launches_->instances()[i].group);
      if (groups_[group].changed) PlanInstance(i);
    }
  }
  if (must_place_) PlanAll();
  if (!has_changed_groups_) return;
  for (ListGroup &group : groups_) group.changed = false;
  has_changed_groups_ = false;
}

void ListState::CheckOverlaps() {
  if (!overlaps_.has_changes()) return;
  const ListOverlaps::Conflict found = overlaps_.Find(entries_);
  if (found.first.entry < 0) return;
  const auto name = [this](const ListOverlaps::Tensor &tensor) {
    const RuleInfo &rule = entries_[static_cast<size_t>(tensor.entry)].rule();
    return EntryName(tensor.entry) + rule.name + ": argument '" + rule.params[tensor.param].name +
           "'";
  };
  throw Error(name(found.first) + ": expected memory apart from that of other entries, got an " +
              "overlap with " + name(found.second) + ", and one of them is written");
}

void ListState::Check() {
  CheckOverlaps();
  PlanChanged();
  if (launches_ != nullptr) launches_->Upload();
}

void ListState::Run() {
  has_begun_ = false;
  Check();
  if (launches_ == nullptr) {
    has_begun_ = true;
    return work_.Run();
  }
  const CurrentList scope(nullptr);  // rules that run alone are calls
  launches_->Run(&has_begun_);
}

WorkspaceStack **MemoryOfEntry() { return current == nullptr ? nullptr : current->MemoryOfEntry(); }

}  // namespace detail
MSHADOW_VERSION_END

bool detail::TakeScalars(const void *scalars, size_t bytes, unsigned conditions) {
  return current->TakeScalars(scalars, bytes, conditions);
}

void AddToList(const KeptPlan &plan) { detail::current->Keep(plan); }

bool cuda::IsListing() noexcept {
  return detail::current != nullptr && detail::current->is_listing();
}
void cuda::AddToList(const ListedLaunch &launch) { detail::current->Keep(launch); }
void cuda::ThrowNoLists(const char *rule) {
  throw Error(std::string(rule) +
              ": expected a file that was compiled for lists, got one that was compiled with "
              "MSHADOW_CUDA_LISTS=0");
}

ListRecording::ListRecording(RuleList *list)
    : outer_(std::exchange(detail::current, list->state_)) {}
ListRecording::~ListRecording() { detail::current = outer_; }

RuleList::RuleList() : state_(new detail::ListState) {}
RuleList::~RuleList() { delete state_; }

int64_t RuleList::size() const { return state_->size(); }
void RuleList::Check() { state_->Check(); }
void RuleList::Run() { state_->Run(); }
bool RuleList::has_begun() const { return state_->has_begun(); }

int RuleList::NewGroup(const RuleInfo &rule, std::initializer_list<NamedScalar> scalars) {
  const int group = state_->NewGroup(rule);
  for (const NamedScalar &scalar : scalars) SetGroup(group, scalar.name, scalar.value);
  return group;
}
void RuleList::SetGroup(int group, const char *scalar, double value) {
  state_->SetGroup(group, scalar, value);
}
const double *RuleList::BeginAdd(int group) { return state_->BeginAdd(group); }
void RuleList::EndAdd() { state_->EndAdd(); }
void RuleList::Set(const char *scalar, double value) { state_->SetAll(scalar, value); }
void RuleList::Set(int64_t entry, const char *scalar, double value) {
  state_->SetEntry(entry, scalar, value);
}
void RuleList::Replace(int64_t entry, const char *tensor, const detail::ListedTensor &with) {
  state_->Replace(entry, tensor, with);
}

}  // namespace mshadow
