// SPDX-License-Identifier: Apache-2.0
/// \file find_call.h
/// A call within a statement. RecursiveASTVisitor finds more, but each use of it takes a compiler
/// ten seconds.
#ifndef MSHADOW_GENERATOR_FRONTEND_FIND_CALL_H_
#define MSHADOW_GENERATOR_FRONTEND_FIND_CALL_H_

#include "frontend/clang_compat.h"

namespace mgen {

/// The first call, outer before inner, of a known function that `is_wanted` accepts; null if there
/// is none. \param statement may be null
template <typename Predicate>
const clang::CallExpr *FindCall(const clang::Stmt *statement, const Predicate &is_wanted) {
  if (!statement) return nullptr;
  if (const auto *call = llvm::dyn_cast<clang::CallExpr>(statement)) {
    const clang::FunctionDecl *callee = call->getDirectCallee();
    if (callee && is_wanted(*callee)) return call;
  }
  for (const clang::Stmt *child : statement->children()) {
    if (const clang::CallExpr *found = FindCall(child, is_wanted)) return found;
  }
  return nullptr;
}

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_FIND_CALL_H_
