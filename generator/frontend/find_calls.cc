// SPDX-License-Identifier: Apache-2.0
#include "frontend/find_calls.h"

#include <utility>

namespace mgen {
namespace {

class CallFinder : public clang::RecursiveASTVisitor<CallFinder> {
 public:
  Calls found;
  bool VisitCallExpr(clang::CallExpr *call) {
    const clang::FunctionDecl *callee = call->getDirectCallee();
    if (callee && callee->getDeclName().isIdentifier()) {
      found.emplace(callee->getNameAsString(), callee);
    }
    return true;
  }
};

}  // namespace

Calls CallsIn(const clang::FunctionDecl *function) {
  CallFinder finder;
  if (clang::Stmt *body = function->getBody()) finder.TraverseStmt(body);
  return std::move(finder.found);
}

}  // namespace mgen
