// SPDX-License-Identifier: Apache-2.0
/// \file lower_calls.h
/// Calls in scalar code, and the operators of 16-bit floats, which are calls to C++.
#ifndef MSHADOW_GENERATOR_FRONTEND_LOWER_CALLS_H_
#define MSHADOW_GENERATOR_FRONTEND_LOWER_CALLS_H_

#include <string>
#include <vector>

#include "frontend/lower_scalar.h"

namespace mgen {

class CallLowering {
 public:
  explicit CallLowering(ScalarLowering &scalars) : scalars_(scalars), front_(scalars.front()) {}

  /// The value of a call, or of what it changes. Throws Rejected after reporting what cannot be
  /// lowered.
  Expr Lower(const clang::CallExpr *e);
  /// The same of an operator of a class type.
  Expr LowerOperator(const clang::CXXOperatorCallExpr *e);

 private:
  Expr LowerKnownCall(const clang::CallExpr *e, const clang::FunctionDecl *function);
  Expr LowerLibmCall(const clang::CallExpr *e, const std::string &name,
                     const std::string &replacement, std::vector<Expr> args);
  Expr LowerNarrowAssign(const clang::CXXOperatorCallExpr *e);

  ScalarLowering &scalars_;
  FrontEnd &front_;
};

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_LOWER_CALLS_H_
