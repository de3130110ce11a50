// SPDX-License-Identifier: Apache-2.0
/// \file expression_extents.h
/// The shape of an expression, in terms of the arguments' extents.
#ifndef MSHADOW_GENERATOR_FRONTEND_EXPRESSION_EXTENTS_H_
#define MSHADOW_GENERATOR_FRONTEND_EXPRESSION_EXTENTS_H_

#include <optional>
#include <vector>

#include "frontend/rule_scalars.h"

namespace mgen {

using Extents = std::vector<Expr>;

/// The extents of `e`, over kDim and literals, one for each dimension. Nothing in a rule for any
/// rank, or if `e` calls a function that gives its result a shape of its own, such as reshape.
std::optional<Extents> ExtentsOfExpression(RuleScalars &scalars, const clang::Expr *e);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_EXPRESSION_EXTENTS_H_
