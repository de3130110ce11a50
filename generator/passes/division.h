// SPDX-License-Identifier: Apache-2.0
/// \file division.h
/// Finds by which values a kernel divides often, and whether it waits for the divider. Part of
/// `schedule`.
#ifndef MSHADOW_GENERATOR_PASSES_DIVISION_H_
#define MSHADOW_GENERATOR_PASSES_DIVISION_H_

#include <set>

#include "ir/plan.h"

namespace mgen {

/// Computes Phase::divisors of a pass. No later phase assigns these values.
/// \param sweep one of the plan's phases
std::set<int> DivisorsOf(const Plan &plan, const Phase &sweep);

/// Computes Schedule::waits_for_divider. \param plan its phases have their divisors
bool WaitsForDivider(const Plan &plan);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_DIVISION_H_
