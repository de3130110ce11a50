// SPDX-License-Identifier: Apache-2.0
/// \file marks.h
/// Which functions of a spec are generated: what <mshadow/kernel.h> marks.
#ifndef MSHADOW_GENERATOR_FRONTEND_MARKS_H_
#define MSHADOW_GENERATOR_FRONTEND_MARKS_H_

#include "frontend/front_end.h"

namespace mgen {

/// Whether a function is marked MSHADOW_KERNEL; false for null.
bool IsMarkedRule(const clang::FunctionDecl *function);
/// Whether a function is marked MSHADOW_EXPRESSION; false for null.
bool IsMarkedExpression(const clang::FunctionDecl *function);

/// Whether this is what MSHADOW_STAGE() calls.
bool IsStageEnd(const clang::FunctionDecl *function);
/// Whether MSHADOW_CHECK_STEP calls it.
bool IsStepCheck(const clang::FunctionDecl *function);

/// Whether a parameter was written with a rank that depends on a template parameter.
bool HasDependentRank(const clang::ParmVarDecl *written);

/// Rejects the call of a function of the spec's that would be a rule if it were marked.
void RejectUnmarkedCall(FrontEnd &front, const clang::CallExpr *e);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_MARKS_H_
