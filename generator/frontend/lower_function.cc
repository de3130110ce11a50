// SPDX-License-Identifier: Apache-2.0
#include "frontend/lower_function.h"

#include "frontend/clang_compat.h"
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

DiagId AdviceFor(const clang::Stmt *statement, DiagId other) {
  switch (statement->getStmtClass()) {
    case clang::Stmt::SwitchStmtClass:
    case clang::Stmt::GotoStmtClass:
    case clang::Stmt::LabelStmtClass:
      return DiagId::kBranchNote;
    case clang::Stmt::ReturnStmtClass:
      return DiagId::kReturnNote;
    case clang::Stmt::CXXThrowExprClass:
      return DiagId::kThrowNote;
    case clang::Stmt::CXXTryStmtClass:
      return DiagId::kTryNote;
    default:
      return other;
  }
}

void RejectRuleStatement(FrontEnd &front, const Rule &rule, const clang::Stmt *statement) {
  const SourceLocation location = front.Where(statement->getSourceRange());
  if (rule.is_expression && llvm::isa<clang::ReturnStmt>(statement)) {
    front.diagnostics.Report(DiagId::kExpressionReturn, location, rule.name)
        .Note(DiagId::kExpressionReturnNote, location);
    throw Rejected();
  }
  if (IsLoop(statement)) {
    front.diagnostics.Report(DiagId::kLoop, location, "a rule").Note(DiagId::kLoopNote, location);
  } else {
    front.diagnostics
        .Report(DiagId::kUnsupportedStatement, location, DescribeStatement(statement), "a rule")
        .Note(AdviceFor(statement, DiagId::kStatementNote), location);
  }
  throw Rejected();
}

void FunctionLowering::RejectStatement(const clang::Stmt *statement) {
  const SourceLocation location = scalars_.front().Where(statement->getSourceRange());
  if (IsLoop(statement)) {
    scalars_.front()
        .diagnostics.Report(DiagId::kLoop, location, scalars_.where())
        .Note(DiagId::kLoopConditionNote, location);
  } else {
    scalars_.front()
        .diagnostics
        .Report(DiagId::kUnsupportedStatement, location, DescribeStatement(statement),
                scalars_.where())
        .Note(AdviceFor(statement, DiagId::kOpStatementNote), location);
  }
  throw Rejected();
}

FunctionLowering::After FunctionLowering::Leave(const clang::Stmt *statement, After after) {
  exit_ = statement;
  return after;
}

void FunctionLowering::RejectExit() {
  const SourceLocation location = scalars_.front().Where(exit_->getSourceRange());
  scalars_.front()
      .diagnostics
      .Report(DiagId::kUnsupportedStatement, location, DescribeStatement(exit_), scalars_.where())
      .Note(DiagId::kLoopExitNote, location);
  throw Rejected();
}

Expr FunctionLowering::Lower(const clang::Stmt *body) {
  Returns returns;
  const bool done = Execute(body, &returns) == After::kReturn;
  if (!done && !updated_) return nullptr;
  if (!done) returns.push_back({nullptr, Updated(body)});
  return Fold(returns);
}

void FunctionLowering::ExecuteDeclaration(const clang::DeclStmt *statement) {
  for (const clang::Decl *declaration : statement->decls()) {
    if (const auto *variable = llvm::dyn_cast<clang::VarDecl>(declaration))
      scalars_.Declare(variable);
  }
}

FunctionLowering::After FunctionLowering::Execute(const clang::Stmt *statement, Returns *returns) {
  scalars_.front().Step(statement->getSourceRange());
  if (const auto *block = llvm::dyn_cast<clang::CompoundStmt>(statement)) {
    return ExecuteBlock(block, returns);
  }
  if (const auto *branch = llvm::dyn_cast<clang::IfStmt>(statement)) {
    return ExecuteIf(branch, returns);
  }
  if (const auto loop = LoopOf(statement)) return ExecuteLoop(*loop, returns);
  if (llvm::isa<clang::BreakStmt>(statement)) return Leave(statement, After::kBreak);
  if (llvm::isa<clang::ContinueStmt>(statement)) return Leave(statement, After::kContinue);
  if (const auto *result = llvm::dyn_cast<clang::ReturnStmt>(statement)) {
    if (!result->getRetValue() && !updated_) RejectStatement(statement);
    const clang::Expr *value = result->getRetValue();
    returns->push_back({nullptr, value ? scalars_.Lower(value) : Updated(statement)});
    return After::kReturn;
  }
  if (const auto *declaration = llvm::dyn_cast<clang::DeclStmt>(statement)) {
    ExecuteDeclaration(declaration);
  } else if (const auto *attributed = llvm::dyn_cast<clang::AttributedStmt>(statement)) {
    return Execute(attributed->getSubStmt(), returns);
  } else if (llvm::isa<clang::CXXThrowExpr>(statement)) {
    RejectStatement(statement);
  } else if (const auto *expression = llvm::dyn_cast<clang::Expr>(statement)) {
    scalars_.Lower(expression);
  } else if (!llvm::isa<clang::NullStmt>(statement)) {
    RejectStatement(statement);
  }
  return After::kNext;
}

/// Executes a statement. What follows it runs only if it has not returned, so that the guard has
/// this condition afterwards.
FunctionLowering::After FunctionLowering::ExecuteGuarded(const clang::Stmt *statement,
                                                         Returns *returns) {
  const size_t before = returns->size();
  const After after = Execute(statement, returns);
  if (after == After::kReturn) return after;
  for (size_t i = before; i < returns->size(); ++i) {
    scalars_.guard() = And(scalars_.guard(), Not((*returns)[i].condition));
  }
  return after;
}

FunctionLowering::After FunctionLowering::ExecuteBlock(const clang::CompoundStmt *block,
                                                       Returns *returns) {
  Restore<Expr> restore(scalars_.guard());
  for (const clang::Stmt *statement : block->body()) {
    const After after = ExecuteGuarded(statement, returns);
    if (after != After::kNext) return after;
  }
  return After::kNext;
}

FunctionLowering::After FunctionLowering::ExecuteLoop(const SpecLoop &loop, Returns *returns) {
  Restore<Expr> restore(scalars_.guard());
  Restore<std::set<const clang::VarDecl *>> counters(scalars_.counters());
  scalars_.counters() = CountersWith(scalars_, loop);
  if (loop.init) Execute(loop.init, returns);
  bool goes_on = !loop.tests_first || HasNext(scalars_, loop, {});
  while (goes_on) {
    const After after = ExecuteGuarded(loop.body, returns);
    if (after == After::kReturn) return after;
    if (after == After::kBreak) break;
    if (loop.increment) scalars_.Lower(loop.increment);
    goes_on = HasNext(scalars_, loop, {});
  }
  return After::kNext;
}

FunctionLowering::After FunctionLowering::ExecuteIf(const clang::IfStmt *statement,
                                                    Returns *returns) {
  if (statement->getInit()) Execute(statement->getInit(), returns);
  if (statement->getConditionVariable()) scalars_.Declare(statement->getConditionVariable());
  bool constant = false;
  if (statement->isConstexpr() &&
      statement->getCond()->EvaluateAsBooleanCondition(constant, scalars_.front().ast)) {
    return ExecuteBranch(constant ? statement->getThen() : statement->getElse(), returns);
  }
  const Expr condition = scalars_.Lower(statement->getCond());
  if (IsTrue(condition)) return ExecuteBranch(statement->getThen(), returns);
  if (IsFalse(condition)) return ExecuteBranch(statement->getElse(), returns);
  return ExecuteBoth(statement, condition, returns);
}

/// \param statement null: there is none
FunctionLowering::After FunctionLowering::ExecuteBranch(const clang::Stmt *statement,
                                                        Returns *returns) {
  return statement ? Execute(statement, returns) : After::kNext;
}

/// Executes both branches of an `if` whose condition depends on elements or on the launch.
FunctionLowering::After FunctionLowering::ExecuteBoth(const clang::IfStmt *statement,
                                                      const Expr &condition, Returns *returns) {
  Restore<Expr> restore(scalars_.guard());
  const Expr outer = scalars_.guard();
  const Variables before = scalars_.variables();
  Returns then_returns;
  scalars_.guard() = And(outer, condition);
  const bool then_done = ExecuteOne(statement->getThen(), &then_returns);
  const Variables after_then = scalars_.variables();
  scalars_.variables() = before;
  Returns else_returns;
  const Expr otherwise = Not(condition);
  scalars_.guard() = And(outer, otherwise);
  const bool else_done = ExecuteOne(statement->getElse(), &else_returns);

  if (then_done && else_done) {
    returns->push_back({nullptr, Choose(condition, Fold(then_returns), Fold(else_returns))});
    return After::kReturn;
  }
  // A branch that always returns is one return under its condition; others keep theirs.
  if (then_done) then_returns = {{nullptr, Fold(then_returns)}};
  if (else_done) else_returns = {{nullptr, Fold(else_returns)}};
  for (Return &r : then_returns) returns->push_back({And(condition, r.condition), r.value});
  for (Return &r : else_returns) returns->push_back({And(otherwise, r.condition), r.value});
  if (else_done) {
    scalars_.variables() = after_then;
  } else if (!then_done) {
    const Variables after_else = scalars_.variables();
    scalars_.variables() = Merge(condition, after_then, after_else);
  }
  return After::kNext;
}

/// Whether one of two branches returns. It must not end a loop or an iteration, since the number of
/// iterations would depend on the condition.
bool FunctionLowering::ExecuteOne(const clang::Stmt *statement, Returns *returns) {
  const After after = ExecuteBranch(statement, returns);
  if (after == After::kBreak || after == After::kContinue) RejectExit();
  return after == After::kReturn;
}

Expr FunctionLowering::Fold(const Returns &returns) {
  Expr value = returns.back().value;
  for (auto r = returns.rbegin() + 1; r != returns.rend(); ++r) {
    value = Choose(r->condition, r->value, value);
  }
  return value;
}

/// The value of the parameter that is the result.
Expr FunctionLowering::Updated(const clang::Stmt *statement) {
  const Variables::Slot *slot = scalars_.variables().Find(updated_);
  if (slot->value) return slot->value;
  const SourceLocation location = scalars_.front().Where(statement->getSourceRange());
  scalars_.front()
      .diagnostics.Report(DiagId::kUninitialized, location, updated_->getNameAsString())
      .Note(DiagId::kDeclaredHere, scalars_.front().Where(updated_->getLocation()),
            updated_->getNameAsString());
  throw Rejected();
}

}  // namespace mgen
