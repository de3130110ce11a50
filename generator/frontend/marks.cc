// SPDX-License-Identifier: Apache-2.0
#include "frontend/marks.h"

namespace mgen {
namespace {

bool IsMarked(const clang::FunctionDecl *function, llvm::StringRef mark) {
  if (!function) return false;
  for (const auto *attribute : function->specific_attrs<clang::AnnotateAttr>()) {
    if (attribute->getAnnotation() == mark) return true;
  }
  return false;
}

}  // namespace

bool IsMarkedRule(const clang::FunctionDecl *function) {
  return IsMarked(function, "mshadow::kernel");
}

bool IsMarkedExpression(const clang::FunctionDecl *function) {
  return IsMarked(function, "mshadow::expression");
}

}  // namespace mgen
