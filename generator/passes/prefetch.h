// SPDX-License-Identifier: Apache-2.0
/// \file prefetch.h
/// What a CPU's loop over rows prefetches while it computes. Part of `schedule`. The first sweep
/// over a row waits for memory; one behind it that reduces, or evaluates elementary functions, has
/// the row in cache, and memory has nothing to do: it prefetches the next row, and what only later
/// sweeps load of this one.
#ifndef MSHADOW_GENERATOR_PASSES_PREFETCH_H_
#define MSHADOW_GENERATOR_PASSES_PREFETCH_H_

#include <vector>

#include "ir/plan.h"

namespace mgen {

/// Phase::prefetches of one of the plan's phases.
std::vector<Prefetch> PrefetchesOf(const Plan &plan, const Phase &phase);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_PREFETCH_H_
