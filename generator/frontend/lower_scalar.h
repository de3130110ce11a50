// SPDX-License-Identifier: Apache-2.0
/// \file lower_scalar.h
/// Scalar C++ as IR expressions: the prologue of a rule, and the bodies of operators, which are
/// inlined. A body is run symbolically: variables are names for expressions, both branches of an
/// `if` are taken and merged by a select.
#ifndef MSHADOW_GENERATOR_FRONTEND_LOWER_SCALAR_H_
#define MSHADOW_GENERATOR_FRONTEND_LOWER_SCALAR_H_

#include <string>
#include <utility>
#include <vector>

#include "frontend/front_end.h"
#include "ir/expr.h"

namespace mgen {

/// What each variable in scope holds now; in the order of declaration, so that walks over it do not
/// depend on addresses. A null value: declared, but not yet assigned.
class Variables {
 public:
  struct Slot {
    const clang::VarDecl *variable;
    Expr value;
  };
  Slot *Find(const clang::VarDecl *variable);
  void Set(const clang::VarDecl *variable, Expr value);
  std::vector<Slot> &slots() { return slots_; }
  const std::vector<Slot> &slots() const { return slots_; }

 private:
  std::vector<Slot> slots_;
};

class ScalarLowering {
 public:
  /// \param where what is being lowered, for messages: "a rule"
  ScalarLowering(FrontEnd &front, std::string where) : front_(front), where_(std::move(where)) {}
  virtual ~ScalarLowering() = default;
  ScalarLowering(const ScalarLowering &) = delete;
  ScalarLowering &operator=(const ScalarLowering &) = delete;

  /// The value of `e`, of the type that C++ gives it. Assignments inside change variables().
  /// Everything below throws Rejected after reporting what cannot be lowered.
  Expr Lower(const clang::Expr *e);

  /// The result of `function` for these arguments, its body inlined. `call` is where a message
  /// about the call as a whole belongs.
  Expr Inline(const clang::FunctionDecl *function, std::vector<Expr> args, const clang::Expr *call);

  /// What `function` makes of its first parameter, a reference to a scalar variable: the value that
  /// this has at the end. A null argument is a variable without a value.
  Expr InlineUpdate(const clang::FunctionDecl *function, std::vector<Expr> args,
                    const clang::Expr *call);

  /// The operator OP::Map of an expression node: `map_call` is the call in the node's constructor,
  /// in which the operands stand as `DType()`. \param node the node, where the rule makes it
  Expr LowerMapCall(const clang::CallExpr *map_call, std::vector<Expr> operands,
                    const clang::Expr *node);

  /// Declares a scalar variable with its initial value.
  void Declare(const clang::VarDecl *variable);

  Variables &variables() { return variables_; }
  /// What must hold for the code at hand to run; null: always. A division is guarded by it.
  Expr &guard() { return guard_; }
  FrontEnd &front() { return front_; }

  /// Values after an `if`: those of `then_values` where the condition holds. Variables that only
  /// one branch knows are dropped.
  static void Merge(const Expr &condition, const Variables &then_values,
                    const Variables &else_values, Variables *result);

 protected:
  /// Lets a subclass give meaning to what plain scalar code has not, such as `x.size(0)`.
  /// \returns null if `e` is nothing of the kind
  virtual Expr LowerSpecial(const clang::Expr *) { return nullptr; }

  /// The kind of `e`'s type, or an error about it.
  ScalarKind KindOf(const clang::Expr *e);
  [[noreturn]] void RejectExpression(const clang::Stmt *e, const std::string &what);

  const std::string &where() const { return where_; }
  /// Whether the code at hand is a called function's, not the rule's own.
  bool inlining() const { return !calls_.empty(); }

 private:
  // lower_scalar.cc: expressions
  Expr LowerNew(const clang::Expr *e);
  Expr LowerVariable(const clang::DeclRefExpr *e);
  Expr LowerCast(const clang::CastExpr *e);
  Expr LowerUnary(const clang::UnaryOperator *e);
  Expr LowerBinary(const clang::BinaryOperator *e);
  Expr LowerLogical(const clang::BinaryOperator *e);
  Expr LowerAssign(const clang::BinaryOperator *e);
  Expr LowerConditional(const clang::ConditionalOperator *e);
  Expr LowerConstruct(const clang::CXXConstructExpr *e);
  Expr LowerConstant(const clang::Expr *e);
  Expr Arithmetic(Op op, Expr a, Expr b, const clang::Expr *e);
  Variables::Slot &Target(const clang::Expr *e);
  [[noreturn]] void RejectUnknown(const clang::Expr *e);

  // lower_calls.cc: calls and operators of class types
  Expr LowerCall(const clang::CallExpr *e);
  Expr LowerKnownCall(const clang::CallExpr *e, const clang::FunctionDecl *function);
  Expr LowerLibmCall(const clang::CallExpr *e, const std::string &name,
                     const std::string &replacement, std::vector<Expr> args);
  Expr LowerOperatorCall(const clang::CXXOperatorCallExpr *e);
  Expr LowerNarrowAssign(const clang::CXXOperatorCallExpr *e);

  // lower_function.cc: bodies
  struct Return {
    Expr condition;  ///< null: in any case
    Expr value;
  };
  using Returns = std::vector<Return>;
  const clang::Stmt *BodyOf(const clang::FunctionDecl *function,
                            const clang::FunctionDecl **definition, const clang::Expr *call);
  Expr RunBody(const clang::FunctionDecl *definition, const clang::Stmt *body, Variables variables,
               const clang::VarDecl *updated, const clang::Expr *call);
  Expr Updated(const clang::Stmt *statement);
  bool Execute(const clang::Stmt *statement, Returns *returns);
  bool ExecuteBlock(const clang::CompoundStmt *block, Returns *returns);
  bool ExecuteIf(const clang::IfStmt *statement, Returns *returns);
  void ExecuteDeclaration(const clang::DeclStmt *statement);
  static Expr Fold(const Returns &returns);
  [[noreturn]] void RejectStatement(const clang::Stmt *statement);

  FrontEnd &front_;
  std::string where_;
  Variables variables_;
  Expr guard_;
  std::vector<const clang::FunctionDecl *> calls_;  ///< functions being inlined, outermost first
  const clang::VarDecl *updated_ = nullptr;         ///< the parameter that is the result
  std::vector<Expr> operands_;                      ///< of LowerMapCall, not yet met; last first
};

/// Parentheses, temporaries and cleanups that surround an expression without changing its value.
const clang::Expr *StripWrappers(const clang::Expr *e);

/// What a statement is, for messages: "a goto", "a switch".
std::string DescribeStatement(const clang::Stmt *statement);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_LOWER_SCALAR_H_
