// SPDX-License-Identifier: Apache-2.0
/// \file unswitch.h
/// Makes a choice that is the same for all elements once per launch. If a select depends on a
/// scalar, that scalar becomes a condition of the Plan, and so a template parameter of the loop.
///
///     scalar off: bool = lt(clip, 0.0f32)      →   condition off = lt(clip, 0.0f32)
///     1: w = select(off, g, min(g, clip))          1: w = select(off, g, min(g, clip))
///
/// Each condition doubles the loops that are compiled. So only a rule's first few scalars become
/// conditions; the others stay in selects. Runs after `share`.
#ifndef MSHADOW_GENERATOR_PASSES_UNSWITCH_H_
#define MSHADOW_GENERATOR_PASSES_UNSWITCH_H_

#include "ir/plan.h"

namespace mgen {

/// Selects are unswitched until a Plan has this many conditions: four loops of a rule.
constexpr int kMaxUnswitched = 2;

Plan Unswitch(Plan plan);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_UNSWITCH_H_
