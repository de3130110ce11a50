// SPDX-License-Identifier: Apache-2.0
/// \file map_values.h
/// In a rule that reduces rows, a vector has one element for each row; seen from the rows it is a
/// column. In one that reduces everything, what is reduced is one element. The statements between
/// such vectors read them element by element.
#ifndef MSHADOW_GENERATOR_PASSES_MAP_VALUES_H_
#define MSHADOW_GENERATOR_PASSES_MAP_VALUES_H_

#include "ir/rule.h"

namespace mgen {

/// In a rule that reduces, reads of its values go through IndexMap::kColumn or kOne. Other rules
/// stay as they are.
Rule MapValues(Rule rule);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_MAP_VALUES_H_
