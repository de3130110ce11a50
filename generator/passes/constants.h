// SPDX-License-Identifier: Apache-2.0
/// \file constants.h
/// What a constant is worth in one instance. Part of `merge_instances`.
///
/// A constant is a literal below conversions and signs: `T(0.1f)` is 0.1f in the instance for
/// float, cast<f16>(0.1f) in that for half_t and cast<u8>(0.1f), which is 0, in that for uint8_t.
/// The front end has computed some of these conversions and left others: instances cannot be
/// compared by what they show, but by what it is worth.
#ifndef MSHADOW_GENERATOR_PASSES_CONSTANTS_H_
#define MSHADOW_GENERATOR_PASSES_CONSTANTS_H_

#include <vector>

#include "ir/expr.h"

namespace mgen {

bool IsConstant(const Expr &expr);

/// The constant in the instance of these element types, converted as kernels convert: a literal of
/// a concrete type. What has no value that C++ defines (an integer of a float that is out of its
/// range) or none that a double holds keeps its conversion.
Expr Evaluate(const Expr &constant, const std::vector<ScalarKind> &instance);

/// Whether two evaluated constants are the same bits of the same type.
bool SameValue(const Expr &a, const Expr &b);

/// The kinds that it goes through, the literal's first.
std::vector<ScalarKind> KindsThrough(const Expr &constant);

/// Whether a double holds the number: a conversion through double then rounds once.
bool IsExactInDouble(const LiteralValue &value);

/// The literal below, negated if there is an odd number of signs above it.
Expr SourceOf(const Expr &constant);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_CONSTANTS_H_
