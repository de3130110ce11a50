// SPDX-License-Identifier: Apache-2.0
/// \file check_extents.h
/// Pass `check_extents`: checks that temporaries have the shapes that their kernels need. Also
/// checks that an expression which counts elements, such as `range(0, x.size(1))`, takes the count
/// from a tensor whose shape a launch checks.
#ifndef MSHADOW_GENERATOR_PASSES_CHECK_EXTENTS_H_
#define MSHADOW_GENERATOR_PASSES_CHECK_EXTENTS_H_

#include "diag/diagnostics.h"
#include "ir/extents.h"
#include "ir/rule.h"

namespace mgen {

/// Reports a temporary of a wrong shape, and suggests a right one.
/// \param each what a vector should have an element for
void RejectTemporaryShape(const Rule &rule, const Param &param, Diagnostics &diagnostics,
                          Length::Kind each = Length::kRows);

/// Checks the temporaries of each kernel, and the extents by which a rule's expressions count.
/// \param rule after assign_workspaces
/// \returns false after errors
bool CheckExtents(const Rule &rule, Diagnostics &diagnostics);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_CHECK_EXTENTS_H_
