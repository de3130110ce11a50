// SPDX-License-Identifier: Apache-2.0
/// \file legality.h
/// What the statements of one kernel must have in common. The fuser asks it of what it would make,
/// and the pass `check` of what the spec says.
#ifndef MSHADOW_GENERATOR_PASSES_LEGALITY_H_
#define MSHADOW_GENERATOR_PASSES_LEGALITY_H_

#include "diag/diagnostics.h"
#include "ir/rule.h"

namespace mgen {

/// Whether the statements of a rule can be one kernel: they go over elements of one rank, none
/// reads other elements than its own of what another one writes, and there are at most
/// kMaxConditions conditions. Reports what keeps them from it.
/// \param kernel a rule of one stage, which bind_axes has seen
bool IsLegalKernel(const Rule &kernel, Diagnostics &diagnostics);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_LEGALITY_H_
