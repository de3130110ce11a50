// SPDX-License-Identifier: Apache-2.0
/// \file check_kernels.h
/// What the statements of one kernel must have in common: ranks, and what is reduced.
#ifndef MSHADOW_GENERATOR_PASSES_CHECK_KERNELS_H_
#define MSHADOW_GENERATOR_PASSES_CHECK_KERNELS_H_

#include "diag/diagnostics.h"
#include "ir/extents.h"
#include "ir/rule.h"

namespace mgen {

/// Reports that a temporary has not the shape that it must have, and says one that would do: of a
/// vector one that has a value for `each`.
void RejectTemporaryShape(const Rule &rule, const Param &param, Diagnostics &diagnostics,
                          Length::Kind each = Length::kRows);

/// Checks each kernel of a rule that has been split, and that the extents by which its expressions
/// count elements are compared with others.
/// \returns false after errors
bool CheckKernels(const Rule &rule, Diagnostics &diagnostics);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_CHECK_KERNELS_H_
