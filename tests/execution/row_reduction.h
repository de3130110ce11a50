// SPDX-License-Identifier: Apache-2.0
/// \file row_reduction.h
/// The reduction of a row, a column, or a channel, of estimates, in the order that
/// mshadow/row_tree.h documents: so the running error bound is one for what kernels compute.
#ifndef MSHADOW_TESTS_EXECUTION_ROW_REDUCTION_H_
#define MSHADOW_TESTS_EXECUTION_ROW_REDUCTION_H_

#include <vector>

#include "estimate.h"

namespace mshadow_test {

/// \p op is of class Reduce; the elements and the result are of \p kind.
Estimate ReduceRow(mgen::Op op, mgen::ScalarKind kind, const std::vector<Estimate> &row);
Estimate ReduceChannel(mgen::Op op, mgen::ScalarKind kind,
                       const std::vector<std::vector<Estimate>> &planes);
Estimate ReduceColumn(mgen::Op op, mgen::ScalarKind kind, const std::vector<Estimate> &column);

}  // namespace mshadow_test

#endif  // MSHADOW_TESTS_EXECUTION_ROW_REDUCTION_H_
