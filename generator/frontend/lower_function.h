// SPDX-License-Identifier: Apache-2.0
/// \file lower_function.h
/// The body of a function, run symbolically: both branches of an `if` are taken and merged by a
/// select.
#ifndef MSHADOW_GENERATOR_FRONTEND_LOWER_FUNCTION_H_
#define MSHADOW_GENERATOR_FRONTEND_LOWER_FUNCTION_H_

#include <string>
#include <vector>

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

  /// Whether the statement returns in any case.
  bool Execute(const clang::Stmt *statement, Returns *returns);
  bool ExecuteBlock(const clang::CompoundStmt *block, Returns *returns);
  bool ExecuteIf(const clang::IfStmt *statement, Returns *returns);
  void ExecuteDeclaration(const clang::DeclStmt *statement);
  Expr Updated(const clang::Stmt *statement);
  static Expr Fold(const Returns &returns);
  [[noreturn]] void RejectStatement(const clang::Stmt *statement);

  ScalarLowering &scalars_;
  const clang::VarDecl *const updated_;
};

/// What a statement is, for messages: "a goto", "a switch".
std::string DescribeStatement(const clang::Stmt *statement);
/// The note that says what to write instead of it; `other` where no statement replaces it.
DiagId AdviceFor(const clang::Stmt *statement, DiagId other);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_LOWER_FUNCTION_H_
