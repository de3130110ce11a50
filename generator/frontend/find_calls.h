// SPDX-License-Identifier: Apache-2.0
/// \file find_calls.h
/// Calls within statements. RecursiveASTVisitor finds more, but each use of it takes a compiler ten
/// seconds.
#ifndef MSHADOW_GENERATOR_FRONTEND_FIND_CALLS_H_
#define MSHADOW_GENERATOR_FRONTEND_FIND_CALLS_H_

#include <map>
#include <string>

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

using Calls = std::map<std::string, const clang::FunctionDecl *>;

/// What a function of the runtime's calls of a struct of the user's, so that instances of functions
/// that no rule calls itself are found: by their names; of several the first.
Calls CallsIn(const clang::FunctionDecl *function);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_FIND_CALLS_H_
