// SPDX-License-Identifier: Apache-2.0
/// \file map_rows.h
/// In a rule that reduces rows, a vector has one element for each row. The statements between
/// vectors read it element by element; seen from the rows it is a column.
#ifndef MSHADOW_GENERATOR_PASSES_MAP_ROWS_H_
#define MSHADOW_GENERATOR_PASSES_MAP_ROWS_H_

#include "ir/rule.h"

namespace mgen {

/// In a row-wise rule, reads of whole vectors go through IndexMap::kColumn. Other rules stay as
/// they are.
Rule MapRows(Rule rule);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_MAP_ROWS_H_
