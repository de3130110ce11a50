// SPDX-License-Identifier: Apache-2.0
/// \file scattered.h
/// Kernels that store what they compute of a few values, which a view scatters over rows of zeros.
/// Part of `schedule`.
#ifndef MSHADOW_GENERATOR_PASSES_SCATTERED_H_
#define MSHADOW_GENERATOR_PASSES_SCATTERED_H_

#include "ir/plan.h"

namespace mgen {

/// Computes Schedule::scattered.
int ScatteredOf(const Plan &plan);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_SCATTERED_H_
