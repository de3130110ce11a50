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

namespace {

bool IsLoop(const clang::Stmt *statement) {
  return llvm::isa<clang::ForStmt>(statement) || llvm::isa<clang::WhileStmt>(statement) ||
         llvm::isa<clang::DoStmt>(statement) || llvm::isa<clang::CXXForRangeStmt>(statement);
}

}  // namespace

void FunctionLowering::RejectStatement(const clang::Stmt *statement) {
  const SourceLocation location = scalars_.front().Where(statement->getSourceRange());
  if (IsLoop(statement)) {
    scalars_.front()
        .diagnostics.Report(DiagId::kLoop, location, scalars_.where())
        .Note(DiagId::kLoopOpNote, location);
  } else {
    scalars_.front()
        .diagnostics
        .Report(DiagId::kUnsupportedStatement, location, DescribeStatement(statement),
                scalars_.where())
        .Note(AdviceFor(statement, DiagId::kOpStatementNote), location);
  }
  throw Rejected();
}

Expr FunctionLowering::Lower(const clang::Stmt *body) {
  Returns returns;
  const bool done = Execute(body, &returns);
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

bool FunctionLowering::Execute(const clang::Stmt *statement, Returns *returns) {
  scalars_.front().Step(statement->getSourceRange());
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
    returns->push_back({nullptr, scalars_.Lower(result->getRetValue())});
    return true;
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
  return false;
}

bool FunctionLowering::ExecuteBlock(const clang::CompoundStmt *block, Returns *returns) {
  Restore<Expr> restore(scalars_.guard());
  for (const clang::Stmt *statement : block->body()) {
    const size_t before = returns->size();
    if (Execute(statement, returns)) return true;
    // What follows runs only if none of these returned.
    for (size_t i = before; i < returns->size(); ++i) {
      scalars_.guard() = And(scalars_.guard(), Not((*returns)[i].condition));
    }
  }
  return false;
}

bool FunctionLowering::ExecuteIf(const clang::IfStmt *statement, Returns *returns) {
  if (statement->getInit()) Execute(statement->getInit(), returns);
  if (statement->getConditionVariable()) scalars_.Declare(statement->getConditionVariable());
  const clang::Stmt *else_part = statement->getElse();
  bool constant = false;
  if (statement->isConstexpr() &&
      statement->getCond()->EvaluateAsBooleanCondition(constant, scalars_.front().ast)) {
    if (constant) return Execute(statement->getThen(), returns);
    return else_part && Execute(else_part, returns);
  }
  const Expr condition = scalars_.Lower(statement->getCond());
  if (IsTrue(condition)) return Execute(statement->getThen(), returns);
  if (IsFalse(condition)) return else_part && Execute(else_part, returns);

  Restore<Expr> restore(scalars_.guard());
  const Expr outer = scalars_.guard();
  const Variables before = scalars_.variables();
  Returns then_returns;
  scalars_.guard() = And(outer, condition);
  const bool then_done = Execute(statement->getThen(), &then_returns);
  const Variables after_then = scalars_.variables();
  scalars_.variables() = before;
  Returns else_returns;
  const Expr otherwise = Not(condition);
  scalars_.guard() = And(outer, otherwise);
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
    scalars_.variables() = after_then;
  } else if (!then_done) {
    const Variables after_else = scalars_.variables();
    scalars_.variables() = Merge(condition, after_then, after_else);
  }
  return false;
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
