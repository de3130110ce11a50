// SPDX-License-Identifier: Apache-2.0
/// \file distribute.h
/// Multiplies the branches of a select instead of its result. The product of a scalar and a select
/// between literals becomes a select between two products, which are the same for every element:
/// `plan` hoists them. The bits of each element stay the same.
///
///     mul(lr, select(gt(g, 0.0f32), 1.0f32, -1.0f32))   →   select(gt(g, 0.0f32), lr, neg(lr))
///
/// Runs before `plan`.
#ifndef MSHADOW_GENERATOR_PASSES_DISTRIBUTE_H_
#define MSHADOW_GENERATOR_PASSES_DISTRIBUTE_H_

#include "ir/rule.h"

namespace mgen {

Rule Distribute(Rule rule);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_DISTRIBUTE_H_
