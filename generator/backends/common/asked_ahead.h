// SPDX-License-Identifier: Apache-2.0
/// \file asked_ahead.h
/// What a CPU's loop over rows asks memory for while it computes. The first sweep over a row waits
/// for memory; one behind it that reduces, or evaluates elementary functions, has the row in cache,
/// and memory has nothing to do: it asks for the next row, and for what only later sweeps load of
/// this one.
#ifndef MSHADOW_GENERATOR_BACKENDS_COMMON_ASKED_AHEAD_H_
#define MSHADOW_GENERATOR_BACKENDS_COMMON_ASKED_AHEAD_H_

#include <vector>

#include "ir/plan.h"

namespace mgen {

struct AskedOperand {
  int operand;
  bool next;  ///< its next row, not this one
};
/// What a sweep asks for.
std::vector<AskedOperand> AskedAhead(const Plan &plan, const Phase &phase);
/// Whether a sweep of the rule does.
bool AsksAhead(const Plan &plan);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_BACKENDS_COMMON_ASKED_AHEAD_H_
