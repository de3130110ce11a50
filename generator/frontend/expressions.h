// SPDX-License-Identifier: Apache-2.0
/// \file expressions.h
/// What a C++ expression of tensors is, without what C++ wraps around it.
#ifndef MSHADOW_GENERATOR_FRONTEND_EXPRESSIONS_H_
#define MSHADOW_GENERATOR_FRONTEND_EXPRESSIONS_H_

#include <string>

#include "frontend/clang_compat.h"

namespace mgen {

/// `e` without implicit conversions and copies.
const clang::Expr *Unwrapped(const clang::Expr *e);

/// The variable of the rule that `e` is and that names an expression, `auto x = a + b;`; null if it
/// is none.
const clang::VarDecl *ExpressionNamedBy(const clang::Expr *e);

/// Whether an element of such an expression is computed from its operands' elements at the same
/// place: a + b, F<op>(a), tcast<T>(a).
bool MapsElements(clang::QualType type);

/// The name of the function that `e` calls; "" if that is not known.
std::string CalleeOf(const clang::CallExpr *e);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_EXPRESSIONS_H_
