// SPDX-License-Identifier: Apache-2.0
/// \file savers.h
/// How a statement saves: by `=`, `+=` and so on, by mshadow's functions with one of its savers, or
/// with a struct of the spec's own.
#ifndef MSHADOW_GENERATOR_FRONTEND_SAVERS_H_
#define MSHADOW_GENERATOR_FRONTEND_SAVERS_H_

#include <optional>

#include "frontend/clang_compat.h"
#include "ir/rule.h"

namespace mgen {

/// Nothing for other operators.
std::optional<Saver> SaverOf(clang::OverloadedOperatorKind kind);

/// The saver of `MapExp<Saver>(&tensor, expression)` or `ExpEngine<Saver, …>::Eval(…)`; a null type
/// for other functions.
clang::QualType SaverCalledBy(const clang::FunctionDecl *function);

/// Nothing unless it is one of the runtime's savers.
std::optional<Saver> KnownSaver(clang::QualType type);

/// The Save that such a function calls, for its elements; null if the saver has none.
const clang::FunctionDecl *SaveCalledBy(const clang::FunctionDecl *function);

/// `tensor` of `&tensor`, without what converts that to a pointer to a base; null of others.
const clang::Expr *PointedTo(const clang::Expr *e);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_SAVERS_H_
