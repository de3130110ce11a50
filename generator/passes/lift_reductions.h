// SPDX-License-Identifier: Apache-2.0
/// \file lift_reductions.h
/// Pass `lift_reductions`: reductions within expressions become statements.
#ifndef MSHADOW_GENERATOR_PASSES_LIFT_REDUCTIONS_H_
#define MSHADOW_GENERATOR_PASSES_LIFT_REDUCTIONS_H_

#include "ir/rule.h"

namespace mgen {

/// Gives what is reduced within a larger expression a temporary vector, which a statement in front
/// assigns: `out = sub(in, max<keep 0 by lanes>(in))` is
///
///     in_max = max<keep 0 by lanes>(in)
///     out = sub(in, in_max[axis(0)])
///
/// A later statement that needs the same value reads the same temporary, unless a tensor that was
/// reduced is written in between.
Rule LiftReductions(Rule rule);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_LIFT_REDUCTIONS_H_
