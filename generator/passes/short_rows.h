// SPDX-License-Identifier: Apache-2.0
/// \file short_rows.h
/// Finds kernels whose rows have a few elements, such as the channels of a pixel. Part of
/// `schedule`.
#ifndef MSHADOW_GENERATOR_PASSES_SHORT_ROWS_H_
#define MSHADOW_GENERATOR_PASSES_SHORT_ROWS_H_

#include "ir/plan.h"

namespace mgen {

/// Computes Schedule::short_rows.
int ShortRowsOf(const Plan &plan);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_SHORT_ROWS_H_
