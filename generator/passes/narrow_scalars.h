// SPDX-License-Identifier: Apache-2.0
/// \file narrow_scalars.h
/// The warning [mshadow-narrow-scalar]; part of `check`. On a 16-bit tensor `w *= 1 - lr * decay`
/// multiplies by exactly 1: the scalar is rounded to the element type first, and 0.9999 is not a
/// 16-bit number.
#ifndef MSHADOW_GENERATOR_PASSES_NARROW_SCALARS_H_
#define MSHADOW_GENERATOR_PASSES_NARROW_SCALARS_H_

#include "diag/diagnostics.h"
#include "ir/rule.h"

namespace mgen {

/// Reports each computed float scalar that some instance rounds to a 16-bit type before it is an
/// operand of +, -, * or / with elements of that type. Literals, and scalars that the caller
/// passes, are not reported.
void WarnOfNarrowScalars(const Rule &rule, Diagnostics &diagnostics);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_NARROW_SCALARS_H_
