// SPDX-License-Identifier: Apache-2.0
/// \file row_blocks.h
/// Finds kernels whose loops can take several short rows together, a lane of a packet for each.
/// Part of `schedule`.
#ifndef MSHADOW_GENERATOR_PASSES_ROW_BLOCKS_H_
#define MSHADOW_GENERATOR_PASSES_ROW_BLOCKS_H_

#include "ir/plan.h"

namespace mgen {

/// Whether a CPU's loop over rows is Loop::kSeveral.
bool TakesRowsTogether(const Plan &plan);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_ROW_BLOCKS_H_
