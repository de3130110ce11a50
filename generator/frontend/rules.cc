// SPDX-License-Identifier: Apache-2.0
#include "frontend/rules.h"

#include <algorithm>
#include <map>

#include "frontend/clang_compat.h"
#include "frontend/find_rules.h"
#include "frontend/front_end.h"
#include "frontend/lower_rule.h"
#include "frontend/marks.h"
#include "frontend/names.h"
#include "frontend/overloads.h"
#include "frontend/signature.h"
#include "frontend/statement_text.h"
#include "frontend/types.h"

namespace mgen {
namespace {

class RuleLowering {
 public:
  RuleLowering(clang::ASTContext &ast, const std::string &spec, Diagnostics &diagnostics)
      : front_(ast, diagnostics), spec_(spec) {}

  /// Whether `function` has the form of a rule; reports what is wrong.
  bool CheckForm(const clang::FunctionDecl *function);
  /// Whether each item of MSHADOW_INSTANTIATE is an instance of one of `rules`; reports the first
  /// that is none.
  bool CheckInstantiations(const std::vector<const clang::FunctionDecl *> &rules,
                           const std::vector<Instantiation> &instantiations);
  std::vector<Rule> Lower(const clang::FunctionDecl *function,
                          const std::vector<Instantiation> &instantiations);

 private:
  bool CheckTemplate(const clang::FunctionDecl *function, const SourceLocation &location);
  bool CheckContext(const clang::FunctionDecl *function, const SourceLocation &location);
  bool CheckUnique(const clang::FunctionDecl *function, const SourceLocation &location);
  void ReportInstanceTypes(const clang::FunctionDecl *function, const SourceLocation &location);
  void CheckNames(const clang::FunctionDecl *function);
  std::vector<const clang::FunctionDecl *> Instances(
      const clang::FunctionTemplateDecl *pattern, const std::vector<Instantiation> &instantiations);

  FrontEnd front_;
  const std::string spec_;
  std::map<std::string, const clang::FunctionDecl *> names_;
  bool has_duplicates_ = false;  // Clang has no instances of these
};

bool RuleLowering::CheckForm(const clang::FunctionDecl *function) {
  const SourceLocation location = front_.Where(function->getLocation());
  try {
    CheckNames(function);
  } catch (const Rejected &) {
    return false;
  }
  return CheckContext(function, location) && CheckTemplate(function, location) &&
         CheckUnique(function, location);
}

void RuleLowering::CheckNames(const clang::FunctionDecl *function) {
  CheckDeclaredName(front_, function);
  for (const clang::DeclContext *scope = function->getDeclContext(); scope;
       scope = scope->getParent()) {
    const auto *space = llvm::dyn_cast<clang::NamespaceDecl>(scope);
    if (space && !space->isAnonymousNamespace()) {
      CheckDeclaredName(front_, space);
    }
  }
}

namespace {

/// What messages call it.
std::string KindOf(const clang::FunctionDecl *function) {
  return IsMarkedExpression(function) ? "expression" : "rule";
}

}  // namespace

bool RuleLowering::CheckContext(const clang::FunctionDecl *function,
                                const SourceLocation &location) {
  std::string problem, instead;
  const auto reject = [&](const char *what, const char *remedy) {
    if (problem.empty()) instead = remedy;
    if (problem.empty()) problem = what;
  };
  for (const clang::DeclContext *scope = function->getDeclContext(); scope;
       scope = scope->getParent()) {
    const auto *space = llvm::dyn_cast<clang::NamespaceDecl>(scope);
    if (space && space->isAnonymousNamespace()) {
      reject("is in an unnamed namespace", "give the namespace a name");
    }
    if (llvm::isa<clang::RecordDecl>(scope)) {
      reject("is a member of a class", "move it out of the class");
    }
  }
  const bool is_expression = IsMarkedExpression(function);
  if (is_expression && IsMarkedRule(function)) {
    reject("is marked twice", "keep one of MSHADOW_KERNEL and MSHADOW_EXPRESSION");
  }
  const bool is_void = function->getReturnType()->isVoidType();
  if (!is_expression && !is_void) {
    reject("returns a value", "return void, and write the result to a tensor parameter");
  }
  if (is_expression && is_void) reject("returns nothing", "");
  // What it returns depends on its operands.
  const bool is_deduced = !function->getDescribedFunctionTemplate() ||
                          function->getReturnType()->isUndeducedType() ||
                          function->getReturnType()->isDependentType();
  if (is_expression && !is_deduced) reject("returns no expression", "");
  if (function->isVariadic()) {
    reject("has a variable number of arguments", "take a fixed number of parameters");
  }
  if (function->getStorageClass() == clang::SC_Static) reject("is static", "remove 'static'");
  if (problem.empty()) return true;
  auto report = front_.diagnostics.Report(DiagId::kUnsupportedRule, location, KindOf(function),
                                          function->getNameAsString(), problem);
  if (!instead.empty()) report.Note(DiagId::kInsteadNote, location, instead);
  report.Note(is_expression ? DiagId::kExpressionFormNote : DiagId::kUnsupportedRuleNote, location,
              function->getNameAsString());
  return false;
}

/// What a rule, or an expression, is to look like.
DiagId FormNote(const clang::FunctionDecl *function) {
  return IsMarkedExpression(function) ? DiagId::kExpressionFormNote : DiagId::kNotTemplateNote;
}

bool RuleLowering::CheckTemplate(const clang::FunctionDecl *function,
                                 const SourceLocation &location) {
  const std::string name = function->getNameAsString();
  const clang::FunctionTemplateDecl *pattern = function->getDescribedFunctionTemplate();
  bool has_type = false;
  if (pattern) {
    for (const clang::NamedDecl *param : *pattern->getTemplateParameters()) {
      if (param->isParameterPack() || llvm::isa<clang::TemplateTemplateParmDecl>(param)) {
        front_.diagnostics
            .Report(DiagId::kUnsupportedTemplateParameter, front_.Where(param->getSourceRange()),
                    param->getNameAsString())
            .Note(FormNote(function), location, name);
        return false;
      }
      has_type = has_type || llvm::isa<clang::TemplateTypeParmDecl>(param);
    }
  }
  if (!has_type) {
    const bool is_expression = IsMarkedExpression(function);
    front_.diagnostics
        .Report(DiagId::kNotTemplate, location, KindOf(function), name,
                is_expression ? "the types of its operands" : "the device and the element type")
        .Note(FormNote(function), location, name);
    return false;
  }
  if (function->getDefinition() || pattern->getTemplatedDecl()->getDefinition()) return true;
  front_.diagnostics.Report(DiagId::kNoBody, location, name)
      .Note(DiagId::kNoBodyNote, location, name);
  return false;
}

bool RuleLowering::CheckUnique(const clang::FunctionDecl *function,
                               const SourceLocation &location) {
  const auto [known, is_new] = names_.emplace(QualifiedName(*function), function);
  if (is_new || (MayBeOverloaded(*known->second) && MayBeOverloaded(*function))) return true;
  has_duplicates_ = true;
  front_.diagnostics.Report(DiagId::kDuplicateRule, location, function->getNameAsString())
      .Note(DiagId::kPreviousHere, front_.Where(known->second->getLocation()))
      .Note(DiagId::kDuplicateRuleNote, location);
  return false;
}

/// The element types of an instance, in order; of an expression those of its operands.
std::vector<clang::QualType> ElementTypes(const clang::FunctionDecl *instance) {
  std::vector<clang::QualType> types;
  for (const clang::TemplateArgument &arg : instance->getTemplateSpecializationArgs()->asArray()) {
    const bool is_type = arg.getKind() == clang::TemplateArgument::Type;
    if (!is_type || RecordName(arg.getAsType()) == "mshadow::cpu") continue;
    types.push_back(IsTensor(arg.getAsType()) ? *ElementTypeOf(arg.getAsType()) : arg.getAsType());
  }
  return types;
}

/// \param b as many as `a`, or one that stands for all of them
bool SameTypes(const std::vector<clang::QualType> &a, std::vector<clang::QualType> b) {
  if (b.size() == 1) b.resize(a.size(), b[0]);
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](clang::QualType x, clang::QualType y) {
                      return x.getCanonicalType() == y.getCanonicalType();
                    });
}

/// The instance of a rule for these types; null if there is none.
const clang::FunctionDecl *InstanceOf(const clang::FunctionTemplateDecl *pattern,
                                      const std::vector<clang::QualType> &types) {
  for (const clang::FunctionDecl *instance : pattern->specializations()) {
    const clang::FunctionDecl *definition = nullptr;
    if (instance->getBody(definition) && SameTypes(ElementTypes(definition), types)) {
      return definition;
    }
  }
  return nullptr;
}

bool RuleLowering::CheckInstantiations(const std::vector<const clang::FunctionDecl *> &rules,
                                       const std::vector<Instantiation> &instantiations) {
  if (has_duplicates_) return false;
  for (const Instantiation &asked : instantiations) {
    std::vector<const clang::FunctionDecl *> named;
    std::copy_if(rules.begin(), rules.end(), std::back_inserter(named),
                 [&](const clang::FunctionDecl *rule) { return asked.IsOf(*rule); });
    if (named.empty()) continue;
    for (const std::vector<clang::QualType> &tuple : asked.tuples) {
      const bool is_one = std::any_of(named.begin(), named.end(), [&](const auto *rule) {
        return InstanceOf(rule->getDescribedFunctionTemplate(), tuple);
      });
      if (is_one) continue;
      ReportInstanceTypes(named.front(), front_.Where(asked.location));
      return false;
    }
  }
  return true;
}

void RuleLowering::ReportInstanceTypes(const clang::FunctionDecl *function,
                                       const SourceLocation &location) {
  const bool is_rule = IsMarkedRule(function);
  front_.diagnostics
      .Report(DiagId::kInstanceTypes, location, KindOf(function), function->getNameAsString(),
              is_rule ? "has type parameters" : "has operands")
      .Note(DiagId::kInstanceTypesNote, location,
            is_rule
                ? "an item is a type, such as 'float'; for a rule with two type parameters it is "
                  "'Types<float, int32_t>', for a rule without one 'Types<>'"
                : "an item is the element type of all operands, such as 'float', or "
                  "'Types<float, int32_t>' with a type for each of two operands");
}

/// The instances in the order of MSHADOW_INSTANTIATE; Clang keeps them in another.
std::vector<const clang::FunctionDecl *> RuleLowering::Instances(
    const clang::FunctionTemplateDecl *pattern, const std::vector<Instantiation> &instantiations) {
  std::vector<const clang::FunctionDecl *> instances;
  for (const Instantiation &asked : instantiations) {
    if (!asked.IsOf(*pattern->getTemplatedDecl())) continue;
    for (const std::vector<clang::QualType> &tuple : asked.tuples) {
      const clang::FunctionDecl *match = InstanceOf(pattern, tuple);
      if (!match) continue;
      if (std::find(instances.begin(), instances.end(), match) != instances.end()) {
        const SourceLocation location = front_.Where(asked.location);
        front_.diagnostics
            .Report(DiagId::kDuplicateInstance, location, pattern->getNameAsString(),
                    TypeText(front_.ast, tuple[0]))
            .Note(DiagId::kDuplicateInstanceNote, location);
        continue;
      }
      instances.push_back(match);
    }
  }
  return instances;
}

/// An expression whose operands have one element type in each instance has one type parameter.
void MergeOperandTypes(std::vector<Rule> *instances) {
  const auto is_uniform = [](const Rule &rule) {
    const std::vector<ScalarKind> &types = rule.instances.front();
    return std::all_of(types.begin(), types.end(),
                       [&types](ScalarKind kind) { return kind == types.front(); });
  };
  if (!std::all_of(instances->begin(), instances->end(), is_uniform)) return;
  for (Rule &rule : *instances) {
    rule.instances.front().resize(1);
    rule.template_params.resize(3);  // device, rank, element type
    rule.template_params.back().name = "DType";
  }
}

/// What MSHADOW_INSTANTIATE takes of a rule like this, to show the form of it: "float", and
/// "Types<float, float>" of two type parameters beside the device.
std::string UsualInstance(const clang::FunctionDecl *function) {
  if (IsMarkedExpression(function)) return "float";
  int types = -1;
  const clang::FunctionTemplateDecl *pattern = function->getDescribedFunctionTemplate();
  for (const clang::NamedDecl *param : *pattern->getTemplateParameters()) {
    types += llvm::isa<clang::TemplateTypeParmDecl>(param);
  }
  if (types == 1) return "float";
  std::string list;
  for (int i = 0; i < types; ++i) list += i > 0 ? ", float" : "float";
  return "Types<" + list + ">";
}

/// \returns a rule for each instance; none after errors
std::vector<Rule> RuleLowering::Lower(const clang::FunctionDecl *function,
                                      const std::vector<Instantiation> &instantiations) {
  std::vector<Rule> rules;
  const clang::FunctionTemplateDecl *pattern = function->getDescribedFunctionTemplate();
  const std::vector<const clang::FunctionDecl *> instances = Instances(pattern, instantiations);
  if (instances.empty()) {
    const SourceLocation location = front_.Where(function->getLocation());
    front_.diagnostics
        .Report(DiagId::kNoInstance, location, KindOf(function), function->getNameAsString())
        .Note(
            DiagId::kNoInstanceNote, location, function->getNameAsString(),
            IsMarkedExpression(function) ? "MSHADOW_INSTANTIATE_EXPRESSION" : "MSHADOW_INSTANTIATE",
            UsualInstance(function),
            UsualInstance(function) == "Types<>" ? "" : ", with the element types that you need");
    return rules;
  }
  const StatementTexts texts(pattern->getTemplatedDecl()->getDefinition());
  const int errors_before = front_.diagnostics.reported_errors();
  for (const clang::FunctionDecl *instance : instances) {
    front_.ResetSteps();
    try {
      Rule rule = LowerSignature(front_, pattern, instance);
      rule.spec = spec_;
      LowerBody(front_, instance, texts, &rule);
      rules.push_back(std::move(rule));
    } catch (const Rejected &) {
    }
  }
  if (front_.diagnostics.reported_errors() > errors_before) return {};
  if (IsMarkedExpression(function)) MergeOperandTypes(&rules);
  return rules;
}

}  // namespace

std::vector<ConstTensor> FindConstTensors(clang::ASTContext &ast) {
  std::vector<ConstTensor> tensors;
  const FoundRules found = FindRules(ast);
  for (const clang::FunctionDecl *function : found.functions) {
    const auto where = [&](clang::SourceRange range) {
      return ToLocation(ast.getSourceManager(), ast.getLangOpts(), range);
    };
    for (const clang::ParmVarDecl *param : function->parameters()) {
      if (!param->getType().getNonReferenceType().isConstQualified()) continue;
      tensors.push_back({param->getNameAsString(), where(param->getLocation()),
                         where(function->getBeginLoc()).line, where(function->getEndLoc()).line});
    }
  }
  return tensors;
}

std::vector<std::vector<Rule>> LowerRules(clang::ASTContext &ast, const std::string &spec,
                                          bool well_formed, Diagnostics &diagnostics) {
  const FoundRules found = FindRules(ast);
  RuleLowering lowering(ast, spec, diagnostics);
  std::vector<const clang::FunctionDecl *> rules;
  for (const clang::FunctionDecl *function : found.functions) {
    if (lowering.CheckForm(function)) rules.push_back(function);
  }
  std::vector<std::vector<Rule>> result;
  if (!well_formed || !lowering.CheckInstantiations(rules, found.instantiations)) return result;
  for (const clang::FunctionDecl *function : rules) {
    std::vector<Rule> instances = lowering.Lower(function, found.instantiations);
    if (!instances.empty()) result.push_back(std::move(instances));
  }
  if (found.functions.empty()) {
    const auto &sources = ast.getSourceManager();
    const SourceLocation where{
        sources.getFilename(sources.getLocForStartOfFile(sources.getMainFileID())).str()};
    diagnostics.Report(DiagId::kNoRules, where).Note(DiagId::kNoRulesNote, where);
  }
  NameOverloads(&result, diagnostics);
  return result;
}

}  // namespace mgen
