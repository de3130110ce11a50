// SPDX-License-Identifier: Apache-2.0
/// \file rule_table.h
/// Every rule of a target by name: what it is and how to call it. A table is made twice from the
/// same header, fused and (with MSHADOW_UNFUSED) unfused, so no list of rules is kept by hand.
#ifndef MSHADOW_TESTS_EXECUTION_RULE_TABLE_H_
#define MSHADOW_TESTS_EXECUTION_RULE_TABLE_H_

#include <mshadow/rule_info.h>

#include <string>
#include <vector>

namespace mshadow_test {

constexpr int kMaxDim = 4;

/// One instance of a rule.
struct RuleEntry {
  const mshadow::RuleInfo *info = nullptr;
  std::vector<int> types;  ///< DataType<T>::kFlag of each type parameter
  /// By rank, 1 to kMaxDim: tensors[i] is the i-th tensor parameter's Tensor<cpu, dim, T> *,
  /// scalars[i] the i-th scalar parameter. A rule of fixed ranks has one function at every rank.
  /// Null at ranks for which the table was not compiled.
  void (*call[kMaxDim + 1])(void *const *tensors, const double *scalars) = {};
  /// The same for tensors of cpu_list, which adds the call to a list. Null in unfused tables.
  void (*list[kMaxDim + 1])(void *const *tensors, const double *scalars) = {};

  std::string Name() const;  ///< "optim::AdamW<bfloat16>"

  /// The ranks that can be called, at least `least`.
  std::vector<int> Dims(int least = 1) const;
};

using RuleTable = std::vector<RuleEntry>;

/// The table of a target's rules as its kernels run, and as the specs themselves run.
RuleTable FusedRules();
RuleTable UnfusedRules();

}  // namespace mshadow_test

#endif  // MSHADOW_TESTS_EXECUTION_RULE_TABLE_H_
