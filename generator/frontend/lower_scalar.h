// SPDX-License-Identifier: Apache-2.0
/// \file lower_scalar.h
/// Scalar C++ as IR expressions: the prologue of a rule, and the bodies of operators, which are
/// inlined. A body is run symbolically: variables are names for expressions, both branches of an
/// `if` are taken and merged by a select.
#ifndef MSHADOW_GENERATOR_FRONTEND_LOWER_SCALAR_H_
#define MSHADOW_GENERATOR_FRONTEND_LOWER_SCALAR_H_

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "frontend/front_end.h"
#include "frontend/variables.h"
#include "ir/expr.h"

namespace mgen {

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
  /// The variables that decide when the loops at hand end, and those that are initialised from them
  /// alone. Operations on counters are folded, and conditions on them are decided. Other constants
  /// are not: what is an integer in one instance of a rule may be a float in another.
  std::set<const clang::VarDecl *> &counters() { return counters_; }
  /// Whether `e` has a counter, and no other variable and no conversion that the spec writes.
  bool IsOfCounters(const clang::Stmt *e) const;
  /// What must hold for the code at hand to run; null: always. A division is guarded by it.
  Expr &guard() { return guard_; }
  FrontEnd &front() { return front_; }

  // What calls and bodies are lowered with.
  const std::string &where() const { return where_; }
  /// Whether the code at hand is a called function's, not the rule's own.
  bool inlining() const { return !calls_.empty(); }
  /// The kind of `e`'s type, or an error about it.
  ScalarKind KindOf(const clang::Expr *e);
  /// The variable that `e` names, to be assigned to.
  Variables::Slot &Target(const clang::Expr *e);
  /// An operation of C++ on values of one type; a division of integers is guarded.
  Expr Arithmetic(Op op, Expr a, Expr b, const clang::Expr *e);
  [[noreturn]] void RejectExpression(const clang::Stmt *e, const std::string &what,
                                     DiagId note = DiagId::kExpressionNote,
                                     const std::string &name = "");
  [[noreturn]] void RejectUnknown(const clang::Expr *e);

 protected:
  /// Lets a subclass give meaning to what plain scalar code has not, such as `x.size(0)`.
  /// \returns null if `e` is nothing of the kind
  virtual Expr LowerSpecial(const clang::Expr *) { return nullptr; }

 private:
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
  const clang::Stmt *BodyOf(const clang::FunctionDecl *function,
                            const clang::FunctionDecl **definition, const clang::Expr *call);
  Expr RunBody(const clang::FunctionDecl *definition, const clang::Stmt *body, Variables variables,
               const clang::VarDecl *updated, const clang::Expr *call);

  FrontEnd &front_;
  std::string where_;
  Variables variables_;
  Expr guard_;
  std::vector<const clang::FunctionDecl *> calls_;  ///< functions being inlined, outermost first
  std::set<const clang::VarDecl *> counters_;       // looked up only
  std::vector<Expr> operands_;                      ///< of LowerMapCall, not yet met; last first
};

/// Parentheses, temporaries and cleanups that surround an expression without changing its value.
const clang::Expr *StripWrappers(const clang::Expr *e);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_LOWER_SCALAR_H_
