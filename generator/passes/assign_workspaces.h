// SPDX-License-Identifier: Apache-2.0
/// \file assign_workspaces.h
/// Which temporaries have memory.
#ifndef MSHADOW_GENERATOR_PASSES_ASSIGN_WORKSPACES_H_
#define MSHADOW_GENERATOR_PASSES_ASSIGN_WORKSPACES_H_

#include "diag/diagnostics.h"
#include "ir/rule.h"

namespace mgen {

/// Sets Param::is_workspace of the temporaries that a product uses, or several stages, or that a
/// kernel which reduces can neither compute again nor keep in registers, and of one that nobody
/// reads, of a kernel that would write nothing else. Those that have the shape of a part get its
/// extents, since the part is made when its kernel is. Reports parts of other temporaries.
/// \returns false after errors
bool AssignWorkspaces(Rule *rule, Diagnostics &diagnostics);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_ASSIGN_WORKSPACES_H_
