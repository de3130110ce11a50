// SPDX-License-Identifier: Apache-2.0
// The only file that includes Sema, which costs seconds to compile.
#include "frontend/instantiations.h"

#include <clang/Sema/Sema.h>
#include <clang/Sema/Template.h>
#include <clang/Sema/TemplateDeduction.h>
#include <clang/Sema/TemplateInstCallback.h>

#include <memory>
#include <utility>
#include <vector>

#include "frontend/find_rules.h"
#include "frontend/marks.h"

namespace mgen {
namespace {

class LineOfInstantiation : public clang::TemplateInstantiationCallback {
 public:
  explicit LineOfInstantiation(std::atomic<int> *line) : line_(line) {}
  void initialize(const clang::Sema &) override {}
  void finalize(const clang::Sema &) override {}
  void atTemplateBegin(const clang::Sema &sema,
                       const clang::Sema::CodeSynthesisContext &instantiation) override {
    const clang::SourceManager &sources = sema.getSourceManager();
    const clang::SourceLocation place = instantiation.PointOfInstantiation;
    if (place.isInvalid() || !sources.isInMainFile(sources.getFileLoc(place))) return;
    *line_ = static_cast<int>(sources.getExpansionLineNumber(place));
  }
  void atTemplateEnd(const clang::Sema &, const clang::Sema::CodeSynthesisContext &) override {}

 private:
  std::atomic<int> *line_;
};

/// The type mshadow::cpu.
clang::QualType CpuType(clang::ASTContext &ast) {
  const clang::DeclContext *scope = ast.getTranslationUnitDecl();
  scope = llvm::cast<clang::NamespaceDecl>(scope->lookup(&ast.Idents.get("mshadow")).front());
  return ast.getTypeDeclType(
      llvm::cast<clang::RecordDecl>(scope->lookup(&ast.Idents.get("cpu")).front()));
}

/// The instance `rule<types…>`, without its body yet; null if it cannot have these arguments, or
/// should not: of a body for void, Clang says nothing that helps.
clang::FunctionDecl *InstanceOf(clang::Sema &sema, clang::FunctionTemplateDecl *rule,
                                const std::vector<clang::QualType> &types,
                                clang::SourceLocation where) {
  clang::TemplateArgumentListInfo args(where, where);
  for (const clang::QualType type : types) {
    if (type->isVoidType()) return nullptr;
    args.addArgument(
        {clang::TemplateArgument(type), sema.Context.getTrivialTypeSourceInfo(type, where)});
  }
  clang::sema::TemplateDeductionInfo info(where);
  clang::FunctionDecl *instance = nullptr;
  sema.DeduceTemplateArguments(rule, &args, instance, info, /*IsAddressOfFunction=*/true);
  return instance;
}

/// The rules that an MSHADOW_INSTANTIATE names, if there are several.
std::vector<clang::FunctionTemplateDecl *> OverloadsIn(const FoundRules &found,
                                                       const Instantiation &asked) {
  std::vector<clang::FunctionTemplateDecl *> rules;
  for (const clang::FunctionDecl *rule : found.functions) {
    clang::FunctionTemplateDecl *pattern = rule->getDescribedFunctionTemplate();
    if (pattern && IsMarkedRule(rule) && asked.IsOf(*rule)) rules.push_back(pattern);
  }
  if (rules.size() < 2) rules.clear();
  return rules;
}

/// Sema asks for what is pending after it has seen all of the spec, before it instantiates.
class PendingOverloads : public clang::ExternalSemaSource {
 public:
  explicit PendingOverloads(clang::Sema &sema) : sema_(sema) {}

  void ReadPendingInstantiations(
      llvm::SmallVectorImpl<std::pair<clang::ValueDecl *, clang::SourceLocation>> &pending)
      override {
    const FoundRules found = FindRules(sema_.Context);
    for (const Instantiation &asked : found.instantiations) {
      for (clang::FunctionTemplateDecl *rule : OverloadsIn(found, asked)) {
        for (std::vector<clang::QualType> types : asked.tuples) {
          types.insert(types.begin(), CpuType(sema_.Context));
          clang::FunctionDecl *instance = InstanceOf(sema_, rule, types, asked.location);
          if (!instance) continue;
          if (instance->getPointOfInstantiation().isInvalid()) {
            instance->setTemplateSpecializationKind(clang::TSK_ImplicitInstantiation,
                                                    asked.location);
          }
          pending.emplace_back(instance, asked.location);
        }
      }
    }
  }

 private:
  clang::Sema &sema_;
};

}  // namespace

void WatchInstantiations(clang::Sema &sema, std::atomic<int> *line) {
  if (line) sema.TemplateInstCallbacks.push_back(std::make_unique<LineOfInstantiation>(line));
}

llvm::IntrusiveRefCntPtr<clang::ExternalSemaSource> InstantiateOverloads(clang::Sema &sema) {
  llvm::IntrusiveRefCntPtr<clang::ExternalSemaSource> overloads(new PendingOverloads(sema));
  sema.addExternalSource(overloads.get());
  return overloads;
}

}  // namespace mgen
