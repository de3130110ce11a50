// SPDX-License-Identifier: Apache-2.0
/// \file assign_workspaces.h
/// Decides which temporaries have memory.
#ifndef MSHADOW_GENERATOR_PASSES_ASSIGN_WORKSPACES_H_
#define MSHADOW_GENERATOR_PASSES_ASSIGN_WORKSPACES_H_

#include "diag/diagnostics.h"
#include "ir/rule.h"

namespace mgen {

/// Sets Param::is_workspace of these temporaries: those that a call, a view, a slice or several
/// stages use; those that a reducing kernel can neither compute again nor hold in registers; those
/// of which no other tensor of their kernel shows the shape; and one of each kernel that would
/// write nothing otherwise. A workspace of a slice's shape gets extents, since the slice is made
/// only when its kernel is launched. Reports slices of temporaries without memory.
/// \returns false after errors
bool AssignWorkspaces(Rule *rule, Diagnostics &diagnostics);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_ASSIGN_WORKSPACES_H_
