// SPDX-License-Identifier: Apache-2.0
/// \file traps.h
/// Operations that may end the program. They are never computed where the spec would not: not
/// before the `if` around them, and not on the host for elements of a tensor that may have none.
#ifndef MSHADOW_GENERATOR_PASSES_TRAPS_H_
#define MSHADOW_GENERATOR_PASSES_TRAPS_H_

#include "ir/expr.h"

namespace mgen {

/// Whether `node` itself may trap, apart from its operands: an integer division by 0, or of the
/// smallest integer by -1.
bool MayTrap(const Node &node);

/// Whether any node of `expr` may trap.
bool AnyMayTrap(const Expr &expr);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_TRAPS_H_
