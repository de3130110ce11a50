// SPDX-License-Identifier: Apache-2.0
/// \file share.h
/// Gives common subexpressions a name: what the steps compute twice is computed once, just before
/// the first step that needs it, in the innermost block that holds all its uses. Runs after `plan`:
/// hoisted scalars are leaves then, and need no second name.
///
///     1: mean = add(mean, cast<f32>(grad))       →   let grad_f32 = cast<f32>(grad)
///     2: norm = mul(cast<f32>(grad), scale)          1: mean = add(mean, grad_f32)
///                                                    2: norm = mul(grad_f32, scale)
///
/// A read of a tensor after a step that wrote it is another value. Leaves stay as they are. The
/// sine and the cosine of one value become a pair (angles.h).
#ifndef MSHADOW_GENERATOR_PASSES_SHARE_H_
#define MSHADOW_GENERATOR_PASSES_SHARE_H_

#include "ir/plan.h"

namespace mgen {

Plan Share(Plan plan);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_SHARE_H_
