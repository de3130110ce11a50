// SPDX-License-Identifier: Apache-2.0
/// \file listed.h
/// How a launcher adds a call to a list (list.h) instead of running the call. On a CPU the device
/// of such a call is cpu_list, and its checks are those of a call on the CPU. On a GPU the launcher
/// runs as for a single call, but the list keeps its launches (cuda/call.cuh).
#ifndef MSHADOW_LISTED_H_
#define MSHADOW_LISTED_H_

#include <cstddef>
#include <type_traits>

#include "mshadow/bfloat.h"
#include "mshadow/detail/data_type.h"
#include "mshadow/emitted/choose.h"
#include "mshadow/emitted/launch.h"
#include "mshadow/half.h"
#include "mshadow/parallel.h"
#include "mshadow/rule_info.h"

/// Instantiates a launcher on each device, for one type of arguments.
#define MSHADOW_LAUNCHER_INSTANCE(launch, ...)               \
  template void launch(::mshadow::cpu, const __VA_ARGS__ &); \
  template void launch(::mshadow::gpu, const __VA_ARGS__ &); \
  template void launch(::mshadow::cpu_list, const __VA_ARGS__ &)

namespace mshadow {

MSHADOW_VERSION_BEGIN
namespace detail {
template <typename Device>
inline constexpr bool kIsList = std::is_same<Device, cpu_list>::value;
}  // namespace detail
MSHADOW_VERSION_END

/// A loop and the work that it does: the arguments of ParallelFor except the Plan.
struct LoopWork {
  PlanLoop loop;
  index_t count;  ///< the elements, rows or channels that the loop goes over
  index_t bytes;  ///< bytes that the loop loads and stores for each of them
  index_t grain = 64;

  /// Runs the whole loop for \p plan.
  MSHADOW_CINLINE void Run(const void *plan) const { ParallelFor(count, bytes, loop, plan, grain); }
};

/// What a list may do with the Plans of a kernel, besides running each of them once.
class PlanTraits {
 public:
  /// Says that one call of the loop can run several Plans that follow each other in memory: after
  /// the last element of a Plan, the loop goes on with the next Plan. For all of them it uses the
  /// scalars of the first.
  MSHADOW_CINLINE PlanTraits &Chained() {
    chained_ = true;
    return *this;
  }
  /// Says that elements of tensors are checked when the Plan is made. So the list makes the Plan
  /// again before each run.
  MSHADOW_CINLINE PlanTraits &LooksAtData() {
    looks_at_data_ = true;
    return *this;
  }
  /// Says that no scalar depends on the tensors, so that all Plans of a group have the same
  /// scalars.
  /// \param scalars the member of the Plan
  template <typename Scalars>
  MSHADOW_CINLINE PlanTraits &Shares(const Scalars &scalars) {
    scalars_ = &scalars;
    scalars_bytes_ = sizeof(Scalars);
    return *this;
  }

  bool is_chained() const { return chained_; }
  bool looks_at_data() const { return looks_at_data_; }
  /// The offset of the shared scalars in \p plan.
  MSHADOW_CINLINE size_t ScalarsAt(const void *plan) const {
    if (scalars_ == nullptr) return 0;
    return static_cast<size_t>(static_cast<const char *>(scalars_) -
                               static_cast<const char *>(plan));
  }
  size_t scalars_bytes() const { return scalars_bytes_; }  ///< 0: there are no shared scalars

 private:
  const void *scalars_ = nullptr;
  size_t scalars_bytes_ = 0;
  bool chained_ = false;
  bool looks_at_data_ = false;
};

/// A Plan, or a call's arguments, with what a list has to know in order to run the call. A launch
/// makes a KeptPlan and passes it to AddToList. The functions that emitted code calls are always
/// inlined, so that its objects hold no weak symbols.
class KeptPlan {
 public:
  /// A Plan that a loop runs in pieces.
  template <typename Plan>
  MSHADOW_CINLINE KeptPlan(const Plan &plan, const LoopWork &work, const PlanTraits &traits)
      : plan_(&plan), bytes_(sizeof(Plan)), work_(work), traits_(traits) {
    static_assert(std::is_trivially_copyable<Plan>::value, "a list copies Plans");
  }
  /// A Plan, or arguments, that cannot be run in pieces: \p whole gets a copy and runs all of it.
  template <typename Plan>
  MSHADOW_CINLINE KeptPlan(const Plan &plan, void (*whole)(const void *kept),
                           const PlanTraits &traits = PlanTraits())
      : plan_(&plan), bytes_(sizeof(Plan)), work_{}, traits_(traits), run_(whole) {
    static_assert(std::is_trivially_copyable<Plan>::value, "a list copies Plans");
  }

  const void *plan() const { return plan_; }
  size_t bytes() const { return bytes_; }
  const LoopWork &work() const { return work_; }
  bool is_whole() const { return run_ != nullptr; }
  bool is_chained() const { return traits_.is_chained(); }
  bool looks_at_data() const { return traits_.looks_at_data(); }
  size_t scalars_at() const { return traits_.ScalarsAt(plan_); }
  size_t scalars_bytes() const { return traits_.scalars_bytes(); }
  void (*run() const)(const void *plan) { return run_; }
  /// Runs all of \p copy, a copy of plan().
  void RunWhole(const void *copy) const { run_(copy); }

 private:
  const void *plan_;
  size_t bytes_;
  LoopWork work_;
  PlanTraits traits_;
  void (*run_)(const void *plan) = nullptr;
};

/// If only scalars have changed, so that a list needs no new Plan, hands \p scalars to the list and
/// returns true. Otherwise, and in a single call, does nothing and returns false.
/// \param conditions the bools that choose a loop or a kernel: if one has changed, the list needs
///     new Plans
template <typename Scalars, typename... Conditions>
MSHADOW_CINLINE constexpr bool TakesScalars(cpu, const Scalars &, Conditions...) {
  return false;
}
MSHADOW_VERSION_BEGIN
namespace detail {
/// Whether the calling thread adds calls to a list.
bool IsAddingToList();
bool TakeScalars(const void *scalars, size_t bytes, unsigned conditions);
/// Conditions as the bits of a number.
template <typename... Conditions>
MSHADOW_CINLINE constexpr unsigned BitsOf(Conditions... conditions) {
  unsigned bits = 0;
  ((bits = bits * 2 + (conditions ? 1 : 0)), ...);
  return bits;
}
}  // namespace detail
MSHADOW_VERSION_END
template <typename Scalars, typename... Conditions>
MSHADOW_CINLINE bool TakesScalars(gpu, const Scalars &scalars, Conditions... conditions) {
  return detail::IsAddingToList() &&
         detail::TakeScalars(&scalars, sizeof scalars, detail::BitsOf(conditions...));
}
template <typename Scalars, typename... Conditions>
MSHADOW_CINLINE bool TakesScalars(cpu_list, const Scalars &scalars, Conditions... conditions) {
  return detail::TakeScalars(&scalars, sizeof scalars, detail::BitsOf(conditions...));
}

/// Hands \p plan to the list to which the calling thread adds calls.
void AddToList(const KeptPlan &plan);

namespace cuda {
struct ListedLaunch;  // cuda/launch.h
/// Whether the calling thread runs the launcher of a list's entry. The list then keeps launches.
bool IsListing() noexcept;
/// Hands \p launch to that list, which copies the Plan.
void AddToList(const ListedLaunch &launch);
/// Throws the Error of a file that was compiled with MSHADOW_CUDA_LISTS=0.
[[noreturn]] void ThrowNoLists(const char *rule);
}  // namespace cuda

MSHADOW_VERSION_BEGIN
namespace detail {

/// The type of a scalar parameter.
enum class ListedScalar : uint8_t {
  kNone,  ///< the parameter is a tensor
  kBool,
  kFloat,
  kDouble,
  kHalf,
  kBfloat,
  kSigned,   ///< an integer of ListedParam::size bytes
  kUnsigned  ///< likewise
};
template <typename T>
MSHADOW_CINLINE constexpr ListedScalar ListedScalarOf() {
  if (std::is_same<T, bool>::value) return ListedScalar::kBool;
  if (std::is_same<T, float>::value) return ListedScalar::kFloat;
  if (std::is_same<T, double>::value) return ListedScalar::kDouble;
  if (std::is_same<T, half::half_t>::value) return ListedScalar::kHalf;
  if (std::is_same<T, bfloat::bf16_t>::value) return ListedScalar::kBfloat;
  return std::is_signed<T>::value ? ListedScalar::kSigned : ListedScalar::kUnsigned;
}

/// Where a parameter of a rule lies in the memory of a call's arguments.
struct ListedParam {
  size_t at;     ///< the offset, in bytes
  uint8_t size;  ///< bytes of the scalar, or of an element of the tensor
  ListedScalar scalar;
  int type;  ///< tensors: DataType<T>::kFlag
};

class DeviceList;
/// Makes what keeps the launches of a list on a GPU.
/// \param stream a Stream<gpu> *, null for the current device's default stream
using NewDeviceList = DeviceList *(*)(void *stream);
DeviceList *NewListOnGpu(void *stream);
/// The same for a device; null on a CPU, and where there is no CUDA.
template <typename Device>
MSHADOW_CINLINE constexpr NewDeviceList NewListOn() {
#if MSHADOW_USE_CUDA
  if (std::is_same<Device, gpu>::value) return NewListOnGpu;
#endif
  return nullptr;
}

/// A call as a list keeps it.
struct ListedCall {
  const RuleInfo *rule;
  const ListedParam *params;  ///< in the order of the rule
  const void *args;
  size_t bytes;  ///< the size of *args
  /// Checks \p args, makes the Plan and passes it to AddToList. If there is nothing to compute,
  /// only checks \p args. Each instance of a rule has its own function.
  void (*plan)(const void *args);
  int device;  ///< cpu::kDevMask or gpu::kDevMask
  NewDeviceList new_list;
};

/// Keeps copies of \p call and of what it points to in the list to which the calling thread adds
/// calls.
/// \throws Error if there is no such list
void KeepCall(const ListedCall &call);

template <typename Args, typename T>
MSHADOW_CINLINE ListedParam ParamOf(const Args &args, TensorArg<T> Args::*tensor) {
  const char *const at = reinterpret_cast<const char *>(&(args.*tensor));
  return {static_cast<size_t>(at - reinterpret_cast<const char *>(&args)), sizeof(T),
          ListedScalar::kNone, DataType<T>::kFlag};
}
template <typename Args, typename T>
MSHADOW_CINLINE ListedParam ParamOf(const Args &args, T Args::*scalar) {
  const char *const at = reinterpret_cast<const char *>(&(args.*scalar));
  return {static_cast<size_t>(at - reinterpret_cast<const char *>(&args)), sizeof(T),
          ListedScalarOf<T>(), 0};
}

/// Adds a call to the list that the calling thread adds to. For a list, Run checks the arguments
/// and hands a KeptPlan, or launches, to it.
template <typename Rule, auto Run, typename xpu, typename Args, typename... Params>
MSHADOW_CINLINE void KeepCallOf(xpu, const Args &args, Params Args::*...params) {
  static_assert(std::is_trivially_copyable<Args>::value, "a list copies arguments");
  const ListedParam rows[] = {ParamOf(args, params)...};
  const auto plan = [](const void *kept) { Run(xpu(), *static_cast<const Args *>(kept)); };
  KeepCall({&Rule::kInfo, rows, &args, sizeof(Args), plan, xpu::kDevMask, NewListOn<xpu>()});
}

}  // namespace detail
MSHADOW_VERSION_END

/// Launches a call of Rule on a device: calls Run, which checks the arguments and runs the kernels.
template <typename Rule, auto Run, typename xpu, typename Args, typename... Params>
MSHADOW_CINLINE void LaunchCall(xpu device, const Args &args, Params Args::*...params) {
  (static_cast<void>(params), ...);  // only a list needs them
  Run(device, args);
}
/// On a GPU, adds the call to the list that the calling thread adds to, if there is one.
/// \param params the members of Args, in the order of the rule's parameters
template <typename Rule, auto Run, typename Args, typename... Params>
MSHADOW_CINLINE void LaunchCall(gpu device, const Args &args, Params Args::*...params) {
  if (!detail::IsAddingToList()) return Run(device, args);
  detail::KeepCallOf<Rule, Run>(device, args, params...);
}
/// Adds the call to that list.
template <typename Rule, auto Run, typename Args, typename... Params>
MSHADOW_CINLINE void LaunchCall(cpu_list device, const Args &args, Params Args::*...params) {
  detail::KeepCallOf<Rule, Run>(device, args, params...);
}

}  // namespace mshadow

#endif  // MSHADOW_LISTED_H_
