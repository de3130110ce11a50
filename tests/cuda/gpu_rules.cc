// SPDX-License-Identifier: Apache-2.0
// Compiled twice for each target under test: as it is, and with MSHADOW_UNFUSED (which a compiler
// of CUDA must do). MSHADOW_TEST_HEADER is the target's umbrella header, MSHADOW_TEST_RULES its
// list of rules.
#include MSHADOW_TEST_HEADER

#include <utility>

#include "gpu_call.h"
#include "gpu_time.h"
#include "instance_table.h"

/// The ranks at which fused rules are called; unfused, all ranks are one to the kernels.
#if !defined(MSHADOW_TEST_GPU_DIMS) || defined(MSHADOW_UNFUSED)
#undef MSHADOW_TEST_GPU_DIMS
#ifdef MSHADOW_UNFUSED
#define MSHADOW_TEST_GPU_DIMS 2
#else
#define MSHADOW_TEST_GPU_DIMS 1, 2
#endif
#endif

namespace mshadow_test {
namespace {

/// Whether only a rule's first instance is called unfused and by graphs: the CPU's tables have each
/// type. Rules with products are called in full, since the GPU's two ways are all that is compared.
#ifndef MSHADOW_TEST_GPU_FIRST
#define MSHADOW_TEST_GPU_FIRST false
#endif

/// How a rule is called: with tensors of the device, with copies of the host's, or those by a graph
/// or a list.
enum class Way { kRaw, kCopied, kGraph, kList };

#ifdef MSHADOW_UNFUSED
constexpr bool kIsUnfused = true;
#else
constexpr bool kIsUnfused = false;
#endif

/// Whether an instance is called, or only named.
template <typename Rule, Way way, typename... T>
constexpr bool IsCalled() {
  if (!MSHADOW_TEST_GPU_FIRST || kIsFirst<Rule, T...>) return true;
  return kIsUnfused ? Rule::kInfo.products > 0 : way == Way::kRaw || way == Way::kCopied;
}

/// An instance that is not called has null for its calls.
template <Way way>
struct GpuCalls {
  template <typename Rule, typename... T>
  static bool Fill(RuleEntry *entry) {
    if constexpr (!IsCalled<Rule, way, T...>()) {
      return true;
    } else if constexpr (way == Way::kRaw) {
      entry->call[2] = Rule::template Call<mshadow::gpu, 2, T...>;
    } else if constexpr (way == Way::kGraph) {
      entry->call[2] = CallByGraph<Rule, 2, T...>;
    } else if constexpr (way == Way::kList) {
      entry->call[2] = CallByList<Rule, 2, T...>;
    } else {
      AtRanks<Rule, T...>(entry, std::integer_sequence<int, MSHADOW_TEST_GPU_DIMS>());
    }
    return true;
  }

  template <typename Rule, typename... T, int... dims>
  static void AtRanks(RuleEntry *entry, std::integer_sequence<int, dims...>) {
    ((entry->call[dims] = CallOnGpu<Rule, dims, T...>), ...);
  }
};

template <Way way>
RuleTable MakeTable() {
  return MakeTable<MSHADOW_TEST_RULES, GpuCalls<way>>();
}

}  // namespace

#ifdef MSHADOW_UNFUSED
RuleTable GpuUnfusedRules() { return MakeTable<Way::kCopied>(); }
#else
RuleTable GpuRawRules() { return MakeTable<Way::kRaw>(); }
RuleTable GpuFusedRules() { return MakeTable<Way::kCopied>(); }
RuleTable GpuGraphRules() { return MakeTable<Way::kGraph>(); }
#ifdef MSHADOW_TEST_GPU_LISTS
RuleTable GpuListRules() { return MakeTable<Way::kList>(); }
#endif
#endif

}  // namespace mshadow_test
