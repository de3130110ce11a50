// SPDX-License-Identifier: Apache-2.0
/// \file rule_table_impl.h
/// The tables of a target's rules on the CPU.
#ifndef MSHADOW_TESTS_EXECUTION_RULE_TABLE_IMPL_H_
#define MSHADOW_TESTS_EXECUTION_RULE_TABLE_IMPL_H_

#include <mshadow/tensor.h>

#include <type_traits>
#include <utility>

#include "instance_table.h"

/// The ranks at which rules are compiled: fewer compile faster.
#ifndef MSHADOW_TEST_DIMS
#define MSHADOW_TEST_DIMS 1, 2, 3, 4
#endif

/// The ranks of all instances but a rule's first, which has MSHADOW_TEST_DIMS: what depends on the
/// rank depends on no type.
#ifndef MSHADOW_TEST_LATER_DIMS
#define MSHADOW_TEST_LATER_DIMS MSHADOW_TEST_DIMS
#endif

/// Whether instances of other types than float are in the table, too.
#ifndef MSHADOW_TEST_FLOAT_ONLY
#define MSHADOW_TEST_FLOAT_ONLY false
#endif

namespace mshadow_test {
namespace {

struct CpuCalls {
  template <typename Rule, typename... T>
  static bool Fill(RuleEntry *entry) {
    constexpr bool kIsWanted = !MSHADOW_TEST_FLOAT_ONLY || (std::is_same_v<T, float> && ...);
    if constexpr (kIsWanted && kIsFirst<Rule, T...>) {
      AtRanks<Rule, T...>(entry, std::integer_sequence<int, MSHADOW_TEST_DIMS>());
    } else if constexpr (kIsWanted) {
      AtRanks<Rule, T...>(entry, std::integer_sequence<int, MSHADOW_TEST_LATER_DIMS>());
    }
    return kIsWanted;
  }

  template <typename Rule, typename... T, int... dims>
  static void AtRanks(RuleEntry *entry, std::integer_sequence<int, dims...>) {
    ((entry->call[dims] = Rule::template Call<mshadow::cpu, dims, T...>), ...);
#ifndef MSHADOW_UNFUSED
    ((entry->list[dims] = Rule::template Call<mshadow::cpu_list, dims, T...>), ...);
#endif
  }
};

/// The rules of `Rules`, a TypeList of rule tags, in order.
template <typename Rules>
RuleTable MakeRuleTable() {
  return MakeTable<Rules, CpuCalls>();
}

}  // namespace
}  // namespace mshadow_test

#endif  // MSHADOW_TESTS_EXECUTION_RULE_TABLE_IMPL_H_
