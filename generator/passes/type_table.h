// SPDX-License-Identifier: Apache-2.0
/// \file type_table.h
/// Finds the type of the merged rule that has some kinds in the instances. Part of
/// `merge_instances`.
#ifndef MSHADOW_GENERATOR_PASSES_TYPE_TABLE_H_
#define MSHADOW_GENERATOR_PASSES_TYPE_TABLE_H_

#include <string>
#include <vector>

#include "ir/rule.h"

namespace mgen {

/// One kind for each instance.
using Kinds = std::vector<ScalarKind>;

class TypeTable {
 public:
  /// `instances`: Rule::instances of the merged rule.
  explicit TypeTable(std::vector<std::vector<ScalarKind>> instances)
      : instances_(std::move(instances)) {}

  /// The types that have `kinds` in the instances, type parameters first. A type parameter that is
  /// one kind in every instance (as in a rule with one instance) cannot be told from that kind:
  /// then there are several.
  std::vector<Type> Candidates(const Kinds &kinds) const;

  /// Type parameter `param`; if `promoted`, the type that C++ computes in with it.
  Type Parameter(int param, bool promoted) const;
  Kinds KindsOf(Type type) const;
  const std::vector<ScalarKind> &instance(size_t i) const { return instances_.at(i); }
  size_t size() const { return instances_.size(); }
  int param_count() const {
    return instances_.empty() ? 0 : static_cast<int>(instances_.front().size());
  }

 private:
  std::vector<std::vector<ScalarKind>> instances_;
};

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_TYPE_TABLE_H_
