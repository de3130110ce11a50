// SPDX-License-Identifier: Apache-2.0
/// \file group.h
/// Statements → stages: a stage is what one pass over memory can do. Element-wise statements all
/// fit one; a statement that reads another element of a tensor that the stage writes starts the
/// next. Runs after `check`, which refuses such reads in the rules that the back ends can emit
/// today, and before the passes that work inside one stage.
///
///     stage                       →   stage
///       1: sum = add(sum, bias)         1: sum = add(sum, bias)
///     stage                             2: out = mul(sum, x)
///       2: out = mul(sum, x)
#ifndef MSHADOW_GENERATOR_PASSES_GROUP_H_
#define MSHADOW_GENERATOR_PASSES_GROUP_H_

#include "ir/rule.h"

namespace mgen {

Rule Group(Rule rule);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_GROUP_H_
