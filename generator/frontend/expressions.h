// SPDX-License-Identifier: Apache-2.0
/// \file expressions.h
/// Asks what a C++ expression of tensors is, whatever conversions C++ wraps around it.
#ifndef MSHADOW_GENERATOR_FRONTEND_EXPRESSIONS_H_
#define MSHADOW_GENERATOR_FRONTEND_EXPRESSIONS_H_

#include <string>

#include "frontend/clang_compat.h"

namespace mgen {

/// `e` without parentheses, implicit conversions and copies.
const clang::Expr *Unwrapped(const clang::Expr *e);

/// If `e` is a variable of the rule that names an expression, as in `auto x = a + b;`: that
/// variable. Else null.
const clang::VarDecl *ExpressionNamedBy(const clang::Expr *e);

/// Whether expressions of this type compute each element from their operands' elements at the same
/// coordinates: a + b, F<op>(a), tcast<T>(a).
bool MapsElements(clang::QualType type);

/// The name of the function that `e` calls; "" if that is not known.
std::string CalleeOf(const clang::CallExpr *e);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_EXPRESSIONS_H_
