// SPDX-License-Identifier: Apache-2.0
/// \file sorted_rows.h
/// Sorts of rows for the interpreter.
#ifndef MSHADOW_TESTS_EXECUTION_SORTED_ROWS_H_
#define MSHADOW_TESTS_EXECUTION_SORTED_ROWS_H_

#include "interpreter.h"

namespace mshadow_test {

/// Sorts each row of `rows`. The results get as many elements, and columns, as they have columns.
/// \param values, columns null: not wanted
void SortEachRow(const Array &rows, bool ascends, Array *values, Array *columns);

}  // namespace mshadow_test

#endif  // MSHADOW_TESTS_EXECUTION_SORTED_ROWS_H_
