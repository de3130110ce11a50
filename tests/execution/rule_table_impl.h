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

template <typename Instances>
struct First;
template <typename Instance, typename... Later>
struct First<mshadow::TypeList<Instance, Later...>> {
  using type = Instance;
};

template <typename Rule>
struct AddInstances {
  RuleTable *table;

  template <typename Instance>
  void operator()() const {
    if constexpr (std::is_same_v<Instance, typename First<typename Rule::Instances>::type>) {
      Add(Instance(), std::integer_sequence<int, MSHADOW_TEST_DIMS>());
    } else {
      Add(Instance(), std::integer_sequence<int, MSHADOW_TEST_LATER_DIMS>());
    }
  }

  template <typename... T>
  static constexpr bool kWanted = !MSHADOW_TEST_FLOAT_ONLY || (std::is_same_v<T, float> && ...);

  template <typename... T, typename Dims>
  void Add(mshadow::Types<T...>, Dims dims) const {
    if constexpr (kWanted<T...>) {
      RuleEntry entry;
      entry.info = &Rule::kInfo;
      entry.types = {mshadow::DataType<T>::kFlag...};
      AddCalls<T...>(&entry, dims);
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
