// SPDX-License-Identifier: Apache-2.0
#include "frontend/signature.h"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "frontend/clang_compat.h"
#include "frontend/doc_comment.h"
#include "frontend/marks.h"
#include "frontend/names.h"
#include "frontend/types.h"

namespace mgen {
namespace {

using Constant = std::variant<int64_t, double, bool>;

std::optional<Constant> ToConstant(const clang::APValue &value, ScalarKind kind) {
  if (value.isInt()) {
    if (kind == ScalarKind::kBool) return Constant(value.getInt().getBoolValue());
    if (CategoryOf(kind) == Category::kFloat) {
      return Constant(static_cast<double>(value.getInt().getExtValue()));
    }
    return Constant(static_cast<int64_t>(value.getInt().getExtValue()));
  }
  if (!value.isFloat()) return std::nullopt;
  llvm::APFloat number = value.getFloat();
  bool loses = false;
  number.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &loses);
  return Constant(number.convertToDouble());
}

/// `DType(0.1)`: what is converted; its type is known in the instances only.
const clang::Expr *WithoutDependentCast(const clang::Expr *e) {
  e = e->IgnoreParenImpCasts();
  if (const auto *construct = llvm::dyn_cast<clang::CXXUnresolvedConstructExpr>(e)) {
    if (construct->getNumArgs() == 1) return WithoutDependentCast(construct->getArg(0));
  }
  if (const auto *cast = llvm::dyn_cast<clang::ExplicitCastExpr>(e)) {
    if (cast->getType()->isDependentType()) return WithoutDependentCast(cast->getSubExpr());
  }
  return e;
}

class Signature {
 public:
  Signature(FrontEnd &front, const clang::FunctionTemplateDecl *pattern,
            const clang::FunctionDecl *instance)
      : front_(front), pattern_(pattern), instance_(instance) {}

  Rule Lower() {
    rule_.name = pattern_->getNameAsString();
    rule_.location = front_.Where(pattern_->getLocation());
    rule_.is_expression = IsMarkedExpression(pattern_->getTemplatedDecl());
    LowerNamespaces();
    if (rule_.is_expression) {
      LowerOperandTypes();
      rule_.params.push_back(Result());
    } else {
      LowerTemplateParams();
    }
    const DocComment doc = ReadDocComment(front_.ast, pattern_);
    rule_.doc = doc.lines;
    const clang::FunctionDecl *function = pattern_->getTemplatedDecl();
    for (unsigned i = 0; i < function->getNumParams(); ++i) {
      Param param = LowerParam(function->getParamDecl(i), instance_->getParamDecl(i), i);
      const auto text = doc.params.find(param.name);
      if (text != doc.params.end()) param.doc = text->second;
      rule_.params.push_back(std::move(param));
    }
    return std::move(rule_);
  }

 private:
  void LowerNamespaces() {
    for (const clang::DeclContext *scope = pattern_->getDeclContext(); scope;
         scope = scope->getParent()) {
      const auto *space = llvm::dyn_cast<clang::NamespaceDecl>(scope);
      if (!space) continue;
      rule_.namespaces.insert(rule_.namespaces.begin(), space->getNameAsString());
    }
  }

  /// What each template parameter is, the instance's arguments say.
  void LowerTemplateParams() {
    const clang::TemplateArgumentList *args = instance_->getTemplateSpecializationArgs();
    rule_.instances.emplace_back();
    for (unsigned i = 0; i < args->size(); ++i) {
      const clang::NamedDecl *declared = pattern_->getTemplateParameters()->getParam(i);
      TemplateParam param;
      param.name = declared->getNameAsString();
      const clang::TemplateArgument &arg = (*args)[i];
      const bool is_type = arg.getKind() == clang::TemplateArgument::Type;
      const auto kind = is_type ? ScalarKindOf(front_.ast, arg.getAsType()) : std::nullopt;
      if (is_type && RecordName(arg.getAsType()) == "mshadow::cpu") {
        param.kind = TemplateParam::kDevice;
      } else if (is_type && kind && IsElementKind(*kind)) {
        param.kind = TemplateParam::kElementType;
        rule_.instances.back().push_back(*kind);
      } else if (arg.getKind() == clang::TemplateArgument::Integral) {
        param.kind = TemplateParam::kRank;
      } else if (is_type) {
        RejectElement(arg.getAsType());
      } else {
        RejectTemplateParam(declared);
      }
      CheckName(front_, param.name, declared->getSourceRange());
      rule_.template_params.push_back(std::move(param));
    }
  }

  /// A name that no parameter of the function has.
  std::string FreshName(const std::string &base) const {
    std::string name = base;
    const auto is_taken = [&name](const clang::ParmVarDecl *param) {
      return param->getName() == name;
    };
    const auto params = pattern_->getTemplatedDecl()->parameters();
    for (int i = 1; std::any_of(params.begin(), params.end(), is_taken); ++i) {
      name = base + std::to_string(i);
    }
    return name;
  }

  /// An expression is a rule for any device and rank, of the element types of its operands.
  void LowerOperandTypes() {
    rule_.template_params = {{TemplateParam::kDevice, FreshName("xpu")},
                             {TemplateParam::kRank, FreshName("dim")}};
    rule_.instances.emplace_back();
    const clang::TemplateArgumentList *args = instance_->getTemplateSpecializationArgs();
    for (unsigned i = 0; i < args->size(); ++i) {
      const clang::NamedDecl *declared = pattern_->getTemplateParameters()->getParam(i);
      const clang::TemplateArgument &arg = (*args)[i];
      const bool is_type = arg.getKind() == clang::TemplateArgument::Type;
      if (!is_type || !IsTensor(arg.getAsType())) RejectTemplateParam(declared);
      const clang::QualType element = *ElementTypeOf(arg.getAsType());
      const auto kind = ScalarKindOf(front_.ast, element);
      if (!kind || !IsElementKind(*kind)) RejectElement(element);
      const std::string name = args->size() == 1 ? "DType" : declared->getNameAsString() + "Type";
      CheckName(front_, name, declared->getSourceRange());
      rule_.template_params.push_back({TemplateParam::kElementType, FreshName(name)});
      rule_.instances.back().push_back(*kind);
    }
  }

  /// What an expression returns, as a tensor that the rule writes.
  Param Result() {
    Param param;
    param.name = FreshName("result");
    param.is_tensor = true;
    param.rank = Param::kRankParam;
    param.location = rule_.location;
    const auto element = ElementTypeOf(instance_->getReturnType());
    const auto kind = element ? ScalarKindOf(front_.ast, *element) : std::nullopt;
    if (!kind || !IsElementKind(*kind)) {
      front_.diagnostics
          .Report(DiagId::kUnsupportedRule, rule_.location, "expression", rule_.name,
                  "returns no expression")
          .Note(DiagId::kExpressionFormNote, rule_.location, rule_.name);
      throw Rejected();
    }
    param.type.kind = *kind;
    return param;
  }

  [[noreturn]] void RejectElement(clang::QualType type) {
    const SourceLocation location = front_.Where(instance_->getPointOfInstantiation());
    front_.diagnostics
        .Report(DiagId::kUnsupportedType, location, TypeText(front_.ast, type),
                (rule_.is_expression ? "MSHADOW_INSTANTIATE_EXPRESSION(" : "MSHADOW_INSTANTIATE(") +
                    rule_.name + ", ...)")
        .Note(DiagId::kUnsupportedTypeNote, location);
    throw Rejected();
  }

  [[noreturn]] void RejectTemplateParam(const clang::NamedDecl *declared) {
    const SourceLocation location = front_.Where(declared->getSourceRange());
    front_.diagnostics
        .Report(DiagId::kUnsupportedTemplateParameter, location, declared->getNameAsString())
        .Note(rule_.is_expression ? DiagId::kExpressionFormNote : DiagId::kNotTemplateNote,
              location, rule_.name);
    throw Rejected();
  }

  [[noreturn]] void RejectParam(const clang::ParmVarDecl *written) {
    RejectParam(written, rule_.is_expression ? DiagId::kOperandNote : DiagId::kParameterNote);
  }

  [[noreturn]] void RejectParam(const clang::ParmVarDecl *written, DiagId note) {
    const SourceLocation location = front_.Where(written->getSourceRange());
    front_.diagnostics
        .Report(DiagId::kUnsupportedParameter, location, written->getNameAsString(),
                TypeText(front_.ast, written->getType()),
                rule_.is_expression ? "an expression" : "a rule")
        .Note(note, location);
    throw Rejected();
  }

  Param LowerParam(const clang::ParmVarDecl *written, const clang::ParmVarDecl *instance,
                   unsigned number) {
    Param param;
    param.name = written->getNameAsString();
    param.location = front_.Where(written->getLocation());
    if (param.name.empty()) {
      front_.diagnostics.Report(DiagId::kUnnamedParameter, front_.Where(written->getSourceRange()),
                                number + 1, rule_.name);
      throw Rejected();
    }
    CheckName(front_, param.name, written->getLocation());
    const clang::QualType type = instance->getType();
    const bool is_const = type.getNonReferenceType().isConstQualified();
    if (type->isRValueReferenceType()) RejectParam(written);
    if (type->isLValueReferenceType()) {
      param.passing = is_const ? Param::kByConstRef : Param::kByRef;
    }
    if (IsTensor(type)) {
      LowerTensor(written, instance, &param);
    } else {
      const auto kind = ScalarKindOf(front_.ast, type);
      if (!kind || param.passing == Param::kByRef) RejectParam(written);
      param.type.kind = *kind;
    }
    if (param.is_tensor) param.is_const = is_const || rule_.is_expression;
    LowerRole(written, &param);
    LowerDefault(written, &param);
    return param;
  }

  void LowerTensor(const clang::ParmVarDecl *written, const clang::ParmVarDecl *instance,
                   Param *param) {
    param->is_tensor = true;
    const clang::TemplateArgumentList *args = TemplateArgs(instance->getType());
    const auto kind = ScalarKindOf(front_.ast, (*args)[2].getAsType());
    if (!kind || !IsElementKind(*kind)) RejectParam(written);
    param->type.kind = *kind;
    if (rule_.is_expression) return LowerOperand(written, param);
    // As written, Tensor<xpu, dim, DType>: the device depends on xpu, the rank perhaps on dim.
    const auto *type = written->getType()
                           .getNonReferenceType()
                           .getCanonicalType()
                           ->getAs<clang::TemplateSpecializationType>();
    if (!type) RejectParam(written);
    const llvm::ArrayRef<clang::TemplateArgument> pattern = type->template_arguments();
    if (!pattern[0].isDependent()) RejectParam(written);
    param->rank = pattern[1].isDependent()
                      ? Param::kRankParam
                      : static_cast<int>((*args)[1].getAsIntegral().getExtValue());
  }

  /// As written, `const X &x` or `X x`, of a type of its own.
  void LowerOperand(const clang::ParmVarDecl *written, Param *param) {
    const auto *type = written->getType()
                           .getNonReferenceType()
                           .getCanonicalType()
                           ->getAs<clang::TemplateTypeParmType>();
    const bool is_new = type && operand_types_.insert(type->getIndex()).second;
    if (type && !is_new) RejectParam(written, DiagId::kSharedOperandNote);
    if (!is_new || param->passing == Param::kByRef) RejectParam(written);
    param->rank = Param::kRankParam;
    param->passing = Param::kByConstRef;
  }

  void LowerRole(const clang::ParmVarDecl *written, Param *param) {
    for (const auto *attribute : written->specific_attrs<clang::AnnotateAttr>()) {
      llvm::StringRef text = attribute->getAnnotation();
      if (!text.consume_front("mshadow::")) continue;
      bool fits = param->is_tensor;
      if (text == "parameter") {
        param->role = Role::kParameter;
      } else if (text == "gradient") {
        param->role = Role::kGradient;
      } else if (text.consume_front("state=")) {
        param->role = Role::kState;
        if (param->is_tensor) LowerState(text.trim().str(), written, param);
      } else if (text == "step") {
        param->role = Role::kStep;
        fits = !param->is_tensor || param->rank == 1;
      } else {
        param->role = Role::kHyper;
        fits = !param->is_tensor;
      }
      if (!fits) RejectRole(written, *param);
    }
  }

  [[noreturn]] void RejectRole(const clang::ParmVarDecl *written, const Param &param) {
    const SourceLocation location = front_.Where(written->getSourceRange());
    front_.diagnostics
        .Report(DiagId::kBadAnnotation, location, param.name,
                "MSHADOW_" + llvm::StringRef(std::string(IrName(param.role))).upper())
        .Note(DiagId::kBadAnnotationNote, location, param.name,
              param.is_tensor ? "tensor" : "scalar");
    throw Rejected();
  }

  [[noreturn]] void RejectState(const clang::ParmVarDecl *written, const Param &param,
                                const std::string &value) {
    const SourceLocation location = front_.Where(written->getSourceRange());
    front_.diagnostics.Report(DiagId::kStateValue, location, param.name, value)
        .Note(DiagId::kStateValueNote, location);
    throw Rejected();
  }

  /// MSHADOW_STATE(init) carries the initial value as text: a number.
  void LowerState(std::string init, const clang::ParmVarDecl *written, Param *param) {
    if (init == "true" || init == "false") {
      param->value = init == "true";
      return;
    }
    if (!init.empty() && (init.back() == 'f' || init.back() == 'F')) init.pop_back();
    char *end = nullptr;
    const double value = std::strtod(init.c_str(), &end);
    if (init.empty() || *end != '\0') RejectState(written, *param, init);
    if (CategoryOf(param->type.kind) == Category::kFloat) {
      param->value = value;
    } else {
      param->value = static_cast<int64_t>(value);
    }
  }

  void LowerDefault(const clang::ParmVarDecl *written, Param *param) {
    if (!written->hasDefaultArg() || written->hasUnparsedDefaultArg()) return;
    const clang::Expr *value = WithoutDependentCast(written->getDefaultArg());
    clang::Expr::EvalResult result;
    if (!param->is_tensor && !value->isValueDependent() &&
        value->EvaluateAsRValue(result, front_.ast) && !result.HasSideEffects) {
      if (const auto constant = ToConstant(result.Val, param->type.kind)) {
        param->value = *constant;
        return;
      }
    }
    const SourceLocation location = front_.Where(written->getSourceRange());
    front_.diagnostics.Report(DiagId::kUnsupportedDefault, location, param->name)
        .Note(DiagId::kUnsupportedDefaultNote, location);
    throw Rejected();
  }

  FrontEnd &front_;
  const clang::FunctionTemplateDecl *pattern_;
  const clang::FunctionDecl *instance_;
  Rule rule_;
  std::set<unsigned> operand_types_;  ///< of an expression: the template parameters that are taken
};

}  // namespace

Rule LowerSignature(FrontEnd &front, const clang::FunctionTemplateDecl *pattern,
                    const clang::FunctionDecl *instance) {
  return Signature(front, pattern, instance).Lower();
}

}  // namespace mgen
