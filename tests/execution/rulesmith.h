// SPDX-License-Identifier: Apache-2.0
/// \file rulesmith.h
/// Random rules: typed, element-wise, free of undefined behaviour. A spec is a pure function of its
/// seed, so a failure is repeated by its number.
#ifndef MSHADOW_TESTS_EXECUTION_RULESMITH_H_
#define MSHADOW_TESTS_EXECUTION_RULESMITH_H_

#include <cstdint>
#include <string>

namespace mshadow_test {

/// The text of a spec with `count` rules, Rule<first> … Rule<first + count - 1>, in namespace
/// `random_rules`. Rule k depends on `seed` and k alone.
std::string RandomSpec(uint64_t seed, int first, int count);

}  // namespace mshadow_test

#endif  // MSHADOW_TESTS_EXECUTION_RULESMITH_H_
