// SPDX-License-Identifier: Apache-2.0
/// \file merge_instances.h
/// One rule for each instance → one rule over the type parameters. The first pass: everything after
/// it sees a rule once.
///
///     rule R<DType> [f32]                 rule R<DType> [f16]
///       1: w = sub(w, mul(lr, g))           1: w = cast<f16>(sub(cast<f32>(w), mul(lr,
///       cast<f32>(g))))
///   →
///     rule R<DType> [f32] [f16]
///       1: w = cast<DType>(sub(cast<f32>(w), mul(lr, cast<f32>(g))))
///
/// A type that is a type parameter's in every instance becomes that parameter. Instances differ in
/// nothing but the casts that are identities in some of them, which the front end drops. Where a
/// type parameter is one kind in every instance, a parameter of the rule is of the type that the
/// front end gave it (Type::param); if it marked none, tensors are of the type parameter and
/// scalars are not.
#ifndef MSHADOW_GENERATOR_PASSES_MERGE_INSTANCES_H_
#define MSHADOW_GENERATOR_PASSES_MERGE_INSTANCES_H_

#include <optional>
#include <vector>

#include "diag/diagnostics.h"
#include "ir/rule.h"

namespace mgen {

/// `instances` are of one rule, and not empty; each has one entry in Rule::instances.
/// \returns nothing after reporting [mshadow-instances-differ] with both places.
std::optional<Rule> MergeInstances(const std::vector<Rule> &instances, Diagnostics &diagnostics);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_MERGE_INSTANCES_H_
