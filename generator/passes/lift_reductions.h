// SPDX-License-Identifier: Apache-2.0
/// \file lift_reductions.h
/// Pass `lift_reductions`: moves each reduction within an expression to its own statement.
#ifndef MSHADOW_GENERATOR_PASSES_LIFT_REDUCTIONS_H_
#define MSHADOW_GENERATOR_PASSES_LIFT_REDUCTIONS_H_

#include "ir/rule.h"

namespace mgen {

/// A reduction within a larger expression becomes a statement before it, which assigns the result
/// to a temporary vector: `out = sub(in, max<keep 0 by lanes>(in))` is
///
///     in_max = max<keep 0 by lanes>(in)
///     out = sub(in, in_max[axis(0)])
///
/// So does each of the reductions in one expression if nothing says that they go over one shape. Of
/// `discard(a, b)` only `b` stays; `a` becomes a statement, and its temporary must fit.
/// A later statement that needs the same value reads the same temporary, unless a statement between
/// them may write what was reduced.
Rule LiftReductions(Rule rule);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_LIFT_REDUCTIONS_H_
