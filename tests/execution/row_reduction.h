// SPDX-License-Identifier: Apache-2.0
/// \file row_reduction.h
/// The reduction of a row, a column, or a channel, of estimates, in the order that
/// mshadow/detail/row_tree.h documents: so the running error bound is one for what kernels compute.
#ifndef MSHADOW_TESTS_EXECUTION_ROW_REDUCTION_H_
#define MSHADOW_TESTS_EXECUTION_ROW_REDUCTION_H_

#include <functional>
#include <vector>

#include "estimate.h"

namespace mshadow_test {

/// How two values become one.
struct Combiner {
  using Combine = std::function<Estimate(const Estimate &, const Estimate &)>;
  Estimate initial;
  Combine reduce;  ///< with an element
  Combine merge;   ///< with the result of another part
};
/// A reducer of the runtime's; \p op is of class Reduce, and gives no number.
Combiner CombinerOf(mgen::Op op, mgen::ScalarKind kind);

Estimate ReduceRow(const Combiner &combiner, const std::vector<Estimate> &row);
Estimate ReduceChannel(const Combiner &combiner, const std::vector<std::vector<Estimate>> &planes);
Estimate ReduceColumn(const Combiner &combiner, const std::vector<Estimate> &column);

/// The number, as a \p kind, of the first of the largest or smallest values, of the first NaN if
/// there is one, 0 of none. No order matters.
Estimate NumberOf(mgen::Op op, mgen::ScalarKind kind, const std::vector<Estimate> &values);

/// The scan of a row: what elements 0 to x are combined to, or 0 to x - 1 if \p exclusive.
std::vector<Estimate> ScanRow(const Combiner &combiner, bool exclusive,
                              const std::vector<Estimate> &row);
/// h with h[x] = factors[x] h[x - 1] + terms[x].
std::vector<Estimate> RecurRow(mgen::ScalarKind kind, const std::vector<Estimate> &factors,
                               const std::vector<Estimate> &terms);

}  // namespace mshadow_test

#endif  // MSHADOW_TESTS_EXECUTION_ROW_REDUCTION_H_
