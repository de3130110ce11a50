// SPDX-License-Identifier: Apache-2.0
/// \file merge_constants.h
/// Merges the constants of a rule's instances into one. Part of `merge_instances`.
///
///     0.1f32  |  cast<f16>(0.1f32)             →   literal<DType>(0.1)
///     0.5f32  |  cast<i32>(cast<u8>(0.5f32))   →   cast<promoted<DType>>(cast<DType>(0.5f32))
///     0.1f32  |  cast<f32>(cast<f16>(0.1f32))  →   cast<f32>(cast<DType>(0.1f32))
///
/// The front end computes some conversions, and the sign of a literal, and drops those that change
/// nothing. So the form of a constant says little about the spec. MergeConstants tries conversions,
/// and compares each instance's value.
#ifndef MSHADOW_GENERATOR_PASSES_MERGE_CONSTANTS_H_
#define MSHADOW_GENERATOR_PASSES_MERGE_CONSTANTS_H_

#include <vector>

#include "ir/expr.h"
#include "passes/type_table.h"

namespace mgen {

/// A literal, or conversions of one, that has the value of `exprs[i]` in instance i; null if none
/// is found. `exprs` are constants (constants.h).
Expr MergeConstants(const TypeTable &types, const std::vector<Expr> &exprs);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_MERGE_CONSTANTS_H_
