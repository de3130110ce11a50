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

/// The kinds that a value has along the casts on top of it, from the inside out, without
/// identities.
std::vector<ScalarKind> ChainOf(const Expr &expr);
/// The value below all casts.
Expr CoreOf(Expr expr);

/// Finds casts over a value of type `core` that are every instance's casts, once identities, or
/// else all casts that change no value, are dropped. `exprs` are the instances' values. The result
/// has the casts of the instance with the most. The type of each is that instance's kind, or a type
/// parameter that is this kind there: in doubt the parameter for elements, the kind for scalars
/// (`is_uniform`). \returns nothing if there are no such casts
std::optional<std::vector<Type>> FindCasts(const TypeTable &types, const std::vector<Expr> &exprs,
                                           Type core, bool is_uniform);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_MERGE_CASTS_H_
