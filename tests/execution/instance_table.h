// SPDX-License-Identifier: Apache-2.0
/// \file instance_table.h
/// Makes a RuleTable from the type list at the end of a target's umbrella header.
#ifndef MSHADOW_TESTS_EXECUTION_INSTANCE_TABLE_H_
#define MSHADOW_TESTS_EXECUTION_INSTANCE_TABLE_H_

#include <mshadow/emitted/types.h>

#include <string_view>
#include <type_traits>

#include "rule_table.h"

namespace mshadow_test {
namespace {  // a program has it twice, fused and unfused

template <typename Instances>
struct First;
template <typename Instance, typename... Later>
struct First<mshadow::TypeList<Instance, Later...>> {
  using type = Instance;
};

/// Whether a rule's first instance is that of the types `T`.
template <typename Rule, typename... T>
constexpr bool kIsFirst =
    std::is_same_v<mshadow::Types<T...>, typename First<typename Rule::Instances>::type>;

/// Shipped rules whose tensors have other shapes than a table's callers give them:
/// own_shapes_test.cc and own_shapes_gpu_test.cc call these.
constexpr std::string_view kOwnShapes[] = {
    "Embedding",           "GroupNormGradGain", "LennardJonesForces",
    "PositionedEmbedding", "NormalizeImages",   "UpsampleBilinear2x",
};

constexpr bool HasOwnShapes(std::string_view rule) {
  for (std::string_view name : kOwnShapes) {
    if (name == rule) return true;
  }
  return false;
}

template <typename Rule, typename Calls>
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
    if (Calls::template Fill<Rule, T...>(&entry)) table->push_back(entry);
  }
};

template <typename Calls>
struct AddRules {
  RuleTable *table;

  template <typename Rule>
  void operator()() const {
    if constexpr (!HasOwnShapes(Rule::kInfo.name)) {
      Rule::Instances::ForEach(AddInstances<Rule, Calls>{table});
    }
  }
};

/// The instances of `Rules`, a TypeList of rule tags, in order, without those of kOwnShapes.
/// \tparam Calls `Fill<Rule, T...>(entry)` sets what calls an instance, and says whether it is in
/// the table
template <typename Rules, typename Calls>
RuleTable MakeTable() {
  RuleTable table;
  Rules::ForEach(AddRules<Calls>{&table});
  return table;
}

}  // namespace
}  // namespace mshadow_test

#endif  // MSHADOW_TESTS_EXECUTION_INSTANCE_TABLE_H_
