// SPDX-License-Identifier: Apache-2.0
/// \file merge_instances.h
/// Makes one rule over the type parameters of a rule for each instance. The first pass: later ones
/// see a rule once.
///
///     rule R<DType> [f32]                 rule R<DType> [f16]
///       1: w = sub(w, mul(lr, g))           1: w = cast<f16>(sub(cast<f32>(w), mul(lr,
///       cast<f32>(g))))
///   →
///     rule R<DType> [f32] [f16]
///       1: w = cast<DType>(sub(cast<f32>(w), mul(lr, cast<f32>(g))))
///
/// A type that is the same type parameter's in every instance becomes that parameter. Instances
/// differ only in casts, which the front end drops where they are identities. If a type parameter
/// has the same kind in every instance, types do not tell the two apart. Then a parameter of the
/// rule has the type that the front end marked (Type::param). Without marks, tensors have the type
/// parameter and scalars the kind.
#ifndef MSHADOW_GENERATOR_PASSES_MERGE_INSTANCES_H_
#define MSHADOW_GENERATOR_PASSES_MERGE_INSTANCES_H_

#include <optional>
#include <vector>

#include "diag/diagnostics.h"
#include "ir/rule.h"

namespace mgen {

/// \param instances those of one rule, at least one, each with one entry in Rule::instances
/// \returns nothing after it reports [mshadow-instances-differ] with both places
std::optional<Rule> MergeInstances(const std::vector<Rule> &instances, Diagnostics &diagnostics);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_MERGE_INSTANCES_H_
