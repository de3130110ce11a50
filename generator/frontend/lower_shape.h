// SPDX-License-Identifier: Apache-2.0
/// \file lower_shape.h
/// The shapes that a spec computes, and gives to its temporaries and views.
#ifndef MSHADOW_GENERATOR_FRONTEND_LOWER_SHAPE_H_
#define MSHADOW_GENERATOR_FRONTEND_LOWER_SHAPE_H_

#include <optional>
#include <string>
#include <vector>

#include "frontend/rule_scalars.h"
#include "ir/extents.h"

namespace mgen {

/// The call of `mshadow::Shape1` or its like that `shape` is, of any rank or of this one; or null.
const clang::CallExpr *CallOfShape(const clang::Expr *shape);
const clang::CallExpr *CallOfShape(const clang::Expr *shape, int rank);
/// Whether `shape` is that of a tensor of this rank.
bool IsShapeOfRank(const RuleScalars &scalars, const clang::Expr *shape, int rank);

/// The extents of a computed shape: of `Shape2(x.size(1), x.size(0))`, or of a variable that was
/// initialised with it. Nothing if `shape` is none.
std::optional<std::vector<Expr>> ExtentsOf(RuleScalars &scalars, const clang::Expr *shape);

/// The tensor that a `Temporary` of the spec becomes. Throws Rejected after reporting a type or a
/// shape that it cannot have.
Param MakeTemporary(RuleScalars &scalars, const clang::VarDecl *variable, const std::string &name);

/// The tensor whose extents, all of them, make `shape`: `Shape2(x.size(0), x.size(1))`; or -1.
int TensorThatMakes(RuleScalars &scalars, const clang::Expr *shape);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_LOWER_SHAPE_H_
