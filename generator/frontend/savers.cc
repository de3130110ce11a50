// SPDX-License-Identifier: Apache-2.0
#include "frontend/savers.h"

#include <string>

#include "frontend/find_calls.h"
#include "frontend/lower_scalar.h"
#include "frontend/types.h"

namespace mgen {

std::optional<Saver> SaverOf(clang::OverloadedOperatorKind kind) {
  switch (kind) {
    case clang::OO_Equal:
      return Saver::kSave;
    case clang::OO_PlusEqual:
      return Saver::kPlus;
    case clang::OO_MinusEqual:
      return Saver::kMinus;
    case clang::OO_StarEqual:
      return Saver::kMul;
    case clang::OO_SlashEqual:
      return Saver::kDiv;
    default:
      return std::nullopt;
  }
}

clang::QualType SaverCalledBy(const clang::FunctionDecl *function) {
  const std::string name = function ? QualifiedName(*function) : "";
  if (name == "mshadow::MapExp") {
    return function->getTemplateSpecializationArgs()->get(0).getAsType();
  }
  const auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(function);
  if (!method || name != "mshadow::expr::ExpEngine::Eval") return {};
  const clang::QualType engine(method->getParent()->getTypeForDecl(), 0);
  return (*TemplateArgs(engine))[0].getAsType();
}

std::optional<Saver> KnownSaver(clang::QualType type) {
  const std::string name = RecordName(type);
  if (name == "mshadow::sv::saveto") return Saver::kSave;
  if (name == "mshadow::sv::plusto") return Saver::kPlus;
  if (name == "mshadow::sv::minusto") return Saver::kMinus;
  if (name == "mshadow::sv::multo") return Saver::kMul;
  if (name == "mshadow::sv::divto") return Saver::kDiv;
  return std::nullopt;
}

const clang::Expr *PointedTo(const clang::Expr *e) {
  const auto *address =
      llvm::dyn_cast<clang::UnaryOperator>(StripWrappers(e)->IgnoreParenImpCasts());
  return address && address->getOpcode() == clang::UO_AddrOf ? address->getSubExpr() : nullptr;
}

const clang::FunctionDecl *SaveCalledBy(const clang::FunctionDecl *function) {
  const Calls uses = CallsIn(function);
  const auto use = uses.find("UseSaver");
  if (use == uses.end()) return nullptr;
  const Calls calls = CallsIn(use->second);
  const auto save = calls.find("Save");
  return save == calls.end() ? nullptr : save->second;
}

}  // namespace mgen
