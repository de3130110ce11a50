// SPDX-License-Identifier: Apache-2.0
/// \file values.h
/// Small constructors of IR expressions that know C++: conversions, constants, conditions.
#ifndef MSHADOW_GENERATOR_FRONTEND_VALUES_H_
#define MSHADOW_GENERATOR_FRONTEND_VALUES_H_

#include <optional>

#include "frontend/clang_compat.h"
#include "ir/builder.h"
#include "ir/rule.h"

namespace mgen {

/// `value` as a `kind`, as C++ converts. An identity is dropped and a literal is converted if that
/// is exact. `int8(int32(a) + int32(b))`, which is what C++ makes of arithmetic on narrow integers,
/// becomes arithmetic on the narrow type, which wraps: the same values.
Expr Convert(ScalarKind kind, const Expr &value);

/// A constant that Clang evaluated; nothing if the kind of value has no literal.
std::optional<Expr> ToLiteral(ScalarKind kind, const clang::APValue &value);

/// Minus `value`; of a literal, the literal.
Expr Negate(const Expr &value);

// Conditions; null stands for "always".
Expr And(const Expr &a, const Expr &b);
Expr Not(const Expr &condition);
/// Whether no launch has both, since one has a part that the other has negated. Scalars are what
/// they are for the whole launch, so one text is one value.
bool AreExclusive(const Expr &a, const Expr &b, const Rule &rule);
bool IsTrue(const Expr &condition);
bool IsFalse(const Expr &condition);

/// Whether `value` is a literal other than zero.
bool IsNonZeroLiteral(const Expr &value);

/// `condition ? a : b`; one of them if the condition is a literal or both are the same node.
Expr Choose(const Expr &condition, const Expr &a, const Expr &b);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_VALUES_H_
