// SPDX-License-Identifier: Apache-2.0
/// \file narrow_ops.h
/// 16-bit operations that the front end shows as operations in float. Part of `merge_instances`:
/// with float and half instances alone `exp(float(a))` is one rule; beside a double instance, which
/// has no float, it is `exp(a)` of the element type.
#ifndef MSHADOW_GENERATOR_PASSES_NARROW_OPS_H_
#define MSHADOW_GENERATOR_PASSES_NARROW_OPS_H_

#include "ir/expr.h"

namespace mgen {

/// The same value computed in 16 bits, or null:
///
///     cast<f16>(exp(cast<f32>(a)))    →   exp(a)          which means just that
///     lt(cast<f32>(a), 0.0f32)        →   lt(a, 0.0f16)   widening is exact and keeps the order
Expr InNarrowType(const Expr &expr);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_NARROW_OPS_H_
