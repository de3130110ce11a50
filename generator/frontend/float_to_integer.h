// SPDX-License-Identifier: Apache-2.0
/// \file float_to_integer.h
/// Conversions of floats to integers that C++ leaves undefined where the integer cannot hold them:
/// a fused rule saturates, an unfused one does what the compiler and the processor make of it.
#ifndef MSHADOW_GENERATOR_FRONTEND_FLOAT_TO_INTEGER_H_
#define MSHADOW_GENERATOR_FRONTEND_FLOAT_TO_INTEGER_H_

#include "frontend/front_end.h"
#include "ir/expr.h"

namespace mgen {

/// Warns of a cast that the spec has, unless `value` is seen to lie in the range of `kind`.
void WarnOfRange(FrontEnd &front, const clang::CastExpr *e, ScalarKind kind, const Expr &value);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_FLOAT_TO_INTEGER_H_
