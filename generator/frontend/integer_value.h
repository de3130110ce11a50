// SPDX-License-Identifier: Apache-2.0
/// \file integer_value.h
/// The value of an integer or bool expression that has one when the kernel is generated. Loops are
/// unrolled by it.
#ifndef MSHADOW_GENERATOR_FRONTEND_INTEGER_VALUE_H_
#define MSHADOW_GENERATOR_FRONTEND_INTEGER_VALUE_H_

#include <optional>
#include <vector>

#include "ir/rule.h"

namespace mgen {

/// `value` as a literal, computed as C++ computes it. Locals have the values of `prologue`. Nothing
/// if the launch decides the value, if it is no integer or bool, or if C++ does not define it, as
/// for a quotient of 0.
std::optional<Expr> IntegerLiteral(const Expr &value, const std::vector<Local> &prologue);

/// `value`, or the literal that equals it: an operation on integer or bool literals.
Expr Folded(const Expr &value);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_INTEGER_VALUE_H_
