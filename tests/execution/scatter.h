// SPDX-License-Identifier: Apache-2.0
/// \file scatter.h
/// Scatter-adds for the interpreter.
#ifndef MSHADOW_TESTS_EXECUTION_SCATTER_H_
#define MSHADOW_TESTS_EXECUTION_SCATTER_H_

#include "interpreter.h"

namespace mshadow_test {

/// Adds each row of a matrix, in order, to the row of `to` that its index names.
/// \param clips an index out of range names the nearest row; else the row of index modulo rows
void AddNamedRows(const Array &indices, const Array &rows, bool clips, Array *to);

}  // namespace mshadow_test

#endif  // MSHADOW_TESTS_EXECUTION_SCATTER_H_
