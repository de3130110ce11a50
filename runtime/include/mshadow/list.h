// SPDX-License-Identifier: Apache-2.0
/// \file list.h
/// RuleList: holds the calls of rules that a training step makes, and runs all of them by one call.
///
///     mshadow::RuleList list;
///     auto adam = list.Group<optim::AdamWRule>({{"lr", 1e-3}, {"decay", 0.01}});
///     for (Layer &l : model) adam.Add(l.weight, l.mean, l.variance, l.grad);
///     for (int step = 1; step <= steps; ++step) {
///       …                      // writes the gradients
///       adam.Set("step", step);
///       list.Run();            // updates all weights
///     }
///
/// The results are those of single calls, bit for bit. docs/decisions/lists.md says why it is fast.
#ifndef MSHADOW_LIST_H_
#define MSHADOW_LIST_H_

#include <initializer_list>
#include <tuple>
#include <utility>

#include "mshadow/detail/stream.h"
#include "mshadow/detail/tensor_view.h"
#include "mshadow/emitted/listed.h"
#include "mshadow/emitted/types.h"

namespace mshadow {

/// A scalar argument by the name of its parameter.
struct NamedScalar {
  const char *name;
  double value;
};

template <typename Rule>
class RuleGroup;

MSHADOW_VERSION_BEGIN
namespace detail {

class ListState;
class OptimizerState;

/// A tensor argument of a call. Its element type is known at run time.
struct ListedTensor {
  TensorArg<void> arg;
  int type;    ///< DataType<T>::kFlag
  int device;  ///< cpu::kDevMask or gpu::kDevMask
};
template <typename Device, int dim, typename DType>
ListedTensor ListedTensorOf(const Tensor<Device, dim, DType> &tensor) {
  const TensorArg<DType> arg = Arg(tensor);
  ListedTensor listed = {{}, DataType<DType>::kFlag, Device::kDevMask};
  static_cast<TensorLayout &>(listed.arg) = arg;
  listed.arg.dptr = arg.dptr;
  return listed;
}

template <typename Device, int dim, typename DType>
Tensor<Device, dim, DType> TensorOf(const TensorArg<void> &arg) {
  Tensor<Device, dim, DType> tensor;
  tensor.dptr_ = static_cast<DType *>(arg.dptr);
  for (int d = 0; d < dim; ++d) tensor.shape_[d] = static_cast<index_t>(arg.shape[d]);
  tensor.stride_ = static_cast<index_t>(arg.stride);
  tensor.stream_ = static_cast<Stream<Device> *>(arg.stream);
  return tensor;
}

constexpr bool IsTensor(const ParamInfo &param) { return param.is_tensor; }

/// Whether the elements of a rule's tensors have the types of instance `T...`. The tensors are
/// those of the parameters for which \p counts returns true, in order.
template <typename Rule, bool (*counts)(const ParamInfo &) = IsTensor, typename... T>
constexpr bool HasTypes(Types<T...>, std::initializer_list<int> elements) {
  const int flags[] = {DataType<T>::kFlag..., 0};
  const int *element = elements.begin();
  for (int i = 0; i < Rule::kInfo.num_params; ++i) {
    const ParamInfo &param = Rule::kParams[i];
    if (!counts(param)) continue;
    if (element == elements.end()) return false;
    if (*element++ != param.TypeIn(flags)) return false;
  }
  return element == elements.end();
}

/// The rank `dim` of the call: that of the first tensor whose parameter accepts any rank, else 1.
template <typename Rule, bool (*counts)(const ParamInfo &) = IsTensor>
constexpr int RankOf(std::initializer_list<int> ranks) {
  const int *rank = ranks.begin();
  for (int i = 0; i < Rule::kInfo.num_params && rank != ranks.end(); ++i) {
    if (!counts(Rule::kParams[i])) continue;
    if (Rule::kParams[i].rank == kRankParam) return *rank;
    ++rank;
  }
  return 1;
}

/// Whether a rule's tensors have the ranks that its parameters ask for, where `dim` is \p dim.
template <typename Rule, bool (*counts)(const ParamInfo &) = IsTensor>
constexpr bool HasRanks(int dim, std::initializer_list<int> ranks) {
  const int *rank = ranks.begin();
  for (int i = 0; i < Rule::kInfo.num_params; ++i) {
    if (!counts(Rule::kParams[i])) continue;
    if (rank == ranks.end() || *rank++ != Rule::kParams[i].RankIn(dim)) return false;
  }
  return rank == ranks.end();
}

/// The parameters of UnfusedCall::Args.
template <typename Rule, size_t tensors>
struct UnfusedParams {
  ListedParam params[Rule::kInfo.num_params];
  int scalars = 0;

  UnfusedParams(std::initializer_list<size_t> sizes, std::initializer_list<int> types) {
    const size_t *size = sizes.begin();
    const int *type = types.begin();
    size_t next = 0;
    for (int i = 0; i < Rule::kInfo.num_params; ++i) {
      if (Rule::kParams[i].is_tensor) {
        params[i] = {next++ * sizeof(TensorArg<void>), static_cast<uint8_t>(*size++),
                     ListedScalar::kNone, *type++};
      } else {
        const size_t scalar_index = static_cast<size_t>(scalars++);
        params[i] = {tensors * sizeof(TensorArg<void>) + sizeof(double) * scalar_index,
                     sizeof(double), ListedScalar::kDouble, 0};
      }
    }
  }
};

/// Calls of an unfused rule, for tensors of the types `Tensor<Device, dims, DTypes>`.
template <typename Rule, typename Device, int dim, typename Instance, typename... Tensors>
struct UnfusedCall;
template <typename Rule, typename Device, int dim, typename... T, int... dims, typename... DTypes>
struct UnfusedCall<Rule, Device, dim, Types<T...>, Tensor<Device, dims, DTypes>...> {
  struct Args {
    TensorArg<void> tensors[sizeof...(dims)];
    double scalars[Rule::kInfo.num_params];  ///< one for each scalar parameter; the rest is unused
  };

  static void Keep(const double *scalars, const Tensor<Device, dims, DTypes> &...tensors) {
    Args args = {{ListedTensorOf(tensors).arg...}, {}};
    static const UnfusedParams<Rule, sizeof...(dims)> params({sizeof(DTypes)...},
                                                             {DataType<DTypes>::kFlag...});
    for (int i = 0; i < params.scalars; ++i) args.scalars[i] = scalars[i];
    KeepCall({&Rule::kInfo, params.params, &args, sizeof args, Plan, Device::kDevMask,
              NewListOn<Device>()});
  }
  static void Plan(const void *args) { AddToList(KeptPlan(*static_cast<const Args *>(args), Run)); }
  static void Run(const void *args) {
    Call(*static_cast<const Args *>(args), std::index_sequence_for<DTypes...>());
  }
  template <size_t... i>
  static void Call(const Args &args, std::index_sequence<i...>) {
    std::tuple<Tensor<Device, dims, DTypes>...> tensors(
        TensorOf<Device, dims, DTypes>(args.tensors[i])...);
    void *pointers[] = {&std::get<i>(tensors)...};
    Rule::template Call<Device, dim, T...>(pointers, args.scalars);
  }
};

#ifdef MSHADOW_UNFUSED
inline constexpr bool kListsUnfused = true;
#else
inline constexpr bool kListsUnfused = false;
#endif

}  // namespace detail
MSHADOW_VERSION_END

/// Calls of rules, with tensors of any shapes and element types. Run runs all of them. The results
/// are those of making the calls one after the other, in any order. A list holds views: a tensor's
/// memory must outlive the list, unless Replace replaces the tensor. One thread at a time may use a
/// list.
///
/// A list whose first entry has tensors of a GPU runs on that GPU, on the stream of the tensors.
/// The other entries must have that stream, too, or no stream if the first entry has none.
/// docs/cuda.md says how many kernels a run launches, and what may change after a CUDA graph has
/// captured one.
///
/// With MSHADOW_UNFUSED an entry is checked only when it runs. If that fails on the CPU, Run throws
/// after all other entries have run; on a GPU it throws at once. Only overlaps between entries are
/// found before.
class RuleList {
 public:
  RuleList();
  ~RuleList();
  RuleList(const RuleList &) = delete;
  RuleList &operator=(const RuleList &) = delete;

  /// Makes an empty group of calls of Rule, which share their scalars. A scalar that \p scalars
  /// does not name has the rule's default argument, or 0 if there is none.
  /// \throws Error if the rule has no scalar of such a name
  template <typename Rule>
  RuleGroup<Rule> Group(std::initializer_list<NamedScalar> scalars = {});

  /// The number of entries. An entry is one call; its index counts the calls added before it.
  int64_t size() const;

  /// Sets a scalar of all entries whose rules have a scalar of this name, from the next Run on.
  /// \throws Error if no rule of the list has such a scalar
  void Set(const char *scalar, double value);
  /// Sets a scalar of one entry, from the next Run on. From now on, setting this scalar for the
  /// entry's group or for the whole list leaves this entry as it is.
  /// \throws Error if there is no such entry, or its rule has no such scalar
  void Set(int64_t entry, const char *scalar, double value);

  /// Replaces a tensor of an entry, for example if a framework allocates gradients in each step.
  /// \param tensor the name of the parameter
  /// \param with has the element type, the rank and the device of the tensor that it replaces, and
  ///     on a GPU the stream of the list
  /// \throws Error if there is no such entry or tensor, if one of these differs, or as a call with
  ///     this tensor does. The entry then stays as it was
  template <typename Device, int dim, typename DType>
  void Replace(int64_t entry, const char *tensor, const Tensor<Device, dim, DType> &with) {
    Replace(entry, tensor, detail::ListedTensorOf(with));
  }

  /// The same for a tensor whose element type and rank are known only at run time.
  void Replace(int64_t entry, const char *tensor, const detail::ListedTensor &with);

  /// Checks that no entry reads or writes memory that another entry writes, and that each rule
  /// accepts its scalars and its data, such as indices. Run makes the same checks first: those of
  /// data each time, the others after a change of the list. A rule of several stages checks its
  /// data when its entry is added, and again when it runs. On a GPU, Check and Run also queue a
  /// copy that brings what has changed to the GPU.
  /// \throws Error that names the two entries and their arguments, or the entry and what its rule
  ///     refuses; an Error of CUDA
  void Check();

  /// Runs all calls, in as many threads as are worthwhile (parallel.h); on a GPU, queues them on
  /// the stream. Like a single call, Run allocates nothing from the second time on, unless the list
  /// changes.
  /// \throws Error before anything is written if two entries overlap, or if a rule refuses a scalar
  ///     or the data of an entry. On a GPU also if the list has no stream and another device is
  ///     current, or if a CUDA graph captures a run that must first copy what has changed; and an
  ///     Error of CUDA, which names the rule if a launch fails. A rule of several stages checks its
  ///     data again when it runs; if that fails, Run throws after all other entries have run
  void Run();

 private:
  template <typename Rule>
  friend class RuleGroup;
  friend class ListRecording;
  friend class detail::OptimizerState;

  /// Whether the last Run has run or launched something.
  bool has_begun() const;
  int NewGroup(const RuleInfo &rule, std::initializer_list<NamedScalar> scalars);
  void SetGroup(int group, const char *scalar, double value);
  /// Calls \p add(scalars), which adds one call of the group; returns its entry.
  template <typename Function>
  int64_t Add(int group, const Function &add);
  const double *BeginAdd(int group);
  void EndAdd();

  detail::ListState *state_;
};

/// While a ListRecording lives, some calls of rules in its thread do not run but are added to its
/// list: calls with blobs, calls from C and Python, and calls with tensors of the device cpu_list
/// or gpu. Entries with the same rule and the same scalars are a group.
class ListRecording {
 public:
  explicit ListRecording(RuleList *list);
  ~ListRecording();
  ListRecording(const ListRecording &) = delete;
  ListRecording &operator=(const ListRecording &) = delete;

 private:
  detail::ListState *const outer_;
};

/// Calls of one rule in a list, with the same scalars. A RuleGroup is a handle: its copies stand
/// for the same group.
template <typename Rule>
class RuleGroup {
 public:
  /// Checks and adds a call with these tensors, in the order of the rule's parameters.
  /// \returns the index of the entry in the list
  /// \throws Error as the call does. The Error names the entry, which is not added
  template <typename Device, int... dims, typename... DTypes>
  int64_t Add(const Tensor<Device, dims, DTypes> &...tensors) {
    constexpr int kRank = detail::RankOf<Rule>({dims...});
    static_assert(detail::HasRanks<Rule>(kRank, {dims...}),
                  "expected one tensor for each tensor parameter of the rule, in the rule's order, "
                  "with its rank");
    return AddInstance<kRank>(typename Rule::Instances(), tensors...);
  }

  /// Sets a scalar of all calls of the group, from the next Run on.
  /// \throws Error if the rule has no such scalar
  void Set(const char *scalar, double value) { list_->SetGroup(group_, scalar, value); }

 private:
  friend class RuleList;
  RuleGroup(RuleList *list, int group) : list_(list), group_(group) {}

  template <int dim, typename... Instances, typename Device, int... dims, typename... DTypes>
  int64_t AddInstance(TypeList<Instances...>, const Tensor<Device, dims, DTypes> &...tensors) {
    constexpr bool kHas[] = {detail::HasTypes<Rule>(Instances(), {DataType<DTypes>::kFlag...})...};
    constexpr bool kHasOne =
        (detail::HasTypes<Rule>(Instances(), {DataType<DTypes>::kFlag...}) || ...);
    static_assert(kHasOne,
                  "expected one tensor for each tensor parameter of the rule, in the rule's order, "
                  "with the element types of one instance");
    int64_t entry = -1;
    int i = 0;
    (void)((kHas[i++] && (entry = AddTo<dim>(Instances(), tensors...), true)) || ...);
    return entry;
  }

  template <int dim, typename... T, typename Device, int... dims, typename... DTypes>
  int64_t AddTo(Types<T...>, const Tensor<Device, dims, DTypes> &...tensors) {
    if constexpr (!detail::HasTypes<Rule>(Types<T...>(), {DataType<DTypes>::kFlag...})) {
      return -1;
    } else if constexpr (detail::kListsUnfused) {
      using Unfused =
          detail::UnfusedCall<Rule, Device, dim, Types<T...>, Tensor<Device, dims, DTypes>...>;
      return list_->Add(group_, [&](const double *scalars) { Unfused::Keep(scalars, tensors...); });
    } else {
      using OfList = std::conditional_t<std::is_same<Device, cpu>::value, cpu_list, gpu>;
      return list_->Add(group_, [&](const double *scalars) {
        Call<OfList, dim, T...>(
            scalars,
            Tensor<OfList, dims, DTypes>(tensors.dptr_, tensors.shape_, tensors.stride_,
                                         reinterpret_cast<Stream<OfList> *>(tensors.stream_))...);
      });
    }
  }

  template <typename OfList, int dim, typename... T, typename... Tensors>
  static void Call(const double *scalars, Tensors... tensors) {
    void *pointers[] = {&tensors...};
    Rule::template Call<OfList, dim, T...>(pointers, scalars);
  }

  RuleList *list_;
  int group_;
};

template <typename Rule>
RuleGroup<Rule> RuleList::Group(std::initializer_list<NamedScalar> scalars) {
  return RuleGroup<Rule>(this, NewGroup(Rule::kInfo, scalars));
}

template <typename Function>
int64_t RuleList::Add(int group, const Function &add) {
  const double *const scalars = BeginAdd(group);
  try {
    add(scalars);
  } catch (...) {
    EndAdd();
    throw;
  }
  EndAdd();
  return size() - 1;
}

}  // namespace mshadow

#endif  // MSHADOW_LIST_H_
