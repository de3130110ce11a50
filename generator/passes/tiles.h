// SPDX-License-Identifier: Apache-2.0
/// \file tiles.h
/// Finds operands that a kernel reads across the rows of a tensor, as of a transposed matrix. Part
/// of `schedule`.
#ifndef MSHADOW_GENERATOR_PASSES_TILES_H_
#define MSHADOW_GENERATOR_PASSES_TILES_H_

#include "ir/plan.h"

namespace mgen {

/// The axis of the kernel along which neighbours of a read are neighbours in memory, if a row of
/// the kernel goes through rows of the tensor; else -1.
int AxisAcross(const IndexedRead &read);

/// Sets Schedule::tiled and Schedule::tiled_along.
void ScheduleTiles(Plan *plan);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_TILES_H_
