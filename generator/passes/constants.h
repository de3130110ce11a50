// SPDX-License-Identifier: Apache-2.0
/// \file constants.h
/// Computes the value of a constant in one instance. Part of `merge_instances`.
///
/// A constant is a literal, perhaps converted or negated: `T(0.1f)` is 0.1f in the instance for
/// float, cast<f16>(0.1f) in that for half_t and cast<u8>(0.1f), which is 0, in that for uint8_t.
/// The front end computes some of these conversions and leaves others. So constants of two
/// instances are compared by value, not by form.
#ifndef MSHADOW_GENERATOR_PASSES_CONSTANTS_H_
#define MSHADOW_GENERATOR_PASSES_CONSTANTS_H_

#include <vector>

#include "ir/expr.h"

namespace mgen {

bool IsConstant(const Expr &expr);

/// Computes the constant for these element types, with the conversions of kernels: a literal of a
/// concrete type. A conversion stays where C++ defines no result (of a float beyond an integer's
/// range), or where a double does not hold it.
Expr Evaluate(const Expr &constant, const std::vector<ScalarKind> &instance);

/// Whether two evaluated constants are the same bits of the same type.
bool SameValue(const Expr &a, const Expr &b);

/// The kinds along the constant's conversions, the literal's first.
std::vector<ScalarKind> KindsThrough(const Expr &constant);

/// Whether a double holds the number: a conversion through double then rounds once.
bool IsExactInDouble(const LiteralValue &value);

/// The literal without conversions; negated if the constant negates it an odd number of times.
Expr SourceOf(const Expr &constant);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_CONSTANTS_H_
