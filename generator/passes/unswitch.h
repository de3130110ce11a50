// SPDX-License-Identifier: Apache-2.0
/// \file unswitch.h
/// A choice that is the same for all elements is made once per launch: where a select asks a
/// scalar, that scalar becomes a condition of the Plan, and so a template parameter of its loop.
///
///     scalar off: bool = lt(clip, 0.0f32)      →   condition off = lt(clip, 0.0f32)
///     1: w = select(off, g, min(g, clip))          1: w = select(off, g, min(g, clip))
///
/// Each condition doubles the loops that are compiled, so only a rule's first few are taken; the
/// others stay selects. Runs after `share`.
#ifndef MSHADOW_GENERATOR_PASSES_UNSWITCH_H_
#define MSHADOW_GENERATOR_PASSES_UNSWITCH_H_

#include "ir/plan.h"

namespace mgen {

/// Conditions up to which selects are unswitched: four loops of a rule.
constexpr int kMaxUnswitched = 2;

Plan Unswitch(Plan plan);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_UNSWITCH_H_
