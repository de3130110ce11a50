// SPDX-License-Identifier: Apache-2.0
// A batch of random rules by name: compiled as it is for the fused table and that of the fake GPU,
// and with MSHADOW_UNFUSED for the unfused one. MSHADOW_TEST_HEADER is the batch's umbrella header,
// MSHADOW_TEST_RULES its list of rules, MSHADOW_TEST_DIM the rank at which rules for any are
// called.
#include MSHADOW_TEST_HEADER

#include "random_rules_tables.h"

#include "instance_table.h"

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

struct CpuCalls {
  template <typename Rule, typename... T>
  static bool Fill(RuleEntry *entry) {
    constexpr int kDim = DimOf(Rule::kInfo);
    entry->call[kDim] = Rule::template Call<mshadow::cpu, kDim, T...>;
    return true;
  }
};

#ifndef MSHADOW_UNFUSED
struct GpuCalls {
  template <typename Rule, typename... T>
  static bool Fill(RuleEntry *entry) {
    constexpr int kDim = DimOf(Rule::kInfo);
    entry->call[kDim] = CallOnGpu<Rule, kDim, T...>;
    return true;
  }
};
#endif

}  // namespace

#ifdef MSHADOW_UNFUSED
RuleTable UnfusedRules() { return MakeTable<MSHADOW_TEST_RULES, CpuCalls>(); }
#else
RuleTable FusedRules() { return MakeTable<MSHADOW_TEST_RULES, CpuCalls>(); }
RuleTable GpuRules() { return MakeTable<MSHADOW_TEST_RULES, GpuCalls>(); }
#endif

}  // namespace mshadow_test
