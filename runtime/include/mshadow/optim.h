// SPDX-License-Identifier: Apache-2.0
/// \file optim.h
/// Optimizer: updates the weights of a model by generated rules, and keeps their states.
///
///     mshadow::Optimizer optimizer;
///     auto adam = optimizer.Group<optim::AdamWRule>({{"decay", 0.01}});
///     for (Layer &l : model) adam.Add(l.weight, l.grad);  // allocates mean and variance
///     optimizer.Schedule("lr", [](int64_t step) { return 1e-3 / std::sqrt(step); });
///     while (…) {
///       …                                                 // writes the gradients
///       optimizer.Step();                                 // updates all weights
///     }
///     optimizer.Save(file);
///
/// Any rule will do: the marks of its parameters say what the optimizer has to allocate, to count
/// and to save. docs/manual/optim.md is the manual, docs/decisions/optim.md has the reasons.
#ifndef MSHADOW_OPTIM_H_
#define MSHADOW_OPTIM_H_

#include <functional>

#include "mshadow/io.h"
#include "mshadow/list.h"

namespace mshadow {

template <typename Rule>
class OptimizerGroup;

MSHADOW_VERSION_BEGIN
namespace detail {

class OptimizerState;

/// Adds an entry with these tensors, in the order of the rule, to the list of a phase. \returns its
/// index there
using AddToPhase = std::function<int64_t(const ListedTensor *tensors)>;

/// Whether an optimizer allocates the tensor of a parameter; else the program gives it to Add.
constexpr bool IsAllocated(const ParamInfo &param) {
  return param.is_tensor && (param.role == Role::kState || param.role == Role::kStep);
}
constexpr bool IsGiven(const ParamInfo &param) { return param.is_tensor && !IsAllocated(param); }

template <typename Rule>
constexpr size_t CountTensors() {
  size_t count = 0;
  for (int i = 0; i < Rule::kInfo.num_params; ++i) count += Rule::kParams[i].is_tensor;
  return count;
}
/// The parameter of tensor \p tensor, an index among the rule's tensors.
template <typename Rule>
constexpr const ParamInfo &TensorParam(size_t tensor) {
  int i = 0;
  for (;; ++i) {
    if (Rule::kParams[i].is_tensor && tensor-- == 0) return Rule::kParams[i];
  }
}

/// The element type with this flag.
template <int flag, typename First, typename... Rest>
struct FindType {
  using type = typename std::conditional_t<DataType<First>::kFlag == flag, FindType<flag, First>,
                                           FindType<flag, Rest...>>::type;
};
template <int flag, typename Last>
struct FindType<flag, Last> {
  using type = Last;
};
template <int flag>
using TypeOfFlag = typename FindType<flag, float, double, half::half_t, bfloat::bf16_t, int8_t,
                                     uint8_t, int16_t, int32_t, int64_t, bool>::type;

/// \p listed with the rank and the element type of its parameter, in an instance with the element
/// types \p flags.
template <typename Device, typename Rule, size_t tensor, int dim, const int *flags>
Tensor<Device, TensorParam<Rule>(tensor).RankIn(dim),
       TypeOfFlag<TensorParam<Rule>(tensor).TypeIn(flags)>>
TypedTensor(const ListedTensor &listed) {
  constexpr const ParamInfo &kParam = TensorParam<Rule>(tensor);
  return TensorOf<Device, kParam.RankIn(dim), TypeOfFlag<kParam.TypeIn(flags)>>(listed.arg);
}

/// The flags of an instance.
template <typename... T>
struct FlagsOf {
  static constexpr int kFlags[] = {DataType<T>::kFlag..., 0};
};

}  // namespace detail
MSHADOW_VERSION_END

/// Updates tensors by rules. An optimizer consists of groups; a group is entries that one rule
/// updates with the same scalars. For each entry the optimizer allocates the states that the rule
/// declares. It holds views of the tensors that it is given: their memory must outlive it, unless
/// Replace replaces them. One thread at a time may use an optimizer.
///
/// An optimizer whose first entry has tensors of a GPU runs on that GPU, on the stream of the
/// tensors. It allocates and fills the states there. The other entries must have that stream, too,
/// or no stream if the first entry has none. docs/manual/optim.md says what waits for the GPU, and
/// what a CUDA graph keeps.
class Optimizer {
 public:
  Optimizer();
  ~Optimizer();
  Optimizer(const Optimizer &) = delete;
  Optimizer &operator=(const Optimizer &) = delete;

  /// Makes an empty group, whose tensors Rule updates. A scalar that \p scalars does not name has
  /// the rule's default argument, or 0 if there is none.
  /// \throws Error if the rule has no scalar of such a name, or the scalar counts steps. Then no
  ///     group is made
  template <typename Rule>
  OptimizerGroup<Rule> Group(std::initializer_list<NamedScalar> scalars = {});

  /// Begins a new phase. Groups that are made from now on run after all groups that were made
  /// before. Within a phase, tensors are updated in any order.
  void Then();

  /// Sets a scalar of all groups so far whose rules have a scalar of this name, from the next Step
  /// on. Ends their schedules of this scalar.
  /// \throws Error if no group has such a scalar, or if it counts steps
  void Set(const char *scalar, double value);
  /// From the next Step on, the scalar of this name is \p schedule(step) in all groups so far. Here
  /// step counts the updates of the optimizer from 1. A checkpoint does not hold schedules.
  /// \throws Error as Set does
  void Schedule(const char *scalar, const std::function<double(int64_t step)> &schedule);

  /// Updates all tensors once, in as many threads as are worthwhile (parallel.h); on a GPU, queues
  /// the updates on the stream.
  /// \throws Error before a rule writes anything if RuleList::Check of a phase throws: entries
  ///     overlap, or a rule refuses a scalar or the data of an entry. The step then does not count.
  ///     Each phase checks its data again when it runs (RuleList::Run). If that fails, earlier
  ///     phases have run, and the step counts. With MSHADOW_UNFUSED a rule refuses scalars and data
  ///     only when it runs; then, too, the step counts.
  ///     On a GPU, Step also throws an Error of CUDA. It counts only if something was launched
  ///     before. It throws if the tensors have no stream and another device is current, or if a
  ///     CUDA graph captures a step that must copy something to the GPU; these do not count
  void Step();
  /// The number of updates so far.
  int64_t step() const;
  /// The number of entries: one for each call of Add.
  int64_t size() const;

  /// The state \p name of an entry: a view of memory that the optimizer owns, without padding. Of a
  /// GPU it is `State<gpu, dim, DType>`, and has the stream of the optimizer.
  /// \throws Error if there is no such entry or state, or it has another device, rank or element
  ///     type
  template <int dim, typename DType = float>
  Tensor<cpu, dim, DType> State(int64_t entry, const char *name) const {
    return State<cpu, dim, DType>(entry, name);
  }
  template <typename Device, int dim, typename DType = float>
  Tensor<Device, dim, DType> State(int64_t entry, const char *name) const {
    const detail::ListedTensor state =
        FindState(entry, name, dim, DataType<DType>::kFlag, Device::kDevMask);
    return detail::TensorOf<Device, dim, DType>(state.arg);
  }

  /// Replaces a tensor of an entry that Add was given, for example a gradient that a framework
  /// allocates in each step.
  /// \param tensor the name of the parameter
  /// \param with has the shape, the element type and the device of the tensor that it replaces, and
  ///     on a GPU the stream of the optimizer
  /// \throws Error if there is no such entry or tensor, or as RuleList::Replace does. The entry
  ///     then stays as it was
  template <typename Device, int dim, typename DType>
  void Replace(int64_t entry, const char *tensor, const Tensor<Device, dim, DType> &with) {
    Replace(entry, tensor, detail::ListedTensorOf(with));
  }

  /// Writes a checkpoint to \p out, a utils::IStream or any class with its function Write. A
  /// checkpoint has the steps, the scalars, the states, and all tensors that a rule writes except
  /// gradients. It also has a version and a checksum. Numbers are in the machine's byte order. It
  /// does not name the device: an optimizer on a CPU and one on a GPU write the same bytes. On a
  /// GPU, Save waits for the stream.
  /// \throws Error on a GPU if a CUDA graph captures the stream; an Error of CUDA. If earlier work
  ///     failed, it throws before it writes anything
  template <typename TStream>
  void Save(TStream &out) const {  // NOLINT: as SaveBinary
    detail::StreamRef<TStream> ref(&out);
    SaveTo(&ref);
  }
  /// Reads what Save wrote, if this optimizer has the same groups and tensors. It reads only the
  /// bytes of the checkpoint from \p in.
  /// \throws Error, with nothing changed, if the stream ends too early, is damaged, or has another
  ///     version, byte order, phase, rule, scalar, tensor, shape or element type. The message
  ///     names what was expected and what the stream has.
  ///     On a GPU, Load waits for the stream, and throws the errors that Save throws. If a copy to
  ///     the GPU fails, some tensors have the elements of the checkpoint. The steps and the scalars
  ///     are then as they were before, and Load may be called again
  template <typename TStream>
  void Load(TStream &in) {  // NOLINT: as LoadBinary
    detail::StreamRef<TStream> ref(&in);
    LoadFrom(&ref);
  }

 private:
  template <typename Rule>
  friend class OptimizerGroup;

  RuleList *LastPhase();
  int NewGroup(const RuleInfo &rule, std::function<void(const char *, double)> set,
               std::initializer_list<NamedScalar> scalars);
  void SetGroup(int group, const char *scalar, double value);
  void ScheduleGroup(int group, const char *scalar,
                     const std::function<double(int64_t step)> &schedule);
  int64_t StepOf(int group) const;
  int64_t AddEntry(int group, const detail::ListedTensor *given, int dim, const int *flags,
                   const detail::AddToPhase &add);
  detail::ListedTensor FindState(int64_t entry, const char *name, int dim, int type,
                                 int device) const;
  void Replace(int64_t entry, const char *tensor, const detail::ListedTensor &with);
  void SaveTo(utils::IStream *out) const;
  void LoadFrom(utils::IStream *in);

  detail::OptimizerState *state_;
};

/// Tensors that Rule updates with the same scalars. A handle: its copies stand for the same group.
template <typename Rule>
class OptimizerGroup {
 public:
  /// Adds an entry: tensors that the rule updates together.
  /// \param tensors all tensors of the rule except those that the optimizer allocates
  ///     (MSHADOW_STATE, MSHADOW_STEP), in the order of the rule's parameters. Their element types
  ///     choose the first instance of the rule that has them
  /// \returns the index of the entry in the optimizer
  /// \throws Error as the call does, or if the shape of a state does not follow from the tensors,
  ///     or if they have another device or stream than those of the optimizer; an Error of CUDA. No
  ///     entry is added
  template <typename Device, int... dims, typename... DTypes>
  int64_t Add(const Tensor<Device, dims, DTypes> &...tensors) {
    constexpr int kRank = detail::RankOf<Rule, detail::IsGiven>({dims...});
    static_assert(detail::HasRanks<Rule, detail::IsGiven>(kRank, {dims...}),
                  "expected one tensor for each tensor parameter that the optimizer does not "
                  "allocate, in the rule's order, with its rank");
    const detail::ListedTensor given[] = {detail::ListedTensorOf(tensors)..., {}};
    return AddInstance<Device, kRank, DTypes...>(typename Rule::Instances(), given);
  }

  /// Sets a scalar of the group, from the next Step on, and ends its schedule.
  /// \throws Error if the rule has no such scalar, or it counts steps
  void Set(const char *scalar, double value) { optimizer_->SetGroup(index_, scalar, value); }
  /// From the next Step on the scalar is \p schedule(step), where step counts the updates of the
  /// optimizer from 1.
  /// \throws Error as Set does
  void Schedule(const char *scalar, const std::function<double(int64_t step)> &schedule) {
    optimizer_->ScheduleGroup(index_, scalar, schedule);
  }
  /// The number of updates since the group was made. It is the rule's step, unless the rule itself
  /// counts in a tensor.
  int64_t step() const { return optimizer_->StepOf(index_); }

 private:
  friend class Optimizer;
  OptimizerGroup(Optimizer *optimizer, int index, const RuleGroup<Rule> &calls)
      : optimizer_(optimizer), index_(index), calls_(calls) {}

  template <typename Device, int dim, typename... DTypes, typename... Instances>
  int64_t AddInstance(TypeList<Instances...>, const detail::ListedTensor *given) {
    constexpr bool kHasOne =
        (detail::HasTypes<Rule, detail::IsGiven>(Instances(), {DataType<DTypes>::kFlag...}) || ...);
    static_assert(kHasOne,
                  "expected one tensor for each tensor parameter that the optimizer does not "
                  "allocate, in the rule's order, with the element types of one instance");
    int64_t entry = -1;
    constexpr auto kTensors = std::make_index_sequence<detail::CountTensors<Rule>()>();
    (void)(AddTo<Device, dim, DTypes...>(Instances(), kTensors, given, &entry) || ...);
    return entry;
  }

  /// Adds an entry if the given tensors have the types of instance `T...`. \returns whether it did
  template <typename Device, int dim, typename... DTypes, typename... T, size_t... i>
  bool AddTo(Types<T...>, std::index_sequence<i...>, const detail::ListedTensor *given,
             int64_t *entry) {
    if constexpr (detail::HasTypes<Rule, detail::IsGiven>(Types<T...>(),
                                                          {DataType<DTypes>::kFlag...})) {
      const auto add = [this](const detail::ListedTensor *all) {
        return calls_.Add(
            detail::TypedTensor<Device, Rule, i, dim, detail::FlagsOf<T...>::kFlags>(all[i])...);
      };
      *entry = optimizer_->AddEntry(index_, given, dim, detail::FlagsOf<T...>::kFlags, add);
      return true;
    } else {
      return false;
    }
  }

  Optimizer *optimizer_;
  int index_;
  RuleGroup<Rule> calls_;
};

template <typename Rule>
OptimizerGroup<Rule> Optimizer::Group(std::initializer_list<NamedScalar> scalars) {
  RuleGroup<Rule> calls = LastPhase()->Group<Rule>();
  const auto set = [calls](const char *scalar, double value) mutable { calls.Set(scalar, value); };
  return OptimizerGroup<Rule>(this, NewGroup(Rule::kInfo, set, scalars), calls);
}

}  // namespace mshadow

#endif  // MSHADOW_OPTIM_H_
