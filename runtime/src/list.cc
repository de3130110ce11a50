// SPDX-License-Identifier: Apache-2.0
#include "mshadow/list.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "list_state.h"
#include "mshadow/emitted/float_environment.h"

namespace mshadow {
namespace detail {
namespace {

/// The list that this thread adds a call to, or makes the Plan of a call for.
thread_local ListState *current = nullptr;

/// Whom an error is about.
std::string EntryName(int64_t entry) { return "list entry " + std::to_string(entry) + ": "; }

[[noreturn]] void FailName(const RuleInfo &rule, const char *what, const char *name) {
  throw Error(std::string(rule.name) + ": expected the name of a " + what + ", got '" + name + "'");
}

/// The index of scalar \p name among the scalars of \p rule.
size_t FindScalar(const RuleInfo &rule, const char *name) {
  size_t index = 0;
  for (const ParamInfo &param : rule) {
    if (param.is_tensor) continue;
    if (std::strcmp(param.name, name) == 0) return index;
    ++index;
  }
  FailName(rule, "scalar", name);
}

/// The index of tensor \p name among the parameters of \p rule.
int FindTensor(const RuleInfo &rule, const char *name) {
  for (int i = 0; i < rule.num_params; ++i) {
    if (rule.params[i].is_tensor && std::strcmp(rule.params[i].name, name) == 0) return i;
  }
  FailName(rule, "tensor", name);
}

/// A tensor among the arguments of a call. All TensorArgs have one layout.
TensorArg<void> *TensorAt(char *args, const ListedParam &param) {
  return reinterpret_cast<TensorArg<void> *>(args + param.at);
}

Block BlockOf(const TensorArg<void> &arg, size_t size) {
  return {arg.dptr, arg.rows(), arg.cols(), arg.stride, static_cast<int64_t>(size)};
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

int ListState::NewGroup(const RuleInfo &rule) {
  ListGroup group = {&rule, {}, -1, {}, false};
  for (const ParamInfo &param : rule) {
    if (!param.is_tensor) group.scalars.push_back(param.has_value ? param.value : 0);
  }
  groups_.push_back(group);
  return static_cast<int>(groups_.size()) - 1;
}

void ListState::SetGroup(int group, const char *scalar, double value) {
  const size_t index = FindScalar(*groups_[static_cast<size_t>(group)].rule, scalar);
  const auto set = [&](ListGroup *to) {
    to->changed = to->changed || to->scalars[index] != value;
    to->scalars[index] = value;
  };
  set(&groups_[static_cast<size_t>(group)]);
  for (ListGroup &other : groups_) {
    if (other.parent == group && !other.own[index]) set(&other);
  }
  has_changed_groups_ = true;
}

const double *ListState::BeginAdd(int group) {
  outer_ = std::exchange(current, this);
  planned_ = static_cast<int>(entries_.size());
  entries_.push_back({{}, nullptr, group, {-1, 0}});
  return groups_[static_cast<size_t>(group)].scalars.data();
}

int64_t ListState::FinishAdd() {
  current = outer_;
  must_check_ = true;
  return size() - 1;
}

void ListState::FailAdd() {
  current = outer_;
  const int64_t entry = size() - 1;
  if (entries_.back().args != nullptr) overlaps_.DropLastEntry();
  entries_.pop_back();
  try {
    throw;
  } catch (const Error &error) {
    throw Error(EntryName(entry) + error.what());
  }
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

void ListState::Keep(const ListedCall &call) {
  ListEntry &entry = entries_.back();
  entry.call = call;
  entry.args = Allocate(call.bytes);
  std::memcpy(entry.args, call.args, call.bytes);
  entry.call.args = entry.args;
  int tensors = 0;
  for (const ParamInfo &param : *call.rule) tensors += param.is_tensor;
  overlaps_.AddEntry(tensors);
  is_kept_ = false;
  call.plan(call.function, entry.args);
  if (!is_kept_) idle_.push_back(planned_);
  SetBlocks(planned_);
}

/// The bytes of an entry's tensors, each counted once: about what it moves.
int64_t ListState::BytesOf(const ListEntry &entry) const {
  int64_t bytes = 0;
  for (int i = 0; i < entry.call.rule->num_params; ++i) {
    const ListedParam &param = entry.call.params[i];
    if (param.set == nullptr) {
      bytes += TensorAt(entry.args, param)->Size() * static_cast<int64_t>(param.size);
    }
  }
  return bytes;
}

void ListState::Keep(const KeptPlan &plan) {
  ListEntry &entry = entries_[static_cast<size_t>(planned_)];
  const int64_t bytes = BytesOf(entry);
  is_kept_ = true;
  if (entry.place.batch < 0) {
    entry.place = work_.Add(entry.group, planned_, plan, entry.call.rule->products > 0, bytes);
  } else if (!work_.Set(entry.place, plan, bytes)) {
    must_place_ = true;
  }
}

void ListState::SetBlocks(int index) {
  ListEntry &entry = entries_[static_cast<size_t>(index)];
  int number = 0;
  for (int i = 0; i < entry.call.rule->num_params; ++i) {
    const ListedParam &param = entry.call.params[i];
    if (param.set != nullptr) continue;
    const Block block = BlockOf(*TensorAt(entry.args, param), param.size);
    overlaps_.Set(number++, {block, index, i, entry.call.rule->params[i].is_written});
  }
  must_check_ = true;
}

void ListState::SetScalars(const ListEntry &entry) {
  const double *scalar = groups_[static_cast<size_t>(entry.group)].scalars.data();
  for (int i = 0; i < entry.call.rule->num_params; ++i) {
    const ListedParam &param = entry.call.params[i];
    if (param.set != nullptr) param.set(entry.args + param.at, *scalar++);
  }
}

void ListState::Plan(int index) {
  ListEntry &entry = entries_[static_cast<size_t>(index)];
  SetScalars(entry);
  const CurrentList scope(this);
  planned_ = index;
  is_kept_ = false;
  const bool had_plan = entry.place.batch >= 0;
  try {
    entry.call.plan(entry.call.function, entry.args);
  } catch (const Error &error) {
    throw Error(EntryName(index) + error.what());
  }
  must_place_ = must_place_ || is_kept_ != had_plan;
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
    groups_.push_back(before);
    groups_.back().parent = entry.group;
    groups_.back().own.assign(before.scalars.size(), false);
    entry.group = static_cast<int>(groups_.size()) - 1;
    must_place_ = true;
  }
  ListGroup &group = GroupOf(entry);
  group.own[number] = true;
  group.scalars[number] = value;
  group.changed = true;
  has_changed_groups_ = true;
}

void ListState::Replace(int64_t index, const char *tensor, const ListedTensor &with) {
  ListEntry &entry = At(index);
  const RuleInfo &rule = *entry.call.rule;
  const int number = FindTensor(rule, tensor);
  const ListedParam &param = entry.call.params[number];
  const std::string about =
      EntryName(index) + rule.name + ": argument '" + rule.params[number].name + "': expected ";
  if (with.type != param.type) {
    throw Error(about + NameOfFlag(param.type) + ", got " + NameOfFlag(with.type));
  }
  TensorArg<void> *const at = TensorAt(entry.args, param);
  if (with.arg.dim != at->dim) {
    throw Error(about + "rank " + std::to_string(at->dim) + ", got rank " +
                std::to_string(with.arg.dim));
  }
  const TensorArg<void> old = std::exchange(*at, with.arg);
  try {
    Plan(static_cast<int>(index));
  } catch (const Error &) {
    *at = old;
    throw;
  }
  SetBlocks(static_cast<int>(index));
}

/// Makes the Plans of a batch again, since scalars changed. The first one says whether the others
/// keep theirs.
void ListState::PlanBatch(ListBatch *batch) {
  const auto loop = batch->rows[0].work.loop;
  Plan(batch->rows[0].entry);
  const bool is_shared = batch->kept.scalars_bytes() != 0 && loop == batch->rows[0].work.loop;
  if (is_shared) return;
  for (size_t i = 1; i < batch->rows.size(); ++i) Plan(batch->rows[i].entry);
}

void ListState::PlanAll() {
  work_.Clear();
  idle_.clear();
  for (ListEntry &entry : entries_) entry.place = {-1, 0};
  for (int i = 0; i < static_cast<int>(entries_.size()); ++i) {
    Plan(i);
    if (!is_kept_) idle_.push_back(i);
  }
  must_place_ = false;
}

void ListState::PlanChanged() {
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
  if (must_place_) PlanAll();
  if (!has_changed_groups_) return;
  for (ListGroup &group : groups_) group.changed = false;
  has_changed_groups_ = false;
}

void ListState::CheckOverlaps() {
  if (!must_check_) return;
  const ListOverlaps::Conflict found = overlaps_.Find();
  if (found.first != nullptr) {
    const auto name = [this](const ListedBlock &block) {
      const RuleInfo &rule = *entries_[static_cast<size_t>(block.entry)].call.rule;
      return EntryName(block.entry) + rule.name + ": argument '" + rule.params[block.param].name +
             "'";
    };
    throw Error(name(*found.first) + ": expected memory that no other entry writes, got memory of " +
                name(*found.second));
  }
  must_check_ = false;
}

void ListState::Check() {
  CheckOverlaps();
  PlanChanged();
}

void ListState::Run() {
  Check();
  work_.Run();
}

}  // namespace detail

void AddToList(const KeptPlan &plan) { detail::current->Keep(plan); }

RuleList::RuleList() : state_(new detail::ListState) {}
RuleList::~RuleList() { delete state_; }

int64_t RuleList::size() const { return state_->size(); }
void RuleList::Check() { state_->Check(); }
void RuleList::Run() { state_->Run(); }

int RuleList::NewGroup(const RuleInfo &rule, std::initializer_list<NamedScalar> scalars) {
  const int group = state_->NewGroup(rule);
  for (const NamedScalar &scalar : scalars) SetGroup(group, scalar.name, scalar.value);
  return group;
}
void RuleList::SetGroup(int group, const char *scalar, double value) {
  state_->SetGroup(group, scalar, value);
}
const double *RuleList::BeginAdd(int group) { return state_->BeginAdd(group); }
int64_t RuleList::FinishAdd() { return state_->FinishAdd(); }
void RuleList::FailAdd() { state_->FailAdd(); }
void RuleList::Set(int64_t entry, const char *scalar, double value) {
  state_->SetEntry(entry, scalar, value);
}
void RuleList::Replace(int64_t entry, const char *tensor, const detail::ListedTensor &with) {
  state_->Replace(entry, tensor, with);
}

}  // namespace mshadow
