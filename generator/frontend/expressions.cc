// SPDX-License-Identifier: Apache-2.0
#include "frontend/expressions.h"

#include <algorithm>
#include <string>

#include "frontend/lower_scalar.h"
#include "frontend/types.h"

namespace mgen {

const clang::Expr *Unwrapped(const clang::Expr *e) {
  for (;;) {
    e = StripWrappers(e)->IgnoreImplicit();
    const auto *construct = llvm::dyn_cast<clang::CXXConstructExpr>(e);
    if (construct && construct->getNumArgs() == 1 &&
        construct->getConstructor()->isCopyOrMoveConstructor()) {
      e = construct->getArg(0);
    } else if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(e)) {
      e = cast->getSubExpr();
    } else if (const auto *parens = llvm::dyn_cast<clang::ParenExpr>(e)) {
      e = parens->getSubExpr();  // what is implicit stood around them
    } else {
      return e;
    }
  }
}

const clang::VarDecl *ExpressionNamedBy(const clang::Expr *e) {
  const auto *name = llvm::dyn_cast<clang::DeclRefExpr>(e);
  const auto *variable = name ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
  const bool is_expression = variable && variable->getInit() && IsExpression(variable->getType());
  return is_expression && !llvm::isa<clang::ParmVarDecl>(variable) ? variable : nullptr;
}

bool MapsElements(clang::QualType type) {
  static const char *const kNodes[] = {"mshadow::expr::BinaryMapExp", "mshadow::expr::BitCastExp",
                                       "mshadow::expr::TernaryMapExp", "mshadow::expr::TypecastExp",
                                       "mshadow::expr::UnaryMapExp"};
  return std::find(std::begin(kNodes), std::end(kNodes), RecordName(type)) != std::end(kNodes);
}

std::string CalleeOf(const clang::CallExpr *e) {
  const clang::FunctionDecl *callee = e ? e->getDirectCallee() : nullptr;
  return callee ? QualifiedName(*callee) : "";
}

}  // namespace mgen
