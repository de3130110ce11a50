// SPDX-License-Identifier: Apache-2.0
#include "mshadow/optim.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "mshadow/cuda/runtime.h"
#include "mshadow/emitted/launch.h"
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

/// The index of tensor \p name among the tensors of a rule; -1 if it has none that \p counts.
int FindTensor(const RuleInfo &rule, const char *name, bool (*counts)(const ParamInfo &)) {
  int found = -1;
  ForEachTensor(rule, [&](size_t tensor, const ParamInfo &param) {
    if (counts(param) && std::strcmp(param.name, name) == 0) found = static_cast<int>(tensor);
  });
  return found;
}

const char *DeviceName(int device) { return device == gpu::kDevMask ? "a GPU" : "the CPU"; }

std::string EntryName(int64_t entry) { return "optimizer entry " + std::to_string(entry) + ": "; }

}  // namespace

std::string TypeAndShape(int type, const int64_t *shape, int dim) {
  return std::string(dtype_string(type)) + " " + ShapeText(shape, dim);
}

void FailCaptured(const std::string &about) {
  throw Error(about +
              "expected a stream that no CUDA graph captures, got one that a graph captures");
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
  ListedTensor state = {{}, type, memory_->device()};
  TensorArg<void> &arg = state.arg;
  arg.stream = memory_->stream();
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
  arg.dptr = memory_->Take(arg.Size() * static_cast<int64_t>(SizeOfFlag(type)));
  if (param.role == Role::kState && param.value != 0) memory_->Fill(state, param.value);
  return state;
}

/// Allocates the tensors of an entry that the program does not give.
/// \param steps the group's tensors for the number of the step; takes those that are new
void OptimizerState::AllocateStates(OptimizerEntry *entry, int dim, const int *flags,
                                    std::vector<ListedTensor> *steps) {
  const RuleInfo &rule = *GroupAt(entry->group).rule;
  std::vector<ListedTensor> &tensors = entry->tensors;
  const ListedTensor reference = tensors[ReferenceOf(rule, tensors)];
  ForEachTensor(rule, [&](size_t tensor, const ParamInfo &param) {
    if (!IsAllocated(param)) return;
    const int type = param.TypeIn(flags);
    const auto has_type = [type](const ListedTensor &step) { return step.type == type; };
    const bool is_shared = param.role == Role::kStep && !param.is_written;
    const auto found = std::find_if(steps->begin(), steps->end(), has_type);
    if (is_shared && found != steps->end()) {
      tensors[tensor] = *found;
      return;
    }
    tensors[tensor] = Allocate(param, reference, dim, type, rule);
    if (is_shared) steps->push_back(tensors[tensor]);
  });
}

/// Refuses a tensor that the program gives, unless it is where those of entry 0 are.
void OptimizerState::CheckPlace(int64_t entry, const RuleInfo &rule, const ParamInfo &param,
                                const ListedTensor &tensor) const {
  const int device = memory_->device();
  if (tensor.device == device && device == cpu::kDevMask) return;
  const std::string about =
      EntryName(entry) + rule.name + ": argument '" + param.name + "': expected ";
  if (tensor.device != device) {
    throw Error(about + "a tensor of " + DeviceName(device) + ", as entry 0 has, got one of " +
                DeviceName(tensor.device));
  }
  if (tensor.arg.stream != memory_->stream()) {
    throw Error(about + "the stream of entry 0, got another one");
  }
  memory_->CheckCurrent(about.c_str());
}

/// The first entry decides where the optimizer's tensors are.
void OptimizerState::ChooseMemory(const RuleInfo &rule, const ListedTensor *given) {
  if (entries_.empty()) {
    const bool on_gpu = given->device == gpu::kDevMask;
    if (on_gpu && !cuda::IsBuilt()) NoCuda(rule.name);
    memory_ = on_gpu ? NewMemoryOnGpu(given->arg.stream) : NewMemoryOnCpu();
  } else {
    ForEachTensor(rule, [&](size_t, const ParamInfo &param) {
      if (IsGiven(param)) CheckPlace(size(), rule, param, *given++);
    });
  }
  if (memory_->IsCaptured()) FailCaptured(EntryName(size()) + rule.name + ": ");
}

int64_t OptimizerState::Add(int group, const ListedTensor *given, int dim, const int *flags,
                            const AddToPhase &add) {
  const RuleInfo &rule = *GroupAt(group).rule;
  ChooseMemory(rule, given);
  OptimizerEntry entry = {group, -1, {}};
  ForEachTensor(rule, [&](size_t, const ParamInfo &param) {
    entry.tensors.push_back(IsAllocated(param) ? ListedTensor() : *given++);
  });
  const OptimizerMemory::Mark mark = memory_->mark();
  entries_.push_back(std::move(entry));  // before the list has it: this may throw
  try {
    OptimizerEntry &added = entries_.back();
    std::vector<ListedTensor> steps = GroupAt(group).steps;
    AllocateStates(&added, dim, flags, &steps);
    added.in_list = add(added.tensors.data());
    GroupAt(group).steps = std::move(steps);
  } catch (...) {
    entries_.pop_back();
    memory_->Return(mark);
    throw;
  }
  return size() - 1;
}

const OptimizerEntry &OptimizerState::At(int64_t entry) const {
  if (entry >= 0 && entry < size()) return entries_[static_cast<size_t>(entry)];
  throw Error("optimizer: expected an entry below " + std::to_string(size()) + ", got " +
              std::to_string(entry));
}

ListedTensor OptimizerState::FindState(int64_t entry, const char *name, int dim, int type,
                                       int device) const {
  const OptimizerEntry &own = At(entry);
  const RuleInfo &rule = *groups_[static_cast<size_t>(own.group)].rule;
  const int tensor = FindTensor(rule, name, IsAllocated);
  if (tensor < 0) {
    throw Error(EntryName(entry) + rule.name + ": expected the name of a state, got '" + name +
                "'");
  }
  const ListedTensor &state = own.tensors[static_cast<size_t>(tensor)];
  if (state.device != device) {
    throw Error(EntryName(entry) + rule.name + ": state '" + name + "': expected a view for " +
                DeviceName(state.device) + ", got one for " + DeviceName(device));
  }
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
  const size_t of_given = static_cast<size_t>(index);
  ForEachTensor(*group.rule, [&](size_t at, const ParamInfo &param) {
    if (at == of_given) CheckPlace(entry, *group.rule, param, with);
  });
  phases_[static_cast<size_t>(group.phase)]->Replace(own.in_list, tensor, with);
  entries_[static_cast<size_t>(entry)].tensors[of_given] = with;
}

/// Refuses a step that cannot begin.
void OptimizerState::CheckStep() const {
  if (entries_.empty()) return;
  memory_->CheckCurrent("optimizer: expected ");
  for (const OptimizerGroupState &group : groups_) {
    if (group.steps.empty() || !memory_->IsCaptured()) continue;
    FailCaptured("optimizer: " + std::string(group.rule->name) +
                 " reads the number of the step from a tensor, which the host writes: ");
  }
}

void OptimizerState::SetScalars() {
  for (OptimizerGroupState &group : groups_) {
    for (OptimizerScalar &scalar : group.scalars) scalar.previous = scalar.value;
  }
  for (OptimizerGroupState &group : groups_) {
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

void OptimizerState::WriteSteps() {
  for (const OptimizerGroupState &group : groups_) {
    for (const ListedTensor &step : group.steps) {
      memory_->Fill(step, static_cast<double>(group.step));
    }
  }
}

void OptimizerState::CountSteps(int64_t by) {
  step_ += by;
  for (OptimizerGroupState &group : groups_) group.step += by;
}

/// Makes everything as it was before SetScalars. The next step sets the scalars of the lists.
void OptimizerState::TakeBackStep() {
  CountSteps(-1);
  for (OptimizerGroupState &group : groups_) {
    for (OptimizerScalar &scalar : group.scalars) scalar.value = scalar.previous;
  }
}

void OptimizerState::Step() {
  CheckStep();
  CountSteps(1);
  try {
    SetScalars();
    for (const auto &phase : phases_) phase->Check();
    WriteSteps();
  } catch (...) {
    TakeBackStep();
    throw;
  }
  bool has_begun = false;
  for (const auto &phase : phases_) {
    try {
      phase->Run();
    } catch (...) {
      if (!has_begun && !phase->has_begun()) TakeBackStep();
      throw;
    }
    has_begun = has_begun || phase->has_begun();
  }
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

int64_t Optimizer::AddEntry(int group, const detail::ListedTensor *given, int dim, const int *flags,
                            const detail::AddToPhase &add) {
  return state_->Add(group, given, dim, flags, add);
}
detail::ListedTensor Optimizer::FindState(int64_t entry, const char *name, int dim, int type,
                                          int device) const {
  return state_->FindState(entry, name, dim, type, device);
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
