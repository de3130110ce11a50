// SPDX-License-Identifier: Apache-2.0
/// \file streamed.h
/// What a CPU's loops store past the cache where the cache would not hold it: one operand that the
/// kernel writes and never reads, in packets that straddle no boundary of its rows.
#ifndef MSHADOW_GENERATOR_BACKENDS_COMMON_STREAMED_H_
#define MSHADOW_GENERATOR_BACKENDS_COMMON_STREAMED_H_

#include "ir/plan.h"

namespace mgen {

/// The operand's index; -1 if there is none.
int StreamedOperand(const Plan &plan);
/// Whether a sweep is what stores it.
bool StoresStreamed(const Plan &plan, const Phase &phase);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_BACKENDS_COMMON_STREAMED_H_
