// SPDX-License-Identifier: Apache-2.0
/// \file angles.h
/// Computes the sine and the cosine of one value together, since most of their work is the same.
/// The pass `share` calls this, and gives the pair a name.
#ifndef MSHADOW_GENERATOR_PASSES_ANGLES_H_
#define MSHADOW_GENERATOR_PASSES_ANGLES_H_

#include <vector>

#include "ir/plan.h"

namespace mgen {

/// Writes sin(x) and cos(x) as sine_of(sincos(x)) and cosine_of(sincos(x)) if one block of steps
/// has both. The bits are the same. \p steps are those of \p plan, or of one of its phases.
void PairAngles(const Plan &plan, std::vector<Step> *steps);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_ANGLES_H_
