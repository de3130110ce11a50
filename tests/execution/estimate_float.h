// SPDX-License-Identifier: Apache-2.0
/// \file estimate_float.h
/// Float operations with error bounds; part of estimate.h.
#ifndef MSHADOW_TESTS_EXECUTION_ESTIMATE_FLOAT_H_
#define MSHADOW_TESTS_EXECUTION_ESTIMATE_FLOAT_H_

#include <vector>

#include "estimate.h"

namespace mshadow_test {

/// No argument is undecided; the first is a float.
Estimate ApplyToFloats(mgen::Op op, mgen::ScalarKind kind, const std::vector<Estimate> &args);

}  // namespace mshadow_test

#endif  // MSHADOW_TESTS_EXECUTION_ESTIMATE_FLOAT_H_
