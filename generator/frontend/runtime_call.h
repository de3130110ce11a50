// SPDX-License-Identifier: Apache-2.0
/// \file runtime_call.h
/// The operands of a call of the runtime that is a stage of a rule.
#ifndef MSHADOW_GENERATOR_FRONTEND_RUNTIME_CALL_H_
#define MSHADOW_GENERATOR_FRONTEND_RUNTIME_CALL_H_

#include <string>

#include "frontend/lower_tensor.h"

namespace mgen {

/// Checks that what the runtime computes, `e`, does not read the tensor that it writes. Throws
/// Rejected after reporting.
/// \param what `e` for the message: "a matrix product"
/// \param written where the tensor is written
void CheckApart(RuleScalars &scalars, const clang::Expr *e, const std::string &what,
                const SourceLocation &written, int operand, int target);

/// Each function throws Rejected after reporting.
class RuntimeCall {
 public:
  /// \param note says what to write instead of an operand that is refused
  RuntimeCall(RuleScalars &scalars, TensorLowering &tensors, const clang::CallExpr *e, DiagId note)
      : scalars_(scalars), tensors_(tensors), front_(scalars.front()), e_(e), note_(note) {}

  const clang::CallExpr *e() const { return e_; }
  const clang::FunctionDecl &callee() const { return *e_->getDirectCallee(); }
  const Param &Tensor(int param) const { return scalars_.rule().params[param]; }

  [[noreturn]] void Reject(const clang::Expr *e, const std::string &what) const;
  /// Argument `number`: a tensor of the rule, or a `tensor.Slice(begin, end)`: what is a Tensor
  /// unfused, too. An index into Rule::params.
  int Operand(unsigned number) const;
  /// Refuses bool.
  void CheckType(int tensor) const;
  /// Refuses an operand that the call also writes.
  void CheckApart(int operand, int target) const;

 private:
  RuleScalars &scalars_;
  TensorLowering &tensors_;
  FrontEnd &front_;
  const clang::CallExpr *const e_;
  const DiagId note_;
};

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_RUNTIME_CALL_H_
