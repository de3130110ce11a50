// SPDX-License-Identifier: Apache-2.0
/// \file merge_casts.h
/// Aligns the conversions on top of one value in all instances. Part of `merge_instances`.
#ifndef MSHADOW_GENERATOR_PASSES_MERGE_CASTS_H_
#define MSHADOW_GENERATOR_PASSES_MERGE_CASTS_H_

#include <optional>
#include <vector>

#include "ir/rule.h"
#include "passes/type_table.h"

namespace mgen {

/// The kinds of a value and of the casts around it, from the inside out, without casts that keep
/// the kind.
std::vector<ScalarKind> ChainOf(const Expr &expr);
/// The value below all casts.
Expr CoreOf(Expr expr);

/// Finds casts around a value of type `core` that are right for all instances. In each instance
/// they must be its own casts after casts that keep the kind are dropped; or, if that fails, after
/// all casts that change no value are dropped. `exprs` are the values in the instances. The result
/// has the casts of the instance that has the most of them. The type of a cast is that instance's
/// kind, or a type parameter that is this kind in that instance. If both are possible, it is the
/// parameter for elements and the kind for scalars (`is_uniform`).
/// \returns nothing if there are no such casts
std::optional<std::vector<Type>> FindCasts(const TypeTable &types, const std::vector<Expr> &exprs,
                                           Type core, bool is_uniform);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_MERGE_CASTS_H_
