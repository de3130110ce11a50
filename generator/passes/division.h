// SPDX-License-Identifier: Apache-2.0
/// \file division.h
/// How a kernel divides: by what it divides often, and whether it waits for the divider. Part of
/// `schedule`.
#ifndef MSHADOW_GENERATOR_PASSES_DIVISION_H_
#define MSHADOW_GENERATOR_PASSES_DIVISION_H_

#include <set>

#include "ir/plan.h"

namespace mgen {

/// Phase::divisors of a sweep. They stay what they are in the sweeps that follow.
/// \param sweep one of the plan's phases
std::set<int> DivisorsOf(const Plan &plan, const Phase &sweep);

/// Schedule::waits_for_divider of a plan whose phases have their divisors.
bool WaitsForDivider(const Plan &plan);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_DIVISION_H_
