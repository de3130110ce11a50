// SPDX-License-Identifier: Apache-2.0
#include "frontend/lower_scalar.h"

#include <algorithm>

#include "frontend/clang_compat.h"
#include "frontend/float_to_integer.h"
#include "frontend/integer_value.h"
#include "frontend/lower_calls.h"
#include "frontend/lower_function.h"
#include "frontend/types.h"
#include "frontend/values.h"

namespace mgen {
namespace {

/// The operation of an operator, or of the one that a compound assignment stands for.
std::optional<Op> OpOf(clang::BinaryOperatorKind kind) {
  if (clang::BinaryOperator::isCompoundAssignmentOp(kind)) {
    kind = clang::BinaryOperator::getOpForCompoundAssignment(kind);
  }
  const llvm::StringRef spelling = clang::BinaryOperator::getOpcodeStr(kind);
  return BinaryOp({spelling.data(), spelling.size()});
}

bool IsShift(Op op) { return op == Op::kShl || op == Op::kShr; }

/// Whether a variable can be a name for a value: not volatile, not a reference through which
/// another one could change.
bool IsPlainVariable(const clang::VarDecl *variable) {
  const clang::QualType type = variable->getType();
  if (type.isVolatileQualified()) return false;
  return !type->isReferenceType() || type.getNonReferenceType().isConstQualified();
}

}  // namespace

const clang::Expr *StripWrappers(const clang::Expr *e) {
  for (;;) {
    e = e->IgnoreParens();
    if (const auto *full = llvm::dyn_cast<clang::FullExpr>(e)) {
      e = full->getSubExpr();
    } else if (const auto *temporary = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(e)) {
      e = temporary->getSubExpr();
    } else if (const auto *bound = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(e)) {
      e = bound->getSubExpr();
    } else if (const auto *argument = llvm::dyn_cast<clang::CXXDefaultArgExpr>(e)) {
      e = argument->getExpr();
    } else {
      return e;
    }
  }
}

void ScalarLowering::RejectExpression(const clang::Stmt *e, const std::string &what, DiagId note,
                                      const std::string &name) {
  const SourceLocation location = front_.Where(e->getSourceRange());
  front_.diagnostics.Report(DiagId::kUnsupportedExpression, location, what, where_)
      .Note(note, location, name);
  throw Rejected();
}

void ScalarLowering::RejectUnknown(const clang::Expr *e) {
  const SourceLocation location = front_.Where(e->getSourceRange());
  if (llvm::isa<clang::LambdaExpr>(e)) {
    front_.diagnostics.Report(DiagId::kLambda, location, where_)
        .Note(DiagId::kLambdaNote, location);
  } else if (IsPointer(e->getType())) {
    front_.diagnostics.Report(DiagId::kPointer, location, where_)
        .Note(inlining() ? DiagId::kPointerOpNote : DiagId::kPointerNote, location);
  } else if (!ScalarKindOf(front_.ast, e->getType())) {
    front_.diagnostics
        .Report(DiagId::kUnsupportedType, location, TypeText(front_.ast, e->getType()), where_)
        .Note(DiagId::kUnsupportedTypeNote, location);
  } else {
    RejectExpression(e, "this expression of type '" + TypeText(front_.ast, e->getType()) + "'");
  }
  throw Rejected();
}

ScalarKind ScalarLowering::KindOf(const clang::Expr *e) {
  const auto kind = ScalarKindOf(front_.ast, e->getType());
  if (!kind) RejectUnknown(e);
  return *kind;
}

Expr ScalarLowering::Lower(const clang::Expr *e) {
  e = StripWrappers(e);
  front_.Step(e->getSourceRange());
  if (Expr special = LowerSpecial(e)) return special;
  return LowerNew(e);
}

Expr ScalarLowering::LowerNew(const clang::Expr *e) {
  if (const auto *x = llvm::dyn_cast<clang::DeclRefExpr>(e)) return LowerVariable(x);
  if (const auto *x = llvm::dyn_cast<clang::ConditionalOperator>(e)) return LowerConditional(x);
  if (const auto *x = llvm::dyn_cast<clang::UnaryOperator>(e)) return LowerUnary(x);
  if (const auto *x = llvm::dyn_cast<clang::BinaryOperator>(e)) return LowerBinary(x);
  if (const auto *x = llvm::dyn_cast<clang::CastExpr>(e)) return LowerCast(x);
  if (const auto *x = llvm::dyn_cast<clang::CXXOperatorCallExpr>(e))
    return CallLowering(*this).LowerOperator(x);
  if (const auto *x = llvm::dyn_cast<clang::CallExpr>(e)) return CallLowering(*this).Lower(x);
  if (const auto *x = llvm::dyn_cast<clang::CXXConstructExpr>(e)) return LowerConstruct(x);
  if (llvm::isa<clang::CXXScalarValueInitExpr>(e) || llvm::isa<clang::ImplicitValueInitExpr>(e)) {
    if (!operands_.empty()) {
      Expr operand = operands_.back();
      operands_.pop_back();
      return operand;
    }
    return Convert(KindOf(e), MakeLiteral(kIntType, 0));
  }
  if (const auto *list = llvm::dyn_cast<clang::InitListExpr>(e)) {  // float{x}
    if (list->getNumInits() == 1) return Lower(list->getInit(0));
    if (list->getNumInits() == 0) return Convert(KindOf(e), MakeLiteral(kIntType, 0));
  }
  if (const auto *parameter = llvm::dyn_cast<clang::SubstNonTypeTemplateParmExpr>(e)) {
    return Lower(parameter->getReplacement());
  }
  return LowerConstant(e);
}

Expr ScalarLowering::LowerConstant(const clang::Expr *e) {
  const auto kind = ScalarKindOf(front_.ast, e->getType());
  clang::Expr::EvalResult result;
  if (kind && !e->isValueDependent() && e->EvaluateAsRValue(result, front_.ast) &&
      !result.HasSideEffects) {
    if (const auto literal = ToLiteral(*kind, result.Val)) return *literal;
  }
  RejectUnknown(e);
}

Expr ScalarLowering::LowerVariable(const clang::DeclRefExpr *e) {
  const auto *variable = llvm::dyn_cast<clang::VarDecl>(e->getDecl());
  if (!variable) return LowerConstant(e);
  if (const Variables::Slot *slot = variables_.Find(variable)) {
    if (slot->value) return slot->value;
    const SourceLocation location = front_.Where(e->getSourceRange());
    front_.diagnostics.Report(DiagId::kUninitialized, location, variable->getNameAsString())
        .Note(DiagId::kDeclaredHere, front_.Where(variable->getLocation()),
              variable->getNameAsString());
    throw Rejected();
  }
  if (variable->hasGlobalStorage() && !variable->getType().isConstQualified()) {
    RejectExpression(e, "a global variable", DiagId::kGlobalNote, variable->getNameAsString());
  }
  return LowerConstant(e);
}

Expr ScalarLowering::LowerCast(const clang::CastExpr *e) {
  switch (e->getCastKind()) {
    case clang::CK_LValueToRValue:
    case clang::CK_NoOp:
    case clang::CK_ConstructorConversion:
    case clang::CK_UserDefinedConversion:
      return Lower(e->getSubExpr());
    case clang::CK_ToVoid:
      return Lower(e->getSubExpr());
    case clang::CK_IntegralCast:
    case clang::CK_IntegralToBoolean:
    case clang::CK_BooleanToSignedIntegral:
    case clang::CK_IntegralToFloating:
    case clang::CK_FloatingToIntegral: {
      const Expr value = Lower(e->getSubExpr());
      if (inlining()) WarnOfRange(front_, e, KindOf(e), value);  // of an element
      return Convert(KindOf(e), value);
    }
    case clang::CK_FloatingToBoolean:
    case clang::CK_FloatingCast:
      return Convert(KindOf(e), Lower(e->getSubExpr()));
    default:
      return LowerConstant(e);
  }
}

Expr ScalarLowering::LowerUnary(const clang::UnaryOperator *e) {
  switch (e->getOpcode()) {
    case clang::UO_Plus:
    case clang::UO_Extension:
      return Lower(e->getSubExpr());
    case clang::UO_Minus:
      KindOf(e);
      return Negate(Lower(e->getSubExpr()));
    case clang::UO_Not:
      KindOf(e);
      return MakeOp(Op::kBitNot, {Lower(e->getSubExpr())});
    case clang::UO_LNot: {
      const Expr negated = Not(Lower(e->getSubExpr()));
      return negated ? negated : MakeLiteral(kBoolType, true);
    }
    default:
      break;
  }
  if (!e->isIncrementDecrementOp()) RejectUnknown(e);
  const ScalarKind kind = KindOf(e->getSubExpr());
  Variables::Slot &target = Target(e->getSubExpr());
  const Expr old = target.value;
  const Expr one = Convert(kind, MakeLiteral(kIntType, 1));
  target.value = Arithmetic(e->isIncrementOp() ? Op::kAdd : Op::kSub, old, one, e);
  return e->isPostfix() ? old : target.value;
}

Expr ScalarLowering::LowerBinary(const clang::BinaryOperator *e) {
  if (e->isAssignmentOp()) return LowerAssign(e);
  if (e->isLogicalOp()) return LowerLogical(e);
  if (e->getOpcode() == clang::BO_Comma) {
    Lower(e->getLHS());
    return Lower(e->getRHS());
  }
  const std::optional<Op> op = OpOf(e->getOpcode());
  if (!op) RejectUnknown(e);
  KindOf(e);
  KindOf(e->getLHS());
  KindOf(e->getRHS());
  Expr lhs = Lower(e->getLHS());
  Expr rhs = Lower(e->getRHS());
  return Arithmetic(*op, std::move(lhs), std::move(rhs), e);
}

Expr ScalarLowering::Arithmetic(Op op, Expr a, Expr b, const clang::Expr *e) {
  if (IsShift(op)) b = Convert(a->type.kind, b);
  const bool divides = op == Op::kDiv || op == Op::kRem;
  if (divides && CategoryOf(b->type.kind) != Category::kFloat && !IsTrue(guard_) &&
      !IsNonZeroLiteral(b)) {
    // Both branches of the guard are computed: the one that is not taken must not divide by zero.
    b = MakeSelect(guard_, b, MakeLiteral(b->type, 1));
  }
  const std::string error = TypeError(op, {a, b});
  if (!error.empty()) RejectExpression(e, "'" + std::string(Spelling(op)) + "' on these types");
  const Expr result = MakeOp(op, {std::move(a), std::move(b)});
  return IsOfCounters(e) ? Folded(result) : result;
}

bool ScalarLowering::IsOfCounters(const clang::Stmt *e) const {
  if (counters_.empty()) return false;
  bool has_counter = false;
  std::vector<const clang::Stmt *> rest = {e};
  while (!rest.empty()) {
    const clang::Stmt *part = rest.back();
    rest.pop_back();
    if (!part) continue;
    if (llvm::isa<clang::ExplicitCastExpr>(part)) return false;
    const auto *name = llvm::dyn_cast<clang::DeclRefExpr>(part);
    const auto *variable = name ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
    const bool is_counter = variable && counters_.count(variable) != 0;
    if (variable && !is_counter && variables_.Knows(variable)) return false;
    has_counter = has_counter || is_counter;
    rest.insert(rest.end(), part->child_begin(), part->child_end());
  }
  return has_counter;
}

Expr ScalarLowering::LowerLogical(const clang::BinaryOperator *e) {
  const bool is_and = e->getOpcode() == clang::BO_LAnd;
  const Expr lhs = Lower(e->getLHS());
  Restore<Expr> restore(guard_);
  guard_ = And(guard_, is_and ? lhs : Not(lhs));
  const Expr rhs = Lower(e->getRHS());
  for (const auto &[side, other] : {std::pair(lhs, rhs), std::pair(rhs, lhs)}) {
    const bool decides = IsOfCounters(side == lhs ? e->getLHS() : e->getRHS());
    if (decides && side->op == Op::kLiteral) return IsTrue(side) == is_and ? other : side;
  }
  return MakeOp(is_and ? Op::kAnd : Op::kOr, {lhs, rhs});
}

Expr ScalarLowering::LowerConditional(const clang::ConditionalOperator *e) {
  const Expr condition = Lower(e->getCond());
  if (IsTrue(condition)) return Lower(e->getTrueExpr());
  if (IsFalse(condition)) return Lower(e->getFalseExpr());
  Restore<Expr> restore(guard_);
  guard_ = And(restore.old(), condition);
  const Expr if_true = Lower(e->getTrueExpr());
  guard_ = And(restore.old(), Not(condition));
  const Expr if_false = Lower(e->getFalseExpr());
  return Choose(condition, if_true, if_false);
}

Variables::Slot &ScalarLowering::Target(const clang::Expr *e) {
  const auto *ref = llvm::dyn_cast<clang::DeclRefExpr>(StripWrappers(e));
  const auto *variable = ref ? llvm::dyn_cast<clang::VarDecl>(ref->getDecl()) : nullptr;
  if (!variable) RejectUnknown(e);
  if (Variables::Slot *slot = variables_.Find(variable)) return *slot;
  const SourceLocation location = front_.Where(e->getSourceRange());
  front_.diagnostics
      .Report(DiagId::kScalarWrite, location, variable->getNameAsString(),
              variable->hasGlobalStorage() ? "a global variable" : "no variable of this function")
      .Note(DiagId::kScalarWriteNote, location);
  throw Rejected();
}

Expr ScalarLowering::LowerAssign(const clang::BinaryOperator *e) {
  const ScalarKind kind = KindOf(e->getLHS());
  Expr value = Lower(e->getRHS());
  Variables::Slot &target = Target(e->getLHS());
  if (const auto *compound = llvm::dyn_cast<clang::CompoundAssignOperator>(e)) {
    const auto computed = ScalarKindOf(front_.ast, compound->getComputationLHSType());
    if (!computed || !target.value) RejectUnknown(e);
    value = Convert(kind, Arithmetic(*OpOf(e->getOpcode()), Convert(*computed, target.value),
                                     std::move(value), e));
  }
  target.value = value;
  return value;
}

Expr ScalarLowering::LowerConstruct(const clang::CXXConstructExpr *e) {
  const auto kind = ScalarKindOf(front_.ast, e->getType());
  if (!kind) RejectUnknown(e);
  if (e->getNumArgs() == 1) return Convert(*kind, Lower(e->getArg(0)));
  if (e->getNumArgs() == 0 && !operands_.empty()) {
    Expr operand = operands_.back();
    operands_.pop_back();
    return operand;
  }
  if (e->getNumArgs() == 0) return Convert(*kind, MakeLiteral(kIntType, 0));
  RejectExpression(e, "this constructor of '" + TypeText(front_.ast, e->getType()) + "'");
}

void ScalarLowering::Declare(const clang::VarDecl *variable) {
  const SourceLocation location = front_.Where(variable->getSourceRange());
  const auto kind = ScalarKindOf(front_.ast, variable->getType());
  if (variable->getInit() && (!kind || IsPointer(variable->getType()))) {
    const clang::Expr *init = StripWrappers(variable->getInit());
    if (const auto *cast = llvm::dyn_cast<clang::CastExpr>(init)) init = cast->getSubExpr();
    if (llvm::isa<clang::LambdaExpr>(init)) RejectUnknown(init);
  }
  if (IsPointer(variable->getType())) {
    front_.diagnostics.Report(DiagId::kPointer, location, where_)
        .Note(inlining() ? DiagId::kPointerOpNote : DiagId::kPointerNote, location);
    throw Rejected();
  }
  if (!kind) {
    front_.diagnostics
        .Report(DiagId::kUnsupportedType, location, TypeText(front_.ast, variable->getType()),
                where_)
        .Note(RecordName(variable->getType()) == "mshadow::Shape" ? DiagId::kShapeVariableNote
                                                                  : DiagId::kUnsupportedTypeNote,
              location);
    throw Rejected();
  }
  const bool is_static = variable->isStaticLocal() && !variable->getType().isConstQualified();
  if (is_static || !IsPlainVariable(variable)) {
    front_.diagnostics
        .Report(DiagId::kUnsupportedStatement, location,
                is_static ? "a static variable" : "a volatile or reference variable", where_)
        .Note(is_static ? DiagId::kStaticNote : DiagId::kByValueNote, location);
    throw Rejected();
  }
  const clang::Expr *init = variable->getInit();
  // `half_t h;` has an initialiser that leaves it as it is.
  const auto *construct = llvm::dyn_cast_or_null<clang::CXXConstructExpr>(init);
  const bool trivial = construct && construct->getNumArgs() == 0 &&
                       construct->getConstructor()->isTrivial() &&
                       !construct->isListInitialization();
  variables_.Set(variable, init && !trivial ? Lower(init) : nullptr);
  const bool is_of_parameter = variable->getType()->getAs<clang::SubstTemplateTypeParmType>();
  if (init && !is_of_parameter && IsOfCounters(init)) counters_.insert(variable);
}

/// The body of a function that is called, which is not being called already.
const clang::Stmt *ScalarLowering::BodyOf(const clang::FunctionDecl *function,
                                          const clang::FunctionDecl **definition,
                                          const clang::Expr *call) {
  const SourceLocation location = front_.Where(call->getSourceRange());
  const std::string name = function->getNameAsString();
  const clang::Stmt *body = function->getBody(*definition);
  if (!body) {
    front_.diagnostics.Report(DiagId::kUnsupportedCall, location, name, where_)
        .Note(DiagId::kUnsupportedCallNote, location);
    throw Rejected();
  }
  const bool recursive = std::find(calls_.begin(), calls_.end(), *definition) != calls_.end();
  if (recursive || calls_.size() >= FrontEnd::kMaxInlining) {
    front_.diagnostics.Report(DiagId::kRecursion, location, name)
        .Note(DiagId::kRecursionNote, location);
    throw Rejected();
  }
  return body;
}

/// \param updated the parameter whose value is the result; null: what is returned is
Expr ScalarLowering::RunBody(const clang::FunctionDecl *definition, const clang::Stmt *body,
                             Variables variables, const clang::VarDecl *updated,
                             const clang::Expr *call) {
  Restore<Variables> restore_variables(variables_);
  Restore<std::string> restore_where(where_);
  Restore<std::vector<const clang::FunctionDecl *>> restore_calls(calls_);
  Restore<std::vector<Expr>> restore_operands(operands_);
  variables_ = std::move(variables);
  where_ = "an operator or function";
  calls_.push_back(definition);
  operands_.clear();
  const Expr result = FunctionLowering(*this, updated).Lower(body);
  if (result) return result;
  front_.diagnostics
      .Report(DiagId::kMissingReturn, front_.Where(definition->getLocation()),
              definition->getNameAsString())
      .Note(DiagId::kUsedHere, front_.Where(call->getSourceRange()));
  throw Rejected();
}

Expr ScalarLowering::Inline(const clang::FunctionDecl *function, std::vector<Expr> args,
                            const clang::Expr *call) {
  const clang::FunctionDecl *definition = nullptr;
  const clang::Stmt *body = BodyOf(function, &definition, call);
  Variables callee;
  for (size_t i = 0; i < args.size() && i < definition->getNumParams(); ++i) {
    const clang::ParmVarDecl *parameter = definition->getParamDecl(i);
    if (!IsPlainVariable(parameter)) {
      RejectExpression(call, "an argument by reference", DiagId::kReferenceNote);
    }
    callee.Set(parameter, args[i]);
  }
  return RunBody(definition, body, std::move(callee), nullptr, call);
}

Expr ScalarLowering::InlineUpdate(const clang::FunctionDecl *function, std::vector<Expr> args,
                                  const clang::Expr *call) {
  const clang::FunctionDecl *definition = nullptr;
  const clang::Stmt *body = BodyOf(function, &definition, call);
  Variables callee;
  for (size_t i = 0; i < args.size(); ++i) {
    const clang::ParmVarDecl *parameter = definition->getParamDecl(i);
    // mshadow's reducers take volatile values, which have nothing volatile about them.
    const clang::QualType type = parameter->getType();
    const bool is_changed =
        type->isReferenceType() && !type.getNonReferenceType().isConstQualified();
    if (is_changed != (i == 0)) {
      RejectExpression(call, "an argument by reference", DiagId::kReferenceNote);
    }
    callee.Set(parameter, args[i]);
  }
  return RunBody(definition, body, std::move(callee), definition->getParamDecl(0), call);
}

Expr ScalarLowering::LowerMapCall(const clang::CallExpr *map_call, std::vector<Expr> operands,
                                  const clang::Expr *node) {
  std::reverse(operands.begin(), operands.end());
  Restore<std::vector<Expr>> restore(operands_);
  operands_ = std::move(operands);
  const clang::FunctionDecl *function = map_call->getDirectCallee();
  std::vector<Expr> args;
  for (const clang::Expr *arg : map_call->arguments()) args.push_back(Lower(arg));
  return Inline(function, std::move(args), node);
}

}  // namespace mgen
