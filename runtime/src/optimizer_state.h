// SPDX-License-Identifier: Apache-2.0
/// \file optimizer_state.h
/// What an Optimizer holds.
#ifndef MSHADOW_RUNTIME_OPTIMIZER_STATE_H_
#define MSHADOW_RUNTIME_OPTIMIZER_STATE_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "mshadow/optim.h"
#include "optimizer_memory.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {

/// A scalar of a group.
struct OptimizerScalar {
  const ParamInfo *param;
  double value;
  std::function<double(int64_t)> schedule;  ///< or empty
  double previous = 0;                      ///< the value before the current Step
};

/// Tensors that one rule updates with the same scalars.
struct OptimizerGroupState {
  const RuleInfo *rule;
  int phase;
  std::function<void(const char *, double)> set;  ///< sets a scalar of the phase's list
  std::vector<OptimizerScalar> scalars;           ///< in the order of the rule
  int64_t step = 0;                               ///< the number of updates
  std::vector<ListedTensor> steps;  ///< tensors into which the optimizer writes the step

  /// The scalar of a name. \throws Error if it counts steps, or there is none
  OptimizerScalar &Find(const char *scalar);
  /// Sets a scalar, and ends its schedule. \throws Error as Find does
  void Set(const char *scalar, double value);
  std::string Name() const { return std::string(rule->name_space) + "::" + rule->name; }
};

/// One call of Add.
struct OptimizerEntry {
  int group;
  int64_t in_list;                    ///< the index in the list of the phase
  std::vector<ListedTensor> tensors;  ///< in the order of the rule's tensor parameters
};

/// Calls \p visit(tensor, param) for the tensor parameters of a rule, in order.
template <typename Visit>
void ForEachTensor(const RuleInfo &rule, const Visit &visit) {
  size_t tensor = 0;
  for (const ParamInfo &param : rule) {
    if (param.is_tensor) visit(tensor++, param);
  }
}

/// Whether a checkpoint holds the tensor.
inline bool IsSaved(const ParamInfo &param) {
  if (param.role == Role::kState) return true;
  return param.is_written && param.role != Role::kGradient;
}

/// "float32 (2,3)".
std::string TypeAndShape(int type, const int64_t *shape, int dim);

/// Throws the Error of a call that waits or allocates while a graph captures the stream.
[[noreturn]] void FailCaptured(const std::string &about);

class OptimizerState {
 public:
  OptimizerState() { Then(); }

  RuleList *LastPhase() { return phases_.back().get(); }
  void Then() { phases_.push_back(std::make_unique<RuleList>()); }
  /// \throws Error as OptimizerGroupState::Set does. Then there is no new group
  int NewGroup(const RuleInfo &rule, std::function<void(const char *, double)> set,
               std::initializer_list<NamedScalar> scalars);

  void Set(int group, const char *scalar, double value) { GroupAt(group).Set(scalar, value); }
  void Schedule(int group, const char *scalar, const std::function<double(int64_t)> &schedule);
  /// Calls \p change(group) for each group that has the scalar.
  /// \throws Error if there is none
  template <typename Change>
  void ForGroupsWith(const char *scalar, const Change &change);

  /// Allocates the states of an entry, and calls \p add, which adds the entry to its list.
  int64_t Add(int group, const ListedTensor *given, int dim, const int *flags,
              const AddToPhase &add);
  ListedTensor FindState(int64_t entry, const char *name, int dim, int type, int device) const;
  void Replace(int64_t entry, const char *tensor, const ListedTensor &with);

  void Step();
  int64_t step() const { return step_; }
  int64_t StepOf(int group) const { return groups_[static_cast<size_t>(group)].step; }
  int64_t size() const { return static_cast<int64_t>(entries_.size()); }

  void Save(utils::IStream *out) const;
  void Load(utils::IStream *in);

 private:
  friend class CheckpointReader;

  OptimizerGroupState &GroupAt(int group) { return groups_[static_cast<size_t>(group)]; }
  const OptimizerEntry &At(int64_t entry) const;
  void CheckPlace(int64_t entry, const RuleInfo &rule, const ParamInfo &param,
                  const ListedTensor &tensor) const;
  void ChooseMemory(const RuleInfo &rule, const ListedTensor *given);
  ListedTensor Allocate(const ParamInfo &param, const ListedTensor &reference, int dim, int type,
                        const RuleInfo &rule);
  void AllocateStates(OptimizerEntry *entry, int dim, const int *flags,
                      std::vector<ListedTensor> *steps);
  void CheckStep() const;
  void SetScalars();
  void WriteSteps();
  void CountSteps(int64_t by);
  void TakeBackStep();
  void WaitFor(const char *call) const;
  template <typename Output>
  void Write(Output *out) const;

  std::vector<std::unique_ptr<RuleList>> phases_;
  std::vector<OptimizerGroupState> groups_;
  std::vector<OptimizerEntry> entries_;
  std::unique_ptr<OptimizerMemory> memory_;  ///< null until there is an entry
  int64_t step_ = 0;
};

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_RUNTIME_OPTIMIZER_STATE_H_
