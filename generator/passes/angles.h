// SPDX-License-Identifier: Apache-2.0
/// \file angles.h
/// The sine and the cosine of one value are computed together: most of their work is the same. Part
/// of `share`, which gives the pair a name.
#ifndef MSHADOW_GENERATOR_PASSES_ANGLES_H_
#define MSHADOW_GENERATOR_PASSES_ANGLES_H_

#include <vector>

#include "ir/plan.h"

namespace mgen {

/// Writes sin(x) and cos(x) as sine_of(sincos(x)) and cosine_of(sincos(x)) where the steps of one
/// block have both. The bits are the same. \p steps are those of \p plan, or of one of its phases.
void PairAngles(const Plan &plan, std::vector<Step> *steps);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_ANGLES_H_
