// SPDX-License-Identifier: Apache-2.0
#include "frontend/find_rules.h"

#include "frontend/lower_scalar.h"
#include "frontend/marks.h"
#include "frontend/names.h"
#include "frontend/types.h"

namespace mgen {
namespace {

/// `float`, or the list that a Types<…> is.
std::vector<clang::QualType> TupleOf(clang::QualType type) {
  if (RecordName(type) != "mshadow::Types") return {type};
  std::vector<clang::QualType> types;
  for (const clang::TemplateArgument &arg : (*TemplateArgs(type))[0].pack_elements()) {
    types.push_back(arg.getAsType());
  }
  return types;
}

/// Looks at declarations alone, never at what functions do: a runtime header has thousands of
/// expressions and no rule. A RecursiveASTVisitor would cost a tenth of a run.
class RuleFinder {
 public:
  explicit RuleFinder(const clang::SourceManager &sources) : sources_(sources) {}

  void LookIn(const clang::DeclContext &scope) {
    for (const clang::Decl *decl : scope.decls()) Look(*decl);
  }

  FoundRules found;

 private:
  void Look(const clang::Decl &decl) {
    if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(&decl)) {
      LookForInstantiation(*variable);
    } else if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(&decl)) {
      LookForMark(*function);
    } else if (const auto *pattern = llvm::dyn_cast<clang::TemplateDecl>(&decl)) {
      if (const clang::NamedDecl *templated = pattern->getTemplatedDecl()) Look(*templated);
    } else if (const auto *befriended = llvm::dyn_cast<clang::FriendDecl>(&decl)) {
      if (const clang::NamedDecl *declared = befriended->getFriendDecl()) Look(*declared);
    } else if (const auto *scope = llvm::dyn_cast<clang::DeclContext>(&decl)) {
      LookIn(*scope);  // a namespace, extern "C", a class
    }
  }

  void LookForMark(const clang::FunctionDecl &function) {
    const bool here = sources_.isInMainFile(sources_.getFileLoc(function.getLocation()));
    const bool is_marked = here && (IsMarkedRule(&function) || IsMarkedExpression(&function));
    if (is_marked && function.isFirstDecl()) found.functions.push_back(&function);
  }

  /// `static const int Rule_count_N =
  /// ::mshadow::gen::Instantiate<Rule_instances_N>(TypeList<…>());`
  void LookForInstantiation(const clang::VarDecl &variable) {
    const clang::Expr *value = variable.getInit();
    const auto *call =
        value ? llvm::dyn_cast<clang::CallExpr>(StripWrappers(value)->IgnoreImplicit()) : nullptr;
    const clang::FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
    if (!callee || QualifiedName(*callee) != "mshadow::gen::Instantiate") return;
    const clang::TemplateArgumentList &args = *callee->getTemplateSpecializationArgs();
    Instantiation result{RecordOf(args[0].getAsType()), {}, call->getBeginLoc()};
    for (const clang::TemplateArgument &arg : args[1].pack_elements()) {
      result.tuples.push_back(TupleOf(arg.getAsType()));
    }
    found.instantiations.push_back(std::move(result));
  }

  const clang::SourceManager &sources_;
};

}  // namespace

bool Instantiation::IsOf(const clang::FunctionDecl &rule) const {
  return mark->getDeclContext()->getPrimaryContext() ==
             rule.getDeclContext()->getPrimaryContext() &&
         compat::StartsWith(mark->getName(), rule.getNameAsString() + "_instances_");
}

FoundRules FindRules(const clang::ASTContext &ast) {
  RuleFinder finder(ast.getSourceManager());
  finder.LookIn(*ast.getTranslationUnitDecl());
  return std::move(finder.found);
}

}  // namespace mgen
