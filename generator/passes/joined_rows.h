// SPDX-License-Identifier: Apache-2.0
/// \file joined_rows.h
/// Finds kernels that may take several rows as one: rows of a plane, such as those of an image,
/// those of a tile (tiles.h), or short rows of views. Part of `schedule`.
#ifndef MSHADOW_GENERATOR_PASSES_JOINED_ROWS_H_
#define MSHADOW_GENERATOR_PASSES_JOINED_ROWS_H_

#include "ir/plan.h"

namespace mgen {

/// Computes Schedule::joins_rows.
bool JoinsRows(const Plan &plan);

/// Computes Schedule::joins_tiled, after Schedule::tiled.
bool JoinsTiled(const Plan &plan);

/// Computes Schedule::collected, after Schedule::tiled.
int CollectedOf(const Plan &plan);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_JOINED_ROWS_H_
