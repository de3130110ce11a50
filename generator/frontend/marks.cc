// SPDX-License-Identifier: Apache-2.0
#include "frontend/marks.h"

#include "frontend/types.h"

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

bool IsStageEnd(const clang::FunctionDecl *function) {
  return function && QualifiedName(*function) == "mshadow::detail::EndStage";
}

bool IsStepCheck(const clang::FunctionDecl *function) {
  return function && QualifiedName(*function) == "mshadow::detail::CheckStep";
}

bool HasDependentRank(const clang::ParmVarDecl *written) {
  const auto *type = written->getType()
                         .getNonReferenceType()
                         .getCanonicalType()
                         ->getAs<clang::TemplateSpecializationType>();
  return type && type->template_arguments()[1].isDependent();
}

void RejectUnmarkedCall(FrontEnd &front, const clang::CallExpr *e) {
  const clang::FunctionDecl *callee = e->getDirectCallee();
  if (!callee || !callee->getPrimaryTemplate() || !callee->getReturnType()->isVoidType()) return;
  const bool takes_tensors = callee->getNumParams() > 0 &&
                             IsTensor(callee->getParamDecl(0)->getType().getNonReferenceType());
  if (!takes_tensors) return;
  const std::string name = callee->getNameAsString();
  if (QualifiedName(*callee) == "mshadow::" + name) {
    const SourceLocation location = front.Where(e->getSourceRange());
    front.diagnostics.Report(DiagId::kRuntimeCall, location, name)
        .Note(DiagId::kRuntimeCallNote, location, name);
    throw Rejected();
  }
  const clang::FunctionDecl *pattern = callee->getTemplateInstantiationPattern();
  if (!pattern) return;
  front.diagnostics.Report(DiagId::kUnmarkedCall, front.Where(e->getSourceRange()), name)
      .Note(DiagId::kUnmarkedCallNote, front.Where(pattern->getLocation()), name);
  throw Rejected();
}

}  // namespace mgen
