// SPDX-License-Identifier: Apache-2.0
/// \file rule_table_impl.h
/// Makes a RuleTable from the type list at the end of a target's umbrella header.
#ifndef MSHADOW_TESTS_EXECUTION_RULE_TABLE_IMPL_H_
#define MSHADOW_TESTS_EXECUTION_RULE_TABLE_IMPL_H_

#include <mshadow/tensor.h>
#include <mshadow/types.h>

#include <type_traits>
#include <utility>

#include "rule_table.h"

/// The ranks at which rules are compiled: fewer compile faster.
#ifndef MSHADOW_TEST_DIMS
#define MSHADOW_TEST_DIMS 1, 2, 3, 4
#endif

/// Whether instances of other types than float are in the table, too.
#ifndef MSHADOW_TEST_FLOAT_ONLY
#define MSHADOW_TEST_FLOAT_ONLY false
#endif

namespace mshadow_test {
namespace {

template <typename Rule>
struct AddInstances {
  RuleTable *table;

  template <typename Instance>
  void operator()() const {
    Add(Instance());
  }

  template <typename... T>
  static constexpr bool kWanted = !MSHADOW_TEST_FLOAT_ONLY || (std::is_same_v<T, float> && ...);

  template <typename... T>
  void Add(mshadow::Types<T...>) const {
    if constexpr (kWanted<T...>) {
      RuleEntry entry;
      entry.info = &Rule::kInfo;
      entry.types = {mshadow::DataType<T>::kFlag...};
      AddCalls<T...>(&entry, std::integer_sequence<int, MSHADOW_TEST_DIMS>());
      table->push_back(entry);
    }
  }

  template <typename... T, int... dims>
  static void AddCalls(RuleEntry *entry, std::integer_sequence<int, dims...>) {
    ((entry->call[dims] = Rule::template Call<mshadow::cpu, dims, T...>), ...);
  }
};

struct AddRules {
  RuleTable *table;

  template <typename Rule>
  void operator()() const {
    Rule::Instances::ForEach(AddInstances<Rule>{table});
  }
};

/// The rules of `Rules`, a TypeList of rule tags, in order.
template <typename Rules>
RuleTable MakeRuleTable() {
  RuleTable table;
  Rules::ForEach(AddRules{&table});
  return table;
}

}  // namespace
}  // namespace mshadow_test

#endif  // MSHADOW_TESTS_EXECUTION_RULE_TABLE_IMPL_H_
