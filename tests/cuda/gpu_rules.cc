// SPDX-License-Identifier: Apache-2.0
// Compiled twice for each target under test: as it is, and with MSHADOW_UNFUSED (which a compiler
// of CUDA must do). MSHADOW_TEST_HEADER is the target's umbrella header, MSHADOW_TEST_RULES its
// list of rules.
#include MSHADOW_TEST_HEADER

#include <type_traits>
#include <utility>

#include "gpu_call.h"
#include "gpu_time.h"

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

/// How a rule is called: with tensors of the device, with copies of the host's, or those by a
/// graph.
enum class Way { kRaw, kCopied, kGraph };

template <typename Instances>
struct First;
template <typename Instance, typename... Later>
struct First<mshadow::TypeList<Instance, Later...>> {
  using type = Instance;
};

#ifdef MSHADOW_UNFUSED
constexpr bool kIsUnfused = true;
#else
constexpr bool kIsUnfused = false;
#endif

/// Whether an instance is called, or only named.
template <typename Rule, Way way, typename Instance>
constexpr bool IsCalled() {
  if (!MSHADOW_TEST_GPU_FIRST) return true;
  if (std::is_same_v<Instance, typename First<typename Rule::Instances>::type>) return true;
  return kIsUnfused ? Rule::kInfo.products > 0 : way != Way::kGraph;
}

/// Adds the instances of a rule.
template <typename Rule, Way way>
struct AddInstances {
  RuleTable *table;

  template <typename Instance>
  void operator()() const {
    Add(Instance());
  }

  template <typename... T>
  void Add(mshadow::Types<T...>) const {
    RuleEntry entry;
    entry.info = &Rule::kInfo;
    entry.types = {mshadow::DataType<T>::kFlag...};
    if constexpr (!IsCalled<Rule, way, mshadow::Types<T...>>()) {
      // Its calls stay null.
    } else if constexpr (way == Way::kRaw) {
      entry.call[2] = Rule::template Call<mshadow::gpu, 2, T...>;
    } else if constexpr (way == Way::kGraph) {
      entry.call[2] = CallByGraph<Rule, 2, T...>;
    } else {
      AddCalls<T...>(&entry, std::integer_sequence<int, MSHADOW_TEST_GPU_DIMS>());
    }
    table->push_back(entry);
  }

  template <typename... T, int... dims>
  static void AddCalls(RuleEntry *entry, std::integer_sequence<int, dims...>) {
    ((entry->call[dims] = CallOnGpu<Rule, dims, T...>), ...);
  }
};

template <Way way>
struct AddRules {
  RuleTable *table;

  template <typename Rule>
  void operator()() const {
    Rule::Instances::ForEach(AddInstances<Rule, way>{table});
  }
};

template <Way way>
RuleTable MakeTable() {
  RuleTable table;
  MSHADOW_TEST_RULES::ForEach(AddRules<way>{&table});
  return table;
}

}  // namespace

#ifdef MSHADOW_UNFUSED
RuleTable GpuUnfusedRules() { return MakeTable<Way::kCopied>(); }
#else
RuleTable GpuRawRules() { return MakeTable<Way::kRaw>(); }
RuleTable GpuFusedRules() { return MakeTable<Way::kCopied>(); }
RuleTable GpuGraphRules() { return MakeTable<Way::kGraph>(); }
#endif

}  // namespace mshadow_test
