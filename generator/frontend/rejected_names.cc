// SPDX-License-Identifier: Apache-2.0
#include "frontend/rejected_names.h"

#include <algorithm>

namespace mgen {

void RejectedNames::Add(const clang::Stmt *statement) {
  const auto *declaration = llvm::dyn_cast<clang::DeclStmt>(statement);
  if (declaration) names_.insert(declaration->decl_begin(), declaration->decl_end());
}

bool RejectedNames::AreUsedIn(const clang::Stmt *e) const {
  if (!e || names_.empty()) return false;
  const auto *name = llvm::dyn_cast<clang::DeclRefExpr>(e);
  if (name && names_.count(name->getDecl()) != 0) return true;
  return std::any_of(e->child_begin(), e->child_end(),
                     [this](const clang::Stmt *child) { return AreUsedIn(child); });
}

}  // namespace mgen
