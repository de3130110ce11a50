// SPDX-License-Identifier: Apache-2.0
/// \file division.h
/// How a kernel divides: by what it divides often, and whether it waits for the divider.
#ifndef MSHADOW_GENERATOR_BACKENDS_COMMON_DIVISION_H_
#define MSHADOW_GENERATOR_BACKENDS_COMMON_DIVISION_H_

#include <set>

#include "ir/plan.h"

namespace mgen {

/// The values of a row, as indices into Plan::operands, by which a sweep over it divides floats,
/// and which it uses for nothing else: each is worth its reciprocal. They stay what they are in
/// what follows.
/// \param sweep one of the plan's phases
std::set<int> DivisorsOf(const Plan &plan, const Phase &sweep);
/// Those that no sweep before it has.
std::set<int> NewDivisorsOf(const Plan &plan, const Phase &sweep);

/// Those of all sweeps.
std::set<int> DivisorsOf(const Plan &plan);

/// Whether a CPU's loop waits for quotients and square roots longer than for everything else that
/// it computes.
bool WaitsForDivider(const Plan &plan);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_BACKENDS_COMMON_DIVISION_H_
