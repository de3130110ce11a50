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

/// The kinds that a value has on its way through the casts on top of it, from the inside out;
/// identities are left out.
std::vector<ScalarKind> ChainOf(const Expr &expr);
/// The value below all casts.
Expr CoreOf(Expr expr);

/// The casts over a value of type `core` that become each instance's when identities are dropped,
/// or those that change no value; nothing if there are none. `exprs` are the instances' values.
/// They are the casts of the instance that shows most, each of them either the kind it shows or the
/// type parameter that is this kind there: in doubt the parameter for elements, the kind for
/// scalars (`is_uniform`).
std::optional<std::vector<Type>> FindCasts(const TypeTable &types, const std::vector<Expr> &exprs,
                                           Type core, bool is_uniform);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_MERGE_CASTS_H_
