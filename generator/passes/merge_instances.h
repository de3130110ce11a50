// SPDX-License-Identifier: Apache-2.0
/// \file merge_instances.h
/// Pass `merge_instances`: merges the rules of all instances into one rule in terms of the type
/// parameters. It is the first pass, so that later passes see each rule once.
///
///     rule R<DType> [f32]                 rule R<DType> [f16]
///       1: w = sub(w, mul(lr, g))           1: w = cast<f16>(sub(cast<f32>(w),
///                                                                mul(lr, cast<f32>(g))))
///   →
///     rule R<DType> [f32] [f16]
///       1: w = cast<DType>(sub(cast<f32>(w), mul(lr, cast<f32>(g))))
///
/// A type becomes a type parameter if in every instance it is what that parameter stands for.
/// Instances differ only in casts, since the front end drops casts that keep the type. If a type
/// parameter stands for the same kind in every instance, the type may be that parameter or that
/// kind. Then tensors have the type parameter and scalars the kind, unless the text of a test's
/// RuleIR says otherwise (Type::param).
#ifndef MSHADOW_GENERATOR_PASSES_MERGE_INSTANCES_H_
#define MSHADOW_GENERATOR_PASSES_MERGE_INSTANCES_H_

#include <optional>
#include <vector>

#include "diag/diagnostics.h"
#include "ir/rule.h"

namespace mgen {

/// \param instances those of one rule, at least one, each with one entry in Rule::instances
/// \returns nothing after it reports [mshadow-instances-differ] with both locations
std::optional<Rule> MergeInstances(const std::vector<Rule> &instances, Diagnostics &diagnostics);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_MERGE_INSTANCES_H_
