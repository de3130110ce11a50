// SPDX-License-Identifier: Apache-2.0
// Compiled twice for each target under test: as it is for the fused table, and with MSHADOW_UNFUSED
// for the unfused one. MSHADOW_TEST_HEADER is the target's umbrella header, MSHADOW_TEST_RULES its
// list of rules.
#include MSHADOW_TEST_HEADER

#include "rule_table_impl.h"

namespace mshadow_test {

#ifdef MSHADOW_UNFUSED
RuleTable UnfusedRules() { return MakeRuleTable<MSHADOW_TEST_RULES>(); }
#else
RuleTable FusedRules() { return MakeRuleTable<MSHADOW_TEST_RULES>(); }
#endif

}  // namespace mshadow_test
