// SPDX-License-Identifier: Apache-2.0
#include "frontend/lower_loop.h"

#include "frontend/integer_value.h"
#include "frontend/values.h"

namespace mgen {

bool IsLoop(const clang::Stmt *statement) {
  return llvm::isa<clang::ForStmt>(statement) || llvm::isa<clang::WhileStmt>(statement) ||
         llvm::isa<clang::DoStmt>(statement) || llvm::isa<clang::CXXForRangeStmt>(statement);
}

std::optional<SpecLoop> LoopOf(const clang::Stmt *statement) {
  if (const auto *loop = llvm::dyn_cast<clang::ForStmt>(statement)) {
    if (loop->getConditionVariable()) return std::nullopt;
    return SpecLoop{loop, loop->getInit(), loop->getCond(), loop->getInc(), loop->getBody(), true};
  }
  if (const auto *loop = llvm::dyn_cast<clang::WhileStmt>(statement)) {
    if (loop->getConditionVariable()) return std::nullopt;
    return SpecLoop{loop, nullptr, loop->getCond(), nullptr, loop->getBody(), true};
  }
  if (const auto *loop = llvm::dyn_cast<clang::DoStmt>(statement)) {
    return SpecLoop{loop, nullptr, loop->getCond(), nullptr, loop->getBody(), false};
  }
  return std::nullopt;
}

std::set<const clang::VarDecl *> CountersWith(ScalarLowering &scalars, const SpecLoop &loop) {
  std::set<const clang::VarDecl *> counters = scalars.counters();
  std::vector<const clang::Stmt *> rest = {loop.condition};
  while (!rest.empty()) {
    const clang::Stmt *part = rest.back();
    rest.pop_back();
    if (!part) continue;
    const auto *name = llvm::dyn_cast<clang::DeclRefExpr>(part);
    if (const auto *variable = name ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr) {
      counters.insert(variable);
    }
    rest.insert(rest.end(), part->child_begin(), part->child_end());
  }
  return counters;
}

bool HasNext(ScalarLowering &scalars, const SpecLoop &loop, const std::vector<Local> &prologue) {
  FrontEnd &front = scalars.front();
  front.Step(loop.statement->getSourceRange());  // an endless loop ends here
  if (!loop.condition) return true;
  const Expr condition = Convert(ScalarKind::kBool, scalars.Lower(loop.condition));
  const auto decided = IntegerLiteral(condition, prologue);
  if (decided) return IsTrue(*decided);
  const SourceLocation location = front.Where(loop.statement->getSourceRange());
  auto report = front.diagnostics.Report(DiagId::kLoop, location, scalars.where());
  report.Note(DiagId::kLoopConditionNote, front.Where(loop.condition->getSourceRange()));
  if (!scalars.inlining()) report.Note(DiagId::kLoopNote, location);
  throw Rejected();
}

}  // namespace mgen
