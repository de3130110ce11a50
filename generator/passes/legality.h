// SPDX-License-Identifier: Apache-2.0
/// \file legality.h
/// Fusion legality: what the statements of one kernel must have in common. The pass `fuse_kernels`
/// checks what it would make, the pass `check` what the spec says.
#ifndef MSHADOW_GENERATOR_PASSES_LEGALITY_H_
#define MSHADOW_GENERATOR_PASSES_LEGALITY_H_

#include "diag/diagnostics.h"
#include "ir/rule.h"

namespace mgen {

/// Whether the statements of a rule can be one kernel: they go over elements of one rank, none
/// reads another's results at other coordinates than its own, and there are at most kMaxConditions
/// conditions. Reports what is wrong.
/// \param kernel a rule of one stage, after bind_axes
bool IsLegalKernel(const Rule &kernel, Diagnostics &diagnostics);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_LEGALITY_H_
