// SPDX-License-Identifier: Apache-2.0
/// \file lower_shape.h
/// The shapes that a spec gives its temporaries, in terms of the arguments'.
#ifndef MSHADOW_GENERATOR_FRONTEND_LOWER_SHAPE_H_
#define MSHADOW_GENERATOR_FRONTEND_LOWER_SHAPE_H_

#include <optional>

#include "frontend/check_stage.h"
#include "frontend/lower_tensor.h"

namespace mgen {

/// Whether `shape` is that of a tensor of this rank.
bool IsShapeOfRank(const RuleScalars &scalars, const clang::Expr *shape, int rank);

/// Shape2(x.size(0), w.size(1)) and its kin: gives `param` extents that can be computed from the
/// arguments'; false if there are none.
bool LowerExtents(RuleScalars &scalars, const clang::Expr *shape, Param *param);

/// The tensor whose extents, all of them, make `shape`: `Shape2(x.size(0), x.size(1))`; or -1.
int TensorThatMakes(RuleScalars &scalars, const clang::Expr *shape);

/// An extent of a tensor, over the arguments' extents.
Expr ExtentOf(const Rule &rule, int tensor, int dimension);
/// The same of a part, over its tensor's and the range that it is.
Expr ExtentOfPart(const Rule &rule, int part, int dimension);

/// Finds the temporaries that need memory, and reports parts of others. Those that have the shape
/// of a part get its extents, since the part is made when its kernel is.
void FindKeptShapes(FrontEnd &front, Rule *rule);

/// How long a temporary vector is, by its extent: 1, a matrix' rows, a tensor's columns, its
/// channels, or those of a part; nothing if it is none of these.
std::optional<Length> LengthOf(const Rule &rule, const Param &vector);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_LOWER_SHAPE_H_
