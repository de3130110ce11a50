// SPDX-License-Identifier: Apache-2.0
/// \file scattered.h
/// Kernels that store what they compute of a few values, which a view scatters over rows of zeros.
#ifndef MSHADOW_GENERATOR_IR_SCATTERED_H_
#define MSHADOW_GENERATOR_IR_SCATTERED_H_

#include "ir/plan.h"

namespace mgen {

/// The view `scatter_columns(…)` of a kernel over elements that loads nothing else: an index into
/// Plan::operands. Then a CPU may compute an element from 0 and, if it has a value, compute and
/// store it again. -1: the kernel is none of these.
int ScatteredOf(const Plan &plan);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_IR_SCATTERED_H_
