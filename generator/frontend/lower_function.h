// SPDX-License-Identifier: Apache-2.0
/// \file lower_function.h
/// The body of a function, run symbolically: both branches of an `if` are taken and merged by a
/// select, and loops are unrolled.
#ifndef MSHADOW_GENERATOR_FRONTEND_LOWER_FUNCTION_H_
#define MSHADOW_GENERATOR_FRONTEND_LOWER_FUNCTION_H_

#include <string>
#include <vector>

#include "frontend/lower_loop.h"
#include "frontend/lower_scalar.h"

namespace mgen {

class FunctionLowering {
 public:
  /// \param scalars has the function's parameters among its variables
  /// \param updated the parameter whose value at the end is the result; null: what is returned is
  FunctionLowering(ScalarLowering &scalars, const clang::VarDecl *updated)
      : scalars_(scalars), updated_(updated) {}

  /// The result; null if the body ends somewhere without one. Throws Rejected after reporting what
  /// cannot be lowered.
  Expr Lower(const clang::Stmt *body);

 private:
  struct Return {
    Expr condition;  ///< null: in any case
    Expr value;
  };
  using Returns = std::vector<Return>;

  /// What follows a statement: the next one, or the end of the function, loop or iteration.
  enum class After { kNext, kReturn, kBreak, kContinue };
  After Execute(const clang::Stmt *statement, Returns *returns);
  After ExecuteBlock(const clang::CompoundStmt *block, Returns *returns);
  After ExecuteIf(const clang::IfStmt *statement, Returns *returns);
  After ExecuteBoth(const clang::IfStmt *statement, const Expr &condition, Returns *returns);
  After ExecuteBranch(const clang::Stmt *statement, Returns *returns);
  bool ExecuteOne(const clang::Stmt *statement, Returns *returns);
  After ExecuteLoop(const SpecLoop &loop, Returns *returns);
  After ExecuteGuarded(const clang::Stmt *statement, Returns *returns);
  void ExecuteDeclaration(const clang::DeclStmt *statement);
  Expr Updated(const clang::Stmt *statement);
  static Expr Fold(const Returns &returns);
  After Leave(const clang::Stmt *statement, After after);
  [[noreturn]] void RejectStatement(const clang::Stmt *statement);
  [[noreturn]] void RejectExit();

  ScalarLowering &scalars_;
  const clang::VarDecl *const updated_;
  const clang::Stmt *exit_ = nullptr;  ///< the last `break` or `continue`
};

/// What a statement is, for messages: "a goto", "a switch".
std::string DescribeStatement(const clang::Stmt *statement);
/// The note that says what to write instead of it; `other` where no statement replaces it.
DiagId AdviceFor(const clang::Stmt *statement, DiagId other);
/// Reports a statement that a rule's own body cannot have.
[[noreturn]] void RejectRuleStatement(FrontEnd &front, const Rule &rule,
                                      const clang::Stmt *statement);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_LOWER_FUNCTION_H_
