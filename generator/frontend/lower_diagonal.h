// SPDX-License-Identifier: Apache-2.0
/// \file lower_diagonal.h
/// `diag(matrix) = vector`: the diagonal is a matrix of one column, in the memory of the other, and
/// the vector has a value for each of its rows.
#ifndef MSHADOW_GENERATOR_FRONTEND_LOWER_DIAGONAL_H_
#define MSHADOW_GENERATOR_FRONTEND_LOWER_DIAGONAL_H_

#include "frontend/lower_tensor.h"
#include "frontend/materialise.h"

namespace mgen {

/// The column for `e`, if `e` is the diagonal of a tensor of the rule, or a name of one; -1 for
/// other expressions.
int DiagonalOf(TensorLowering &tensors, const clang::Expr *e);

/// Whether `tensor`, an index into Rule::params, is such a column.
bool IsDiagonal(const Rule &rule, int tensor);

/// What a statement assigns to the diagonal that is its target, where the spec assigns `e`. A
/// kernel of its own computes a vector: it may read the matrix, and numbers in it count its
/// elements. Notes in the statement which tensors must not overlap the diagonal. Throws Rejected
/// after reporting.
Expr LowerOnDiagonal(TensorLowering &tensors, Materialiser &materialiser, const clang::Expr *e,
                     Statement *statement);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_LOWER_DIAGONAL_H_
