// SPDX-License-Identifier: Apache-2.0
/// \file estimate_integer.h
/// Integer operations, exact and wrapping; part of estimate.h.
#ifndef MSHADOW_TESTS_EXECUTION_ESTIMATE_INTEGER_H_
#define MSHADOW_TESTS_EXECUTION_ESTIMATE_INTEGER_H_

#include <vector>

#include "estimate.h"

namespace mshadow_test {

/// The low bits of `value`, as the kind reads them. Bools are nonzero or not.
int64_t WrapInteger(mgen::ScalarKind kind, int64_t value);

/// No argument is undecided. A division by zero and a shift by too many bits are.
Estimate ApplyToIntegers(mgen::Op op, mgen::ScalarKind kind, const std::vector<Estimate> &args);

}  // namespace mshadow_test

#endif  // MSHADOW_TESTS_EXECUTION_ESTIMATE_INTEGER_H_
