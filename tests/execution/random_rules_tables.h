// SPDX-License-Identifier: Apache-2.0
/// \file random_rules_tables.h
/// What random_rules_main.cc knows of a batch of random rules, which is compiled after it.
#ifndef MSHADOW_TESTS_EXECUTION_RANDOM_RULES_TABLES_H_
#define MSHADOW_TESTS_EXECUTION_RANDOM_RULES_TABLES_H_

#include "rule_table.h"

namespace mshadow_test {

/// The kernels of the fake GPU, called with tensors of the host, in the order of FusedRules().
RuleTable GpuRules();

}  // namespace mshadow_test

#endif  // MSHADOW_TESTS_EXECUTION_RANDOM_RULES_TABLES_H_
