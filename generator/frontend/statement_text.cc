// SPDX-License-Identifier: Apache-2.0
#include "frontend/statement_text.h"

#include "frontend/clang_compat.h"
#include "frontend/doc_comment.h"
#include "frontend/lower_loop.h"
#include "frontend/lower_scalar.h"
#include "frontend/types.h"
#include "ir/printer.h"

namespace mgen {
namespace {

constexpr size_t kMaxText = 400;

/// Prints what a statement of a rule can consist of; anything else as "...".
class Printer {
 public:
  std::string Print(const clang::Expr *e) {
    if (++depth_ > 200) return "...";
    std::string text = PrintNode(e);
    --depth_;
    return text;
  }

 private:
  std::string PrintNode(const clang::Expr *e) {
    if (const auto *x = llvm::dyn_cast<clang::ParenExpr>(e))
      return "(" + Print(x->getSubExpr()) + ")";
    e = StripWrappers(e);
    if (const auto *x = llvm::dyn_cast<clang::ImplicitCastExpr>(e)) return Print(x->getSubExpr());
    if (const auto *x = llvm::dyn_cast<clang::BinaryOperator>(e)) return PrintBinary(x);
    if (const auto *x = llvm::dyn_cast<clang::UnaryOperator>(e)) {
      const std::string symbol = clang::UnaryOperator::getOpcodeStr(x->getOpcode()).str();
      const std::string operand = Print(x->getSubExpr());
      return x->isPostfix() ? operand + symbol : symbol + operand;
    }
    if (const auto *x = llvm::dyn_cast<clang::ConditionalOperator>(e)) {
      return Print(x->getCond()) + " ? " + Print(x->getTrueExpr()) + " : " +
             Print(x->getFalseExpr());
    }
    if (const auto *x = llvm::dyn_cast<clang::CXXOperatorCallExpr>(e)) return PrintOperator(x);
    if (const auto *x = llvm::dyn_cast<clang::CallExpr>(e)) {
      return Print(x->getCallee()) + "(" + PrintList(x->arguments()) + ")";
    }
    if (const auto *x = llvm::dyn_cast<clang::ExplicitCastExpr>(e)) return PrintCast(x);
    if (const auto *x = llvm::dyn_cast<clang::CXXUnresolvedConstructExpr>(e)) {
      return TypeName(x->getTypeAsWritten()) + "(" + PrintList(x->arguments()) + ")";
    }
    if (const auto *x = llvm::dyn_cast<clang::CXXConstructExpr>(e)) {
      if (x->getNumArgs() == 1) return Print(x->getArg(0));
    }
    return PrintLeaf(e);
  }

  std::string PrintBinary(const clang::BinaryOperator *e) {
    return Print(e->getLHS()) + " " + e->getOpcodeStr().str() + " " + Print(e->getRHS());
  }

  std::string PrintOperator(const clang::CXXOperatorCallExpr *e) {
    const std::string symbol = clang::getOperatorSpelling(e->getOperator());
    if (e->getOperator() == clang::OO_Subscript && e->getNumArgs() == 2) {
      return Print(e->getArg(0)) + "[" + Print(e->getArg(1)) + "]";
    }
    if (e->getNumArgs() == 1) return symbol + Print(e->getArg(0));
    if (e->getNumArgs() != 2 || e->getOperator() == clang::OO_Call) return "...";
    return Print(e->getArg(0)) + " " + symbol + " " + Print(e->getArg(1));
  }

  std::string PrintCast(const clang::ExplicitCastExpr *e) {
    const std::string type = TypeName(e->getTypeAsWritten());
    const std::string value = Print(e->getSubExpr());
    if (llvm::isa<clang::CXXStaticCastExpr>(e)) return "static_cast<" + type + ">(" + value + ")";
    return type + "(" + value + ")";
  }

  std::string PrintLeaf(const clang::Expr *e) {
    if (const auto *x = llvm::dyn_cast<clang::DeclRefExpr>(e)) {
      return Qualifier(x->getQualifier()) + x->getDecl()->getNameAsString() +
             TemplateArguments(x->template_arguments());
    }
    if (const auto *x = llvm::dyn_cast<clang::OverloadExpr>(e)) {
      return Qualifier(x->getQualifier()) + x->getName().getAsString() +
             TemplateArguments(x->template_arguments());
    }
    if (const auto *x = llvm::dyn_cast<clang::DependentScopeDeclRefExpr>(e)) {
      return Qualifier(x->getQualifier()) + x->getDeclName().getAsString() +
             TemplateArguments(x->template_arguments());
    }
    if (const auto *x = llvm::dyn_cast<clang::CXXDependentScopeMemberExpr>(e)) {
      const std::string member = x->getMember().getAsString();
      return x->isImplicitAccess() ? member : Print(x->getBase()) + "." + member;
    }
    if (const auto *x = llvm::dyn_cast<clang::MemberExpr>(e)) {
      return Print(x->getBase()) + "." + x->getMemberDecl()->getNameAsString();
    }
    if (const auto *x = llvm::dyn_cast<clang::IntegerLiteral>(e)) {
      return std::to_string(x->getValue().getLimitedValue());
    }
    if (const auto *x = llvm::dyn_cast<clang::CXXBoolLiteralExpr>(e)) {
      return x->getValue() ? "true" : "false";
    }
    if (const auto *x = llvm::dyn_cast<clang::FloatingLiteral>(e)) return PrintFloat(x);
    return "...";
  }

  /// As people write it: 1.0f is "1".
  static std::string PrintFloat(const clang::FloatingLiteral *e) {
    const bool is_float = &e->getSemantics() == &llvm::APFloat::IEEEsingle();
    const double value = e->getValueAsApproximateDouble();
    std::string text = PrintNumber(value, is_float ? ScalarKind::kFloat32 : ScalarKind::kFloat64);
    if (text.size() > 2 && text.compare(text.size() - 2, 2, ".0") == 0) {
      text.resize(text.size() - 2);
    }
    return text;
  }

  template <typename Range>
  std::string PrintList(Range &&list) {
    std::string text;
    for (const clang::Expr *e : list) {
      if (llvm::isa<clang::CXXDefaultArgExpr>(e)) break;
      if (!text.empty()) text += ", ";
      text += Print(e);
    }
    return text;
  }

  std::string TemplateArguments(llvm::ArrayRef<clang::TemplateArgumentLoc> args) {
    if (args.empty()) return "";
    std::string text;
    for (const clang::TemplateArgumentLoc &arg : args) {
      if (!text.empty()) text += ", ";
      const clang::TypeSourceInfo *type = arg.getTypeSourceInfo();
      text += type ? TypeName(type->getType()) : TemplateArgument(arg.getArgument());
    }
    return "<" + text + ">";
  }

  std::string TemplateArgument(const clang::TemplateArgument &arg) {
    switch (arg.getKind()) {
      case clang::TemplateArgument::Type:
        return TypeName(arg.getAsType());
      case clang::TemplateArgument::Expression:
        return Print(arg.getAsExpr());
      case clang::TemplateArgument::Integral:
        return std::to_string(arg.getAsIntegral().getExtValue());
      default:
        return "...";
    }
  }

  std::string Qualifier(const clang::NestedNameSpecifier *qualifier) {
    if (!qualifier) return "";
    const std::string prefix = Qualifier(qualifier->getPrefix());
    if (const auto *space = qualifier->getAsNamespace())
      return prefix + space->getNameAsString() + "::";
    if (const auto *alias = qualifier->getAsNamespaceAlias()) {
      return prefix + alias->getNameAsString() + "::";
    }
    if (const auto *name = qualifier->getAsIdentifier())
      return prefix + name->getName().str() + "::";
    if (const auto *type = qualifier->getAsType()) {
      return prefix + TypeName(clang::QualType(type, 0)) + "::";
    }
    return prefix;
  }

  /// The name that a type was written with. Clang's own printer gives other texts in other
  /// versions.
  std::string TypeName(clang::QualType type) {
    std::string prefix;
    if (const auto *elaborated = llvm::dyn_cast<clang::ElaboratedType>(type.getTypePtr())) {
      prefix = Qualifier(elaborated->getQualifier());
      type = elaborated->getNamedType();
    }
    if (const auto *x = llvm::dyn_cast<clang::TypedefType>(type.getTypePtr())) {
      return prefix + x->getDecl()->getNameAsString();
    }
    // Not getAs: that gives the canonical type, which has no name.
    if (const auto *x = llvm::dyn_cast<clang::TemplateTypeParmType>(type.getTypePtr())) {
      return x->getDecl() ? x->getDecl()->getNameAsString() : "...";
    }
    if (const auto *x = type->getAs<clang::BuiltinType>()) {
      return x->getName(clang::PrintingPolicy(clang::LangOptions())).str();
    }
    if (const auto *x = type->getAs<clang::TemplateSpecializationType>()) {
      const clang::TemplateDecl *decl = x->getTemplateName().getAsTemplateDecl();
      std::string args;
      for (const clang::TemplateArgument &arg : x->template_arguments()) {
        args += (args.empty() ? "" : ", ") + TemplateArgument(arg);
      }
      return prefix + (decl ? decl->getNameAsString() : "...") + "<" + args + ">";
    }
    if (const auto *x = type->getAsCXXRecordDecl()) return prefix + x->getNameAsString();
    return "...";
  }

  int depth_ = 0;
};

}  // namespace

StatementTexts::StatementTexts(const clang::FunctionDecl *pattern) { Add(pattern->getBody()); }

void StatementTexts::Add(const clang::Stmt *statement) {
  if (!statement) return;
  if (const auto *e = llvm::dyn_cast<clang::Expr>(statement)) {
    statements_[e->getBeginLoc().getRawEncoding()] = e;
  } else if (const auto *result = llvm::dyn_cast<clang::ReturnStmt>(statement)) {
    Add(result->getRetValue());
  } else if (const auto *branch = llvm::dyn_cast<clang::IfStmt>(statement)) {
    Add(branch->getThen());
    Add(branch->getElse());
  } else if (const auto loop = LoopOf(statement)) {
    Add(loop->body);
  } else if (const auto *block = llvm::dyn_cast<clang::CompoundStmt>(statement)) {
    for (const clang::Stmt *child : block->body()) Add(child);
  }
}

std::string StatementTexts::Find(clang::SourceRange range) const {
  const auto found = statements_.find(range.getBegin().getRawEncoding());
  if (found == statements_.end()) return "";
  std::string text = SafeCommentLine(Printer().Print(found->second));
  if (text.size() > kMaxText) text = text.substr(0, kMaxText) + "...";
  return text;
}

}  // namespace mgen
