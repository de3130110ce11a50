// SPDX-License-Identifier: Apache-2.0
/// \file listed.h
/// How a launcher hands a call to the list (list.h) that the calling thread adds it to. For such a
/// call the device is cpu_list. Its checks are those of a call on the CPU.
#ifndef MSHADOW_LISTED_H_
#define MSHADOW_LISTED_H_

#include <cstddef>
#include <type_traits>

#include "mshadow/detail/data_type.h"
#include "mshadow/emitted/launch.h"
#include "mshadow/parallel.h"
#include "mshadow/rule_info.h"

namespace mshadow {

namespace detail {
template <typename Device>
inline constexpr bool kIsList = std::is_same<Device, cpu_list>::value;
}  // namespace detail

/// A loop and the work that it does: ParallelFor's arguments but the Plan.
struct LoopWork {
  void (*loop)(const void *plan, index_t begin, index_t end);
  index_t count;  ///< of elements, rows or channels, which the loop counts
  index_t bytes;  ///< that the loop loads and stores for each
  index_t grain = 64;

  /// Runs all of it for \p plan.
  MSHADOW_CINLINE void Run(const void *plan) const { ParallelFor(count, bytes, loop, plan, grain); }
};

/// A Plan, or a call's arguments, with what a list has to know in order to run it. Emitted code
/// makes one and passes it to AddToList.
class KeptPlan {
 public:
  /// A Plan that a loop runs in pieces.
  template <typename Plan>
  KeptPlan(const Plan &plan, const LoopWork &work) : KeptPlan(&plan, sizeof(Plan), &kKind<Plan>) {
    static_assert(std::is_trivially_copyable<Plan>::value, "a list copies Plans");
    work_ = work;
  }
  /// A Plan that \p run runs as a whole.
  template <typename Plan>
  KeptPlan(const Plan &plan, void (*run)(cpu, const Plan &, void *stream))
      : KeptPlan(&plan, sizeof(Plan), &kKind<Plan>) {
    static_assert(std::is_trivially_copyable<Plan>::value, "a list copies Plans");
    function_ = reinterpret_cast<void (*)()>(run);
    run_ = [](void (*function)(), const void *kept) {
      reinterpret_cast<void (*)(cpu, const Plan &, void *)>(function)(
          cpu(), *static_cast<const Plan *>(kept), nullptr);
    };
  }
  /// The arguments of a call that \p run checks and runs.
  template <typename Args>
  KeptPlan(const Args &args, void (*run)(cpu, const Args &))
      : KeptPlan(&args, sizeof(Args), &kKind<Args>) {
    static_assert(std::is_trivially_copyable<Args>::value, "a list copies arguments");
    function_ = reinterpret_cast<void (*)()>(run);
    run_ = [](void (*function)(), const void *kept) {
      reinterpret_cast<void (*)(cpu, const Args &)>(function)(cpu(),
                                                              *static_cast<const Args *>(kept));
    };
  }

  /// The loop goes on behind the last element of its Plan, with the Plan that follows in memory and
  /// the scalars of its own.
  KeptPlan &Chained() { return With(&KeptPlan::chained_); }
  /// The Plan reads data when it is made, to check it: the list makes it anew for each run.
  KeptPlan &LooksAtData() { return With(&KeptPlan::looks_at_data_); }
  /// No scalar depends on the tensors: all Plans of a group have the same. \p scalars is the Plan's
  /// member.
  template <typename Scalars>
  KeptPlan &Shares(const Scalars &scalars) {
    scalars_at_ = static_cast<size_t>(reinterpret_cast<const char *>(&scalars) -
                                      static_cast<const char *>(plan_));
    scalars_bytes_ = sizeof(Scalars);
    return *this;
  }

  const void *plan() const { return plan_; }
  size_t bytes() const { return bytes_; }
  const void *kind() const { return kind_; }  ///< of a Plan: the same for all of its type
  const LoopWork &work() const { return work_; }
  bool is_whole() const { return run_ != nullptr; }
  bool is_chained() const { return chained_; }
  bool looks_at_data() const { return looks_at_data_; }
  size_t scalars_at() const { return scalars_at_; }
  size_t scalars_bytes() const { return scalars_bytes_; }  ///< 0: there are none to share
  /// Runs a copy of a whole Plan.
  void RunWhole(const void *copy) const { run_(function_, copy); }

 private:
  template <typename Plan>
  static constexpr char kKind = 0;

  KeptPlan(const void *plan, size_t bytes, const void *kind)
      : plan_(plan), bytes_(bytes), kind_(kind) {}
  KeptPlan &With(bool KeptPlan::*fact) {
    this->*fact = true;
    return *this;
  }

  const void *plan_;
  size_t bytes_;
  const void *kind_;
  LoopWork work_ = {};
  void (*function_)() = nullptr;
  void (*run_)(void (*function)(), const void *plan) = nullptr;
  size_t scalars_at_ = 0;
  size_t scalars_bytes_ = 0;
  bool chained_ = false;
  bool looks_at_data_ = false;
};

/// Whether a list takes the scalars of a call and needs no Plan: only scalars have changed.
template <typename Scalars>
MSHADOW_CINLINE constexpr bool TakesScalars(cpu, const Scalars &) {
  return false;
}
template <typename Scalars>
MSHADOW_CINLINE constexpr bool TakesScalars(gpu, const Scalars &) {
  return false;
}
MSHADOW_VERSION_BEGIN
namespace detail {
bool TakeScalars(const void *scalars, size_t bytes);
}  // namespace detail
MSHADOW_VERSION_END
template <typename Scalars>
MSHADOW_CINLINE bool TakesScalars(cpu_list, const Scalars &scalars) {
  return detail::TakeScalars(&scalars, sizeof scalars);
}

/// Hands \p plan to the list that the calling thread adds a call to.
void AddToList(const KeptPlan &plan);

MSHADOW_VERSION_BEGIN
namespace detail {

/// A parameter of a rule, in the memory of a call's arguments.
struct ListedParam {
  size_t at;    ///< bytes before it
  size_t size;  ///< tensors: bytes of an element
  int type;     ///< tensors: DataType<T>::kFlag
  // Scalars; null for tensors:
  void (*set)(void *scalar, double value);
  double (*get)(const void *scalar);
};

/// A call as a list keeps it.
struct ListedCall {
  const RuleInfo *rule;
  const ListedParam *params;  ///< in the order of the rule
  const void *args;
  size_t bytes;
  /// Checks \p args. Then makes the Plan and passes it to AddToList, or neither if there is nothing
  /// to do.
  void (*plan)(void (*function)(), const void *args);
  void (*function)();  ///< the first argument of `plan`
};

/// Keeps a copy of \p call in the list that the calling thread adds to.
/// \throws Error if it adds to none
void KeepCall(const ListedCall &call);

/// Whether the calling thread adds calls to a list.
bool IsAddingToList();
/// Whether the calling thread adds to a list the calls whose device is known only at run time.
/// \throws Error that names \p rule if it does and \p device is no cpu::kDevMask
bool AddsToList(const RuleInfo &rule, int device);

template <typename Args, typename T>
ListedParam ParamOf(const Args &args, TensorArg<T> Args::*tensor) {
  const char *const at = reinterpret_cast<const char *>(&(args.*tensor));
  return {static_cast<size_t>(at - reinterpret_cast<const char *>(&args)), sizeof(T),
          DataType<T>::kFlag, nullptr, nullptr};
}
template <typename Args, typename T>
ListedParam ParamOf(const Args &args, T Args::*scalar) {
  const char *const at = reinterpret_cast<const char *>(&(args.*scalar));
  return {static_cast<size_t>(at - reinterpret_cast<const char *>(&args)), sizeof(T), 0,
          [](void *to, double value) { *static_cast<T *>(to) = static_cast<T>(value); },
          [](const void *from) { return static_cast<double>(*static_cast<const T *>(from)); }};
}

}  // namespace detail
MSHADOW_VERSION_END

/// Adds a call of Rule to the list that the calling thread adds to.
/// \param plan RunAdamW<cpu_list>, which checks the arguments and hands a KeptPlan to the list
/// \param params the members of Args, in the order of the rule's parameters
template <typename Rule, typename Device, typename Args, typename... Params>
void ListCall(void (*plan)(Device, const Args &), const Args &args, Params Args::*...params) {
  static const detail::ListedParam kParams[] = {detail::ParamOf(args, params)...};
  detail::KeepCall({&Rule::kInfo, kParams, &args, sizeof(Args),
                    [](void (*function)(), const void *kept) {
                      reinterpret_cast<void (*)(Device, const Args &)>(function)(
                          Device(), *static_cast<const Args *>(kept));
                    },
                    reinterpret_cast<void (*)()>(plan)});
}

}  // namespace mshadow

#endif  // MSHADOW_LISTED_H_
