// SPDX-License-Identifier: Apache-2.0
/// \file run_plan.h
/// Runs a Plan where the device of its call says: by loops on a CPU, by a kernel on a GPU. For
/// cpu_list, a list keeps the Plan.
#ifndef MSHADOW_RUN_PLAN_H_
#define MSHADOW_RUN_PLAN_H_

#include <cstddef>
#include <type_traits>
#include <utility>

#include "mshadow/base.h"
#include "mshadow/emitted/launch.h"
#include "mshadow/emitted/listed.h"

/// The function of a `.gen.cu` file that launches a kernel; nullptr where there is no CUDA.
#if MSHADOW_USE_CUDA
#define MSHADOW_IN_CUDA(...) (__VA_ARGS__)
#else
#define MSHADOW_IN_CUDA(...) nullptr
#endif

namespace mshadow {

MSHADOW_VERSION_BEGIN
namespace detail {
/// Whether kOnCpu returns the LoopWork of a Plan. Otherwise it runs the Plan.
template <auto kOnCpu, typename Plan>
inline constexpr bool kReturnsWork =
    std::is_same<decltype(kOnCpu(std::declval<const Plan &>())), LoopWork>::value;
}  // namespace detail
MSHADOW_VERSION_END

/// \name Runs a Plan, or hands it to a list
///
/// \tparam kOnCpu the rule's function for a CPU: it returns the LoopWork of a Plan, or runs it
///
/// \param rule the name for errors
/// \param stream of a GPU
/// \param launch MSHADOW_IN_CUDA(the function that launches the kernel)
/// \param traits what a list may do with the Plan
///
/// \throws Error that names \p rule if the device is a GPU and there is no CUDA
/// @{
template <auto kOnCpu, typename Plan, typename Launch>
MSHADOW_CINLINE void RunPlan(cpu, const char *, const Plan &plan, void *, Launch,
                             const PlanTraits & = PlanTraits()) {
  if constexpr (detail::kReturnsWork<kOnCpu, Plan>) {
    kOnCpu(plan).Run(&plan);
  } else {
    kOnCpu(plan);
  }
}
template <auto kOnCpu, typename Plan, typename Launch>
MSHADOW_CINLINE void RunPlan(gpu, const char *, const Plan &plan, void *stream, Launch launch,
                             const PlanTraits & = PlanTraits()) {
  launch(plan, stream);
}
template <auto kOnCpu, typename Plan>
MSHADOW_CINLINE void RunPlan(gpu, const char *rule, const Plan &, void *, std::nullptr_t,
                             const PlanTraits & = PlanTraits()) {
  NoCuda(rule);
}
template <auto kOnCpu, typename Plan, typename Launch>
MSHADOW_CINLINE void RunPlan(cpu_list, const char *, const Plan &plan, void *, Launch,
                             const PlanTraits &traits = PlanTraits()) {
  if constexpr (detail::kReturnsWork<kOnCpu, Plan>) {
    AddToList(KeptPlan(plan, kOnCpu(plan), traits));
  } else {
    const auto run = [](const void *kept) { kOnCpu(*static_cast<const Plan *>(kept)); };
    AddToList(KeptPlan(plan, run, traits));
  }
}
/// @}

}  // namespace mshadow

#endif  // MSHADOW_RUN_PLAN_H_
