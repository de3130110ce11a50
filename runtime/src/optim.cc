// SPDX-License-Identifier: Apache-2.0
#include "mshadow/optim.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "mshadow/detail/allocation.h"
#include "mshadow/detail/type_switch.h"
#include "optimizer_state.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {
namespace {

/// The reference of an entry: the tensor whose shape tells the shapes of the states.
/// \returns its index among the rule's tensors
size_t ReferenceOf(const RuleInfo &rule, const std::vector<ListedTensor> &tensors) {
  size_t best = 0;
  int best_rank = 0;
  ForEachTensor(rule, [&](size_t tensor, const ParamInfo &param) {
    if (IsAllocated(param)) return;
    const int rank = param.role == Role::kParameter  ? kMaxRank + 2
                     : param.role == Role::kGradient ? kMaxRank + 1
                                                     : tensors[tensor].arg.dim;
    if (rank <= best_rank) return;
    best_rank = rank;
    best = tensor;
  });
  return best;
}

/// The number of elements of a vector that belongs to the reference.
int64_t LengthOf(const ParamInfo &param, const TensorArg<void> &reference) {
  if (param.is_single || param.role == Role::kStep) return 1;
  if (param.is_per_row) return reference.rows();
  if (param.channel_dim >= 0 && param.channel_dim < reference.dim) {
    return reference.shape[param.channel_dim];
  }
  return reference.cols();
}

void Fill(const ListedTensor &tensor, double value) {
  MSHADOW_TYPE_SWITCH_WITH_BOOL(tensor.type, DType, {
    std::fill_n(static_cast<DType *>(tensor.arg.dptr), tensor.arg.Size(),
                static_cast<DType>(value));
  });
}

/// The index of tensor \p name among the tensors of a rule; -1 if it has none that \p counts.
int FindTensor(const RuleInfo &rule, const char *name, bool (*counts)(const ParamInfo &)) {
  int found = -1;
  ForEachTensor(rule, [&](size_t tensor, const ParamInfo &param) {
    if (counts(param) && std::strcmp(param.name, name) == 0) found = static_cast<int>(tensor);
  });
  return found;
}

std::string EntryName(int64_t entry) { return "optimizer entry " + std::to_string(entry) + ": "; }

}  // namespace

std::string TypeAndShape(int type, const int64_t *shape, int dim) {
  return std::string(dtype_string(type)) + " " + ShapeText(shape, dim);
}

void *StateMemory::Take(int64_t bytes) {
  constexpr int64_t kBlock = 1 << 20;
  bytes = (std::max<int64_t>(bytes, 1) + kAlignment - 1) / kAlignment * kAlignment;
  if (bytes <= left_) {
    left_ -= bytes;
    return std::exchange(next_, next_ + bytes);
  }
  const int64_t size = std::max(bytes, kBlock);
  char *const memory =
      static_cast<char *>(std::calloc(static_cast<size_t>(size + kAlignment), size_t{1}));
  if (memory == nullptr) throw Error("cannot allocate " + std::to_string(size) + " bytes");
  blocks_.emplace_back(memory);
  AskForHugePages(memory, size);
  char *const begin = memory + (kAlignment - reinterpret_cast<intptr_t>(memory) % kAlignment);
  if (size - bytes > left_) {
    next_ = begin + bytes;
    left_ = size - bytes;
  }
  return begin;
}

int OptimizerState::NewGroup(const RuleInfo &rule, std::function<void(const char *, double)> set,
                             std::initializer_list<NamedScalar> scalars) {
  OptimizerGroupState group;
  group.rule = &rule;
  group.phase = static_cast<int>(phases_.size()) - 1;
  group.set = std::move(set);
  for (const ParamInfo &param : rule) {
    if (param.is_tensor) continue;
    group.scalars.push_back({&param, param.has_value ? param.value : 0, nullptr});
  }
  for (const NamedScalar &scalar : scalars) group.Set(scalar.name, scalar.value);
  groups_.push_back(std::move(group));
  return static_cast<int>(groups_.size()) - 1;
}

OptimizerScalar &OptimizerGroupState::Find(const char *scalar) {
  for (OptimizerScalar &found : scalars) {
    if (std::strcmp(found.param->name, scalar) != 0) continue;
    if (found.param->role != Role::kStep) return found;
    throw Error(std::string(rule->name) + ": the optimizer sets scalar '" + scalar +
                "', which counts its steps: expected the name of another scalar");
  }
  throw Error(std::string(rule->name) + ": expected the name of a scalar, got '" + scalar + "'");
}

void OptimizerGroupState::Set(const char *scalar, double value) {
  OptimizerScalar &found = Find(scalar);
  found.value = value;
  found.schedule = nullptr;
  set(found.param->name, value);
}

void OptimizerState::Schedule(int group, const char *scalar,
                              const std::function<double(int64_t)> &schedule) {
  GroupAt(group).Find(scalar).schedule = schedule;
}

template <typename Change>
void OptimizerState::ForGroupsWith(const char *scalar, const Change &change) {
  std::vector<int> found;
  for (size_t i = 0; i < groups_.size(); ++i) {
    const auto is_it = [scalar](const OptimizerScalar &own) {
      return std::strcmp(own.param->name, scalar) == 0;
    };
    const std::vector<OptimizerScalar> &scalars = groups_[i].scalars;
    if (std::any_of(scalars.begin(), scalars.end(), is_it)) found.push_back(static_cast<int>(i));
  }
  if (found.empty()) {
    throw Error("optimizer: expected the name of a scalar of a group, got '" + std::string(scalar) +
                "'");
  }
  for (const int group : found) GroupAt(group).Find(scalar);  // throws before anything changes
  for (const int group : found) change(group);
}

ListedTensor OptimizerState::Allocate(const ParamInfo &param, const ListedTensor &reference,
                                      int dim, int type, const RuleInfo &rule) {
  ListedTensor state = {{}, type, cpu::kDevMask};
  TensorArg<void> &arg = state.arg;
  arg.dim = param.RankIn(dim);
  if (arg.dim == 1) {
    arg.shape[0] = LengthOf(param, reference.arg);
  } else if (arg.dim == reference.arg.dim) {
    std::copy_n(reference.arg.shape, arg.dim, arg.shape);
  } else {
    throw Error(std::string(rule.name) + ": state '" + param.name + "': expected rank 1 or " +
                std::to_string(reference.arg.dim) +
                ", the rank of the tensor that it belongs to, got rank " + std::to_string(arg.dim));
  }
  arg.stride = arg.cols();
  arg.dptr = memory_.Take(arg.Size() * static_cast<int64_t>(SizeOfFlag(type)));
  if (param.role == Role::kState && param.value != 0) Fill(state, param.value);
  return state;
}

/// The tensor of a group for the number of the step, in this element type.
ListedTensor OptimizerState::StepTensor(OptimizerGroupState *group, const ListedTensor &fresh) {
  for (const ListedTensor &step : group->steps) {
    if (step.type == fresh.type) return step;
  }
  group->steps.push_back(fresh);
  return fresh;
}

const ListedTensor *OptimizerState::BeginAdd(int group, const ListedTensor *given, int dim,
                                             const int *flags) {
  OptimizerGroupState &own = GroupAt(group);
  const RuleInfo &rule = *own.rule;
  added_ = {group, -1, {}};
  std::vector<ListedTensor> &tensors = added_.tensors;
  ForEachTensor(rule, [&](size_t, const ParamInfo &param) {
    tensors.push_back(IsAllocated(param) ? ListedTensor() : *given++);
  });
  const ListedTensor reference = tensors[ReferenceOf(rule, tensors)];
  ForEachTensor(rule, [&](size_t tensor, const ParamInfo &param) {
    if (!IsAllocated(param)) return;
    const ListedTensor fresh = Allocate(param, reference, dim, param.TypeIn(flags), rule);
    const bool is_shared = param.role == Role::kStep && !param.is_written;
    tensors[tensor] = is_shared ? StepTensor(&own, fresh) : fresh;
  });
  return tensors.data();
}

int64_t OptimizerState::EndAdd(int64_t in_list) {
  added_.in_list = in_list;
  entries_.push_back(std::move(added_));
  return size() - 1;
}

const OptimizerEntry &OptimizerState::At(int64_t entry) const {
  if (entry >= 0 && entry < size()) return entries_[static_cast<size_t>(entry)];
  throw Error("optimizer: expected an entry below " + std::to_string(size()) + ", got " +
              std::to_string(entry));
}

ListedTensor OptimizerState::FindState(int64_t entry, const char *name, int dim, int type) const {
  const OptimizerEntry &own = At(entry);
  const RuleInfo &rule = *groups_[static_cast<size_t>(own.group)].rule;
  const int tensor = FindTensor(rule, name, IsAllocated);
  if (tensor < 0) {
    throw Error(EntryName(entry) + rule.name + ": expected the name of a state, got '" + name +
                "'");
  }
  const ListedTensor &state = own.tensors[static_cast<size_t>(tensor)];
  if (state.type != type || state.arg.dim != dim) {
    throw Error(EntryName(entry) + rule.name + ": state '" + name + "' is " +
                TypeAndShape(state.type, state.arg.shape, state.arg.dim) + ": expected " +
                dtype_string(state.type) + " of rank " + std::to_string(state.arg.dim) + ", got " +
                dtype_string(type) + " of rank " + std::to_string(dim));
  }
  return state;
}

void OptimizerState::Replace(int64_t entry, const char *tensor, const ListedTensor &with) {
  const OptimizerEntry &own = At(entry);
  const OptimizerGroupState &group = GroupAt(own.group);
  const int index = FindTensor(*group.rule, tensor, IsGiven);
  if (index < 0) {
    throw Error(EntryName(entry) + group.rule->name +
                ": expected the name of a tensor that Add was given, got '" + tensor + "'");
  }
  phases_[static_cast<size_t>(group.phase)]->Replace(own.in_list, tensor, with);
  entries_[static_cast<size_t>(entry)].tensors[static_cast<size_t>(index)] = with;
}

void OptimizerState::SetScalars() {
  for (OptimizerGroupState &group : groups_) {
    for (const ListedTensor &step : group.steps) Fill(step, static_cast<double>(group.step));
    for (OptimizerScalar &scalar : group.scalars) {
      if (scalar.param->role == Role::kStep) {
        scalar.value = static_cast<double>(group.step);
      } else if (scalar.schedule) {
        scalar.value = scalar.schedule(step_);
      } else {
        continue;
      }
      group.set(scalar.param->name, scalar.value);
    }
  }
}

void OptimizerState::CountSteps(int64_t by) {
  step_ += by;
  for (OptimizerGroupState &group : groups_) group.step += by;
}

void OptimizerState::Step() {
  CountSteps(1);
  try {
    SetScalars();
    for (const auto &phase : phases_) phase->Check();
  } catch (...) {
    CountSteps(-1);
    throw;
  }
  for (const auto &phase : phases_) phase->Run();
}

}  // namespace detail
MSHADOW_VERSION_END

Optimizer::Optimizer() : state_(new detail::OptimizerState) {}
Optimizer::~Optimizer() { delete state_; }

void Optimizer::Then() { state_->Then(); }
RuleList *Optimizer::LastPhase() { return state_->LastPhase(); }
int Optimizer::NewGroup(const RuleInfo &rule, std::function<void(const char *, double)> set,
                        std::initializer_list<NamedScalar> scalars) {
  return state_->NewGroup(rule, std::move(set), scalars);
}

void Optimizer::Set(const char *scalar, double value) {
  state_->ForGroupsWith(scalar, [&](int group) { state_->Set(group, scalar, value); });
}
void Optimizer::Schedule(const char *scalar, const std::function<double(int64_t)> &schedule) {
  state_->ForGroupsWith(scalar, [&](int group) { state_->Schedule(group, scalar, schedule); });
}
void Optimizer::SetGroup(int group, const char *scalar, double value) {
  state_->Set(group, scalar, value);
}
void Optimizer::ScheduleGroup(int group, const char *scalar,
                              const std::function<double(int64_t)> &schedule) {
  state_->Schedule(group, scalar, schedule);
}

const detail::ListedTensor *Optimizer::BeginAdd(int group, const detail::ListedTensor *given,
                                                int dim, const int *flags) {
  return state_->BeginAdd(group, given, dim, flags);
}
int64_t Optimizer::EndAdd(int64_t entry_of_list) { return state_->EndAdd(entry_of_list); }
detail::ListedTensor Optimizer::FindState(int64_t entry, const char *name, int dim,
                                          int type) const {
  return state_->FindState(entry, name, dim, type);
}
void Optimizer::Replace(int64_t entry, const char *tensor, const detail::ListedTensor &with) {
  state_->Replace(entry, tensor, with);
}

void Optimizer::Step() { state_->Step(); }
int64_t Optimizer::step() const { return state_->step(); }
int64_t Optimizer::StepOf(int group) const { return state_->StepOf(group); }
int64_t Optimizer::size() const { return state_->size(); }
void Optimizer::SaveTo(utils::IStream *out) const { state_->Save(out); }
void Optimizer::LoadFrom(utils::IStream *in) { state_->Load(in); }

}  // namespace mshadow
