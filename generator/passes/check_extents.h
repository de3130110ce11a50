// SPDX-License-Identifier: Apache-2.0
/// \file check_extents.h
/// Pass `check_extents`: temporaries are as long as their kernel needs them, and what counts
/// elements counts those of a tensor whose shape a launch compares.
#ifndef MSHADOW_GENERATOR_PASSES_CHECK_EXTENTS_H_
#define MSHADOW_GENERATOR_PASSES_CHECK_EXTENTS_H_

#include "diag/diagnostics.h"
#include "ir/extents.h"
#include "ir/rule.h"

namespace mgen {

/// Reports that a temporary has not the shape that it must have, and says one that would do: of a
/// vector one that has a value for `each`.
void RejectTemporaryShape(const Rule &rule, const Param &param, Diagnostics &diagnostics,
                          Length::Kind each = Length::kRows);

/// Checks the temporaries of each kernel, and the extents by which a rule's expressions count.
/// \param rule its workspaces are assigned
/// \returns false after errors
bool CheckExtents(const Rule &rule, Diagnostics &diagnostics);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_CHECK_EXTENTS_H_
