// SPDX-License-Identifier: Apache-2.0
#include "frontend/lower_calls.h"

#include <utility>

#include "frontend/clang_compat.h"
#include "frontend/known_functions.h"
#include "frontend/types.h"
#include "frontend/values.h"

namespace mgen {
namespace {

/// The operation of `+`, `-`, `*` and `/`, or of their assignments.
std::optional<Op> ArithmeticOperator(clang::OverloadedOperatorKind kind) {
  const std::string spelling = clang::getOperatorSpelling(kind);
  const bool is_arithmetic = spelling.find_first_of("+-*/") == 0 &&
                             (spelling.size() == 1 || spelling.compare(1, 2, "=") == 0);
  return is_arithmetic ? BinaryOp(spelling.substr(0, 1)) : std::nullopt;
}

bool IsNarrow(const clang::ASTContext &ast, clang::QualType type) {
  const auto kind = ScalarKindOf(ast, type);
  return kind && IsNarrowFloat(*kind);
}

/// What a 16-bit float of kind \p narrow and a number of kind \p other are computed in: their own
/// kind if it is one, else float, or double. The result is rounded once (narrow_float.h).
ScalarKind KindBesideNarrow(ScalarKind narrow, ScalarKind other) {
  if (other == narrow || other == ScalarKind::kFloat64) return other;
  return ScalarKind::kFloat32;
}

/// Whether what a function does is to change its first argument, a scalar.
bool Updates(const clang::FunctionDecl &function) {
  if (!function.getReturnType()->isVoidType() || function.getNumParams() == 0) return false;
  const clang::QualType type = function.getParamDecl(0)->getType();
  return type->isLValueReferenceType() && !type.getNonReferenceType().isConstQualified();
}

bool IsLambda(const clang::Expr *e) {
  const clang::CXXRecordDecl *record = RecordOf(e->getType());
  return record && record->isLambda();
}

}  // namespace

Expr CallLowering::Lower(const clang::CallExpr *e) {
  const clang::FunctionDecl *function = e->getDirectCallee();
  if (!function) scalars_.RejectExpression(e, "a call through a pointer or an object");
  if (const auto *conversion = llvm::dyn_cast<clang::CXXConversionDecl>(function)) {
    const auto *member = llvm::dyn_cast<clang::CXXMemberCallExpr>(e);
    if (member && IsNarrow(front_.ast, member->getImplicitObjectArgument()->getType())) {
      const auto kind = ScalarKindOf(front_.ast, conversion->getConversionType());
      if (kind) return Convert(*kind, scalars_.Lower(member->getImplicitObjectArgument()));
    }
  }
  if (FindKnownFunction(*function)) return LowerKnownCall(e, function);
  clang::Expr::EvalResult constant;
  const bool may_be_constant = function->isConstexpr() || function->getBuiltinID() != 0;
  if (may_be_constant && e->EvaluateAsRValue(constant, front_.ast)) {
    if (const auto literal = ToLiteral(scalars_.KindOf(e), constant.Val)) return *literal;
  }
  const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  if (method && !method->isStatic())
    scalars_.RejectExpression(e, "a member function of an object", DiagId::kMemberNote);
  std::vector<Expr> args;
  if (Updates(*function)) {
    // The others are evaluated before it changes.
    const Variables::Slot &target = scalars_.Target(e->getArg(0));
    args.push_back(target.value);
    for (unsigned i = 1; i < e->getNumArgs(); ++i) args.push_back(scalars_.Lower(e->getArg(i)));
    const Expr value = scalars_.InlineUpdate(function, std::move(args), e);
    scalars_.Target(e->getArg(0)).value = value;
    return value;
  }
  for (const clang::Expr *arg : e->arguments()) args.push_back(scalars_.Lower(arg));
  return scalars_.Inline(function, std::move(args), e);
}

Expr CallLowering::LowerKnownCall(const clang::CallExpr *e, const clang::FunctionDecl *function) {
  const KnownFunction known = *FindKnownFunction(*function);
  const ScalarKind result = scalars_.KindOf(e);
  std::vector<Expr> args;
  for (const clang::Expr *arg : e->arguments()) {
    scalars_.KindOf(arg);
    args.push_back(scalars_.Lower(arg));
  }
  switch (known.kind) {
    case KnownFunction::kCast:
      return Convert(result, args[0]);
    case KnownFunction::kLibm:
      return LowerLibmCall(e, known.libm, known.replacement, std::move(args));
    case KnownFunction::kOp:
      break;
  }
  if (known.op == Op::kPowInt) args[1] = Convert(ScalarKind::kInt32, args[1]);
  const std::string error = TypeError(known.op, args);
  if (!error.empty()) {
    scalars_.RejectExpression(e, "'" + function->getNameAsString() + "' on a value of type " +
                                     ShortName(args[0]->type.kind));
  }
  return Convert(result, MakeOp(known.op, std::move(args)));
}

Expr CallLowering::LowerLibmCall(const clang::CallExpr *e, const std::string &name,
                                 const std::string &replacement, std::vector<Expr> args) {
  const ScalarKind kind = scalars_.KindOf(e);
  const bool is_float = kind == ScalarKind::kFloat32;
  const SourceLocation location = front_.Where(e->getSourceRange());
  if (!is_float && kind != ScalarKind::kFloat64) scalars_.RejectUnknown(e);
  for (Expr &arg : args) arg = Convert(kind, arg);
  const std::string function = is_float ? name + "f" : name;
  auto report = front_.diagnostics.Report(
      DiagId::kLibmCall, location, function,
      !scalars_.inlining()
          ? "its result may differ between platforms"
          : "it is called once for each element, and its result may differ between platforms");
  if (!replacement.empty()) report.Note(DiagId::kLibmCallNote, location, replacement);
  return MakeCall(function, {kind}, std::move(args));
}

Expr CallLowering::LowerOperator(const clang::CXXOperatorCallExpr *e) {
  if (IsLambda(e->getArg(0))) {
    const SourceLocation location = front_.Where(e->getSourceRange());
    front_.diagnostics.Report(DiagId::kLambda, location, scalars_.where())
        .Note(DiagId::kLambdaNote, location);
    throw Rejected();
  }
  const auto is_narrow = [&](unsigned i) {
    return i < e->getNumArgs() && IsNarrow(front_.ast, e->getArg(i)->getType());
  };
  if (!is_narrow(0) && !is_narrow(1)) return Lower(e);
  if (is_narrow(0) && e->isAssignmentOp()) return LowerNarrowAssign(e);
  if (e->getNumArgs() == 1 && e->getOperator() == clang::OO_Minus)
    return Negate(scalars_.Lower(e->getArg(0)));
  const std::optional<Op> op = ArithmeticOperator(e->getOperator());
  if (!op || e->getNumArgs() != 2) return Lower(e);
  Expr lhs = scalars_.Lower(e->getArg(0));
  Expr rhs = scalars_.Lower(e->getArg(1));
  const ScalarKind kind = scalars_.KindOf(e);
  const ScalarKind computed = KindBesideNarrow(kind, (is_narrow(0) ? rhs : lhs)->type.kind);
  return Convert(kind, scalars_.Arithmetic(*op, Convert(computed, lhs), Convert(computed, rhs), e));
}

/// `h = x` and `h += x` on a 16-bit float.
Expr CallLowering::LowerNarrowAssign(const clang::CXXOperatorCallExpr *e) {
  const ScalarKind kind = scalars_.KindOf(e->getArg(0));
  Expr value = scalars_.Lower(e->getArg(1));
  Variables::Slot &target = scalars_.Target(e->getArg(0));
  if (e->getOperator() != clang::OO_Equal) {
    const std::optional<Op> op = ArithmeticOperator(e->getOperator());
    if (!op || !target.value) scalars_.RejectUnknown(e);
    const ScalarKind computed = KindBesideNarrow(kind, value->type.kind);
    value = scalars_.Arithmetic(*op, Convert(computed, target.value), Convert(computed, value), e);
  }
  target.value = Convert(kind, value);
  return target.value;
}

}  // namespace mgen
