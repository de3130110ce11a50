// SPDX-License-Identifier: Apache-2.0
// Compiled twice for each target under test: as it is, and with MSHADOW_UNFUSED (which a compiler
// of CUDA must do). MSHADOW_TEST_HEADER is the target's umbrella header, MSHADOW_TEST_RULES its
// list of rules.
#include MSHADOW_TEST_HEADER

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

/// How a rule is called: with tensors of the device, with copies of the host's, or those by a
/// graph.
enum class Way { kRaw, kCopied, kGraph };

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
    if constexpr (way == Way::kRaw) {
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
