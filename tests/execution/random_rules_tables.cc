// SPDX-License-Identifier: Apache-2.0
// A batch of random rules by name: compiled as it is for the fused table and that of the fake GPU,
// and with MSHADOW_UNFUSED for the unfused one. MSHADOW_TEST_HEADER is the batch's umbrella header,
// MSHADOW_TEST_RULES its list of rules, MSHADOW_TEST_DIM the rank at which rules for any are
// called.
#include MSHADOW_TEST_HEADER

#include "random_rules_tables.h"

#ifndef MSHADOW_UNFUSED
#include "gpu_call.h"
#endif

namespace mshadow_test {
namespace {

/// The rank at which a rule is called: 2 where its own ranks are fixed.
constexpr int DimOf(const mshadow::RuleInfo &info) {
  for (int i = 0; i < info.num_params; ++i) {
    if (info.params[i].rank == mshadow::kRankParam) return MSHADOW_TEST_DIM;
  }
  return 2;
}

template <typename Rule, bool on_gpu>
struct AddInstances {
  RuleTable *table;

  template <typename Instance>
  void operator()() const {
    Add(Instance());
  }

  template <typename... T>
  void Add(mshadow::Types<T...>) const {
    constexpr int kDim = DimOf(Rule::kInfo);
    RuleEntry entry;
    entry.info = &Rule::kInfo;
    entry.types = {mshadow::DataType<T>::kFlag...};
#ifndef MSHADOW_UNFUSED
    if constexpr (on_gpu) {
      entry.call[kDim] = CallOnGpu<Rule, kDim, T...>;
    } else {
      entry.call[kDim] = Rule::template Call<mshadow::cpu, kDim, T...>;
    }
#else
    entry.call[kDim] = Rule::template Call<mshadow::cpu, kDim, T...>;
#endif
    table->push_back(entry);
  }
};

template <bool on_gpu>
struct AddRules {
  RuleTable *table;

  template <typename Rule>
  void operator()() const {
    Rule::Instances::ForEach(AddInstances<Rule, on_gpu>{table});
  }
};

template <bool on_gpu>
RuleTable MakeTable() {
  RuleTable table;
  MSHADOW_TEST_RULES::ForEach(AddRules<on_gpu>{&table});
  return table;
}

}  // namespace

#ifdef MSHADOW_UNFUSED
RuleTable UnfusedRules() { return MakeTable<false>(); }
#else
RuleTable FusedRules() { return MakeTable<false>(); }
RuleTable GpuRules() { return MakeTable<true>(); }
#endif

}  // namespace mshadow_test
