// SPDX-License-Identifier: Apache-2.0
/// \file lower_shape.h
/// The shapes that a spec gives its temporaries, in terms of the arguments'.
#ifndef MSHADOW_GENERATOR_FRONTEND_LOWER_SHAPE_H_
#define MSHADOW_GENERATOR_FRONTEND_LOWER_SHAPE_H_

#include "frontend/rule_scalars.h"
#include "ir/extents.h"

namespace mgen {

/// The call of `mshadow::Shape1` or its like that `shape` is, of any rank or of this one; or null.
const clang::CallExpr *CallOfShape(const clang::Expr *shape);
const clang::CallExpr *CallOfShape(const clang::Expr *shape, int rank);
/// Whether `shape` is that of a tensor of this rank.
bool IsShapeOfRank(const RuleScalars &scalars, const clang::Expr *shape, int rank);

/// Shape2(x.size(0), w.size(1)) and its kin: gives `param` extents that can be computed from the
/// arguments'; false if there are none.
bool LowerExtents(RuleScalars &scalars, const clang::Expr *shape, Param *param);

/// The tensor whose extents, all of them, make `shape`: `Shape2(x.size(0), x.size(1))`; or -1.
int TensorThatMakes(RuleScalars &scalars, const clang::Expr *shape);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_LOWER_SHAPE_H_
