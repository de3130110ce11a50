// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "frontend/clang_compat.h"
#include "frontend/lower_scalar.h"
#include "frontend/types.h"
#include "frontend/values.h"

namespace mgen {

std::string DescribeStatement(const clang::Stmt *statement) {
  switch (statement->getStmtClass()) {
    case clang::Stmt::GotoStmtClass:
    case clang::Stmt::IndirectGotoStmtClass:
      return "goto";
    case clang::Stmt::LabelStmtClass:
      return "a label";
    case clang::Stmt::SwitchStmtClass:
      return "switch";
    case clang::Stmt::CXXTryStmtClass:
      return "try";
    case clang::Stmt::CXXThrowExprClass:
      return "throw";
    case clang::Stmt::GCCAsmStmtClass:
    case clang::Stmt::MSAsmStmtClass:
      return "asm";
    case clang::Stmt::ReturnStmtClass:
      return "return";
    case clang::Stmt::BreakStmtClass:
      return "break";
    case clang::Stmt::ContinueStmtClass:
      return "continue";
    default:
      return "this statement";
  }
}

namespace {

bool IsLoop(const clang::Stmt *statement) {
  return llvm::isa<clang::ForStmt>(statement) || llvm::isa<clang::WhileStmt>(statement) ||
         llvm::isa<clang::DoStmt>(statement) || llvm::isa<clang::CXXForRangeStmt>(statement);
}

/// Whether a variable can be a name for a value: not volatile, not a reference through which
/// another one could change.
bool IsPlainVariable(const clang::VarDecl *variable) {
  const clang::QualType type = variable->getType();
  if (type.isVolatileQualified()) return false;
  return !type->isReferenceType() || type.getNonReferenceType().isConstQualified();
}

}  // namespace

void ScalarLowering::RejectStatement(const clang::Stmt *statement) {
  const SourceLocation location = front_.Where(statement->getSourceRange());
  if (IsLoop(statement)) {
    front_.diagnostics.Report(DiagId::kLoop, location, where_).Note(DiagId::kLoopOpNote, location);
  } else {
    front_.diagnostics
        .Report(DiagId::kUnsupportedStatement, location, DescribeStatement(statement), where_)
        .Note(DiagId::kOpStatementNote, location);
  }
  throw Rejected();
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
        .Note(DiagId::kPointerNote, location);
    throw Rejected();
  }
  if (!kind) {
    front_.diagnostics
        .Report(DiagId::kUnsupportedType, location, TypeText(front_.ast, variable->getType()),
                where_)
        .Note(DiagId::kUnsupportedTypeNote, location);
    throw Rejected();
  }
  const bool is_static = variable->isStaticLocal() && !variable->getType().isConstQualified();
  if (is_static || !IsPlainVariable(variable)) {
    front_.diagnostics
        .Report(DiagId::kUnsupportedStatement, location,
                is_static ? "a static variable" : "a volatile or reference variable", where_)
        .Note(inlining() ? DiagId::kOpStatementNote : DiagId::kStatementNote, location);
    throw Rejected();
  }
  const clang::Expr *init = variable->getInit();
  // `half_t h;` has an initialiser that leaves it as it is.
  const auto *construct = llvm::dyn_cast_or_null<clang::CXXConstructExpr>(init);
  const bool trivial = construct && construct->getNumArgs() == 0 &&
                       construct->getConstructor()->isTrivial() &&
                       !construct->isListInitialization();
  variables_.Set(variable, init && !trivial ? Lower(init) : nullptr);
}

void ScalarLowering::ExecuteDeclaration(const clang::DeclStmt *statement) {
  for (const clang::Decl *declaration : statement->decls()) {
    if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(declaration)) Declare(variable);
  }
}

bool ScalarLowering::Execute(const clang::Stmt *statement, Returns *returns) {
  front_.Step(statement->getSourceRange());
  if (const auto *block = llvm::dyn_cast<clang::CompoundStmt>(statement)) {
    return ExecuteBlock(block, returns);
  }
  if (const auto *branch = llvm::dyn_cast<clang::IfStmt>(statement)) {
    return ExecuteIf(branch, returns);
  }
  if (const auto *result = llvm::dyn_cast<clang::ReturnStmt>(statement)) {
    if (!result->getRetValue() && updated_) {
      returns->push_back({nullptr, Updated(statement)});
      return true;
    }
    if (!result->getRetValue()) RejectStatement(statement);
    returns->push_back({nullptr, Lower(result->getRetValue())});
    return true;
  }
  if (const auto *declaration = llvm::dyn_cast<clang::DeclStmt>(statement)) {
    ExecuteDeclaration(declaration);
  } else if (const auto *attributed = llvm::dyn_cast<clang::AttributedStmt>(statement)) {
    return Execute(attributed->getSubStmt(), returns);
  } else if (llvm::isa<clang::CXXThrowExpr>(statement)) {
    RejectStatement(statement);
  } else if (const auto *expression = llvm::dyn_cast<clang::Expr>(statement)) {
    Lower(expression);
  } else if (!llvm::isa<clang::NullStmt>(statement)) {
    RejectStatement(statement);
  }
  return false;
}

bool ScalarLowering::ExecuteBlock(const clang::CompoundStmt *block, Returns *returns) {
  Restore<Expr> restore(guard_);
  for (const clang::Stmt *statement : block->body()) {
    const size_t before = returns->size();
    if (Execute(statement, returns)) return true;
    // What follows runs only if none of these returned.
    for (size_t i = before; i < returns->size(); ++i) {
      guard_ = And(guard_, Not((*returns)[i].condition));
    }
  }
  return false;
}

bool ScalarLowering::ExecuteIf(const clang::IfStmt *statement, Returns *returns) {
  if (statement->getInit()) Execute(statement->getInit(), returns);
  if (statement->getConditionVariable()) Declare(statement->getConditionVariable());
  const clang::Stmt *else_part = statement->getElse();
  bool constant = false;
  if (statement->isConstexpr() &&
      statement->getCond()->EvaluateAsBooleanCondition(constant, front_.ast)) {
    if (constant) return Execute(statement->getThen(), returns);
    return else_part && Execute(else_part, returns);
  }
  const Expr condition = Lower(statement->getCond());
  if (IsTrue(condition)) return Execute(statement->getThen(), returns);
  if (IsFalse(condition)) return else_part && Execute(else_part, returns);

  Restore<Expr> restore(guard_);
  const Expr outer = guard_;
  const Variables before = variables_;
  Returns then_returns;
  guard_ = And(outer, condition);
  const bool then_done = Execute(statement->getThen(), &then_returns);
  const Variables after_then = variables_;
  variables_ = before;
  Returns else_returns;
  const Expr otherwise = Not(condition);
  guard_ = And(outer, otherwise);
  const bool else_done = else_part && Execute(else_part, &else_returns);

  if (then_done && else_done) {
    returns->push_back({nullptr, Choose(condition, Fold(then_returns), Fold(else_returns))});
    return true;
  }
  // A branch that always returns is one return under its condition; others keep theirs.
  if (then_done) then_returns = {{nullptr, Fold(then_returns)}};
  if (else_done) else_returns = {{nullptr, Fold(else_returns)}};
  for (Return &r : then_returns) returns->push_back({And(condition, r.condition), r.value});
  for (Return &r : else_returns) returns->push_back({And(otherwise, r.condition), r.value});
  if (else_done) {
    variables_ = after_then;
  } else if (!then_done) {
    const Variables after_else = variables_;
    Merge(condition, after_then, after_else, &variables_);
  }
  return false;
}

void ScalarLowering::Merge(const Expr &condition, const Variables &then_values,
                           const Variables &else_values, Variables *result) {
  Variables merged;
  const size_t shared = std::min(then_values.slots().size(), else_values.slots().size());
  for (size_t i = 0; i < shared; ++i) {
    const Variables::Slot &a = then_values.slots()[i];
    const Variables::Slot &b = else_values.slots()[i];
    if (a.variable != b.variable) break;  // from here on they are local to a branch
    const bool known = a.value && b.value;
    merged.Set(a.variable, known ? Choose(condition, a.value, b.value) : nullptr);
  }
  *result = std::move(merged);
}

Expr ScalarLowering::Fold(const Returns &returns) {
  Expr value = returns.back().value;
  for (auto r = returns.rbegin() + 1; r != returns.rend(); ++r) {
    value = Choose(r->condition, r->value, value);
  }
  return value;
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
  Restore<const clang::VarDecl *> restore_updated(updated_);
  Restore<std::vector<Expr>> restore_operands(operands_);
  variables_ = std::move(variables);
  where_ = "an operator or function";
  calls_.push_back(definition);
  updated_ = updated;
  operands_.clear();
  Returns returns;
  const bool done = Execute(body, &returns);
  if (!done && updated) returns.push_back({nullptr, Updated(body)});
  if (!done && !updated) {
    front_.diagnostics
        .Report(DiagId::kMissingReturn, front_.Where(definition->getLocation()),
                definition->getNameAsString())
        .Note(DiagId::kUsedHere, front_.Where(call->getSourceRange()));
    throw Rejected();
  }
  return Fold(returns);
}

/// The value of the parameter that is the result.
Expr ScalarLowering::Updated(const clang::Stmt *statement) {
  const Variables::Slot *slot = variables_.Find(updated_);
  if (slot->value) return slot->value;
  const SourceLocation location = front_.Where(statement->getSourceRange());
  front_.diagnostics.Report(DiagId::kUninitialized, location, updated_->getNameAsString())
      .Note(DiagId::kDeclaredHere, front_.Where(updated_->getLocation()),
            updated_->getNameAsString());
  throw Rejected();
}

Expr ScalarLowering::Inline(const clang::FunctionDecl *function, std::vector<Expr> args,
                            const clang::Expr *call) {
  const clang::FunctionDecl *definition = nullptr;
  const clang::Stmt *body = BodyOf(function, &definition, call);
  Variables callee;
  for (size_t i = 0; i < args.size() && i < definition->getNumParams(); ++i) {
    const clang::ParmVarDecl *parameter = definition->getParamDecl(i);
    if (!IsPlainVariable(parameter)) RejectExpression(call, "an argument by reference");
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
    if (is_changed != (i == 0)) RejectExpression(call, "an argument by reference");
    callee.Set(parameter, args[i]);
  }
  return RunBody(definition, body, std::move(callee), definition->getParamDecl(0), call);
}

}  // namespace mgen
