// SPDX-License-Identifier: Apache-2.0
/// \file simplify_casts.h
/// Drops casts that do nothing and turns a cast of a literal into a literal, where that changes no
/// bit of any instance. Runs after `merge_instances`, which needs the casts to align the instances.
///
///     mul(cast<f32>(lr), x)              →   mul(lr, x)                    if lr is f32
///     mul(cast<DType>(0.5f32), a)        →   mul(literal<DType>(0.5), a)   rounded to DType once
///     cast<f32>(2i32)                    →   2.0f32
///
/// A literal of a symbolic type is a number that each instance rounds to its own type.
#ifndef MSHADOW_GENERATOR_PASSES_SIMPLIFY_CASTS_H_
#define MSHADOW_GENERATOR_PASSES_SIMPLIFY_CASTS_H_

#include "ir/rule.h"

namespace mgen {

Rule SimplifyCasts(Rule rule);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_SIMPLIFY_CASTS_H_
