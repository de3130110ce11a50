// SPDX-License-Identifier: Apache-2.0
/// \file counted_extents.h
/// Which tensor has an extent that a spec writes, as in `range(0, k.size(0))`. Elements are counted
/// along a tensor of their own statement, which may be a temporary whose extents are those of other
/// tensors.
#ifndef MSHADOW_GENERATOR_FRONTEND_COUNTED_EXTENTS_H_
#define MSHADOW_GENERATOR_FRONTEND_COUNTED_EXTENTS_H_

#include "ir/rule.h"

namespace mgen {

/// `extent` without casts, its locals replaced by their values.
Expr PlainExtent(const Rule &rule, Expr extent);

/// A tensor of rank `rank` whose dimension `dim` has this plain extent: the one that the extent
/// names, or else a temporary; -1: there is none.
int TensorAlong(const Rule &rule, const Expr &extent, int rank, int dim);

/// Makes numbers of a statement which count an extent that is the length of `vector`, its target,
/// count the elements of `vector`.
void CountElementsOf(const Rule &rule, int vector, Statement *statement);

/// A statement may count along a tensor that it does not use. If it uses a temporary with the same
/// extent, makes it count along that.
void CountAlongUsed(const Rule &rule, Statement *statement);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_COUNTED_EXTENTS_H_
