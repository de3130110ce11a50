// SPDX-License-Identifier: Apache-2.0
/// \file distribute.h
/// Multiplies the outcomes of a choice instead of the choice: a product of a scalar and a select
/// between literals becomes a select between products that are the same for every element, which
/// `plan` hoists. Exact: each element's product is the one that it was.
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
