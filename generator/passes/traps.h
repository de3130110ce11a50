// SPDX-License-Identifier: Apache-2.0
/// \file traps.h
/// Operations that may end the program. They are never computed where the spec would not compute
/// them: not ahead of an `if`, not once on the host for an element that may not be there.
#ifndef MSHADOW_GENERATOR_PASSES_TRAPS_H_
#define MSHADOW_GENERATOR_PASSES_TRAPS_H_

#include "ir/expr.h"

namespace mgen {

/// Whether computing `node` from its operands may trap: an integer division by 0, or of the least
/// number by -1.
bool MayTrap(const Node &node);

/// Whether anything in `expr` may.
bool AnyMayTrap(const Expr &expr);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_TRAPS_H_
