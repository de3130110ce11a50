// SPDX-License-Identifier: Apache-2.0
/// \file prefetch.h
/// Decides what a CPU's loop over rows prefetches while it computes. Part of `schedule`. The first
/// pass over a row waits for memory. A later pass finds the row in the cache. If it reduces or
/// evaluates elementary functions, it has time to prefetch: the next row, and operands of this row
/// that only later passes load.
#ifndef MSHADOW_GENERATOR_PASSES_PREFETCH_H_
#define MSHADOW_GENERATOR_PASSES_PREFETCH_H_

#include <vector>

#include "ir/plan.h"

namespace mgen {

/// Phase::prefetches of one of the plan's phases.
std::vector<Prefetch> PrefetchesOf(const Plan &plan, const Phase &phase);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_PREFETCH_H_
