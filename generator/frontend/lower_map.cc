// SPDX-License-Identifier: Apache-2.0
// Expressions each of whose elements is computed of elements of its operands at the same place.
#include <algorithm>

#include "frontend/expressions.h"
#include "frontend/find_calls.h"
#include "frontend/lower_tensor.h"
#include "frontend/types.h"
#include "frontend/values.h"

namespace mgen {
namespace {

/// The call `OP::Map(…)` in the constructor of an expression node.
const clang::CallExpr *FindMapCall(const clang::CXXRecordDecl *node) {
  for (const clang::CXXConstructorDecl *constructor : node->ctors()) {
    const clang::FunctionDecl *definition = nullptr;
    if (constructor->isCopyOrMoveConstructor() || !constructor->getBody(definition)) continue;
    const clang::CallExpr *call =
        FindCall(definition->getBody(), [](const clang::FunctionDecl &callee) {
          return callee.getDeclName().isIdentifier() && callee.getName() == "Map";
        });
    if (call) return call;
  }
  return nullptr;
}

}  // namespace

Expr TensorLowering::LowerMap(const clang::Expr *e,
                              const std::vector<const clang::Expr *> &operands,
                              const LowerElement &element) {
  const auto *call = llvm::dyn_cast<clang::CallExpr>(e);
  if (CalleeOf(call) == "mshadow::expr::where") return LowerWhere(e, operands, element);
  const ScalarKind kind = ElementKind(e);
  if (CalleeOf(call) == "mshadow::expr::round_stochastic") {
    return LowerRounding(e, kind, element(operands[0]), element(operands[1]));
  }
  if (RecordName(e->getType()) == "mshadow::expr::TypecastExp" && operands.size() == 1) {
    return MakeCast({kind}, element(operands[0]));
  }
  if (RecordName(e->getType()) == "mshadow::expr::BitCastExp" && operands.size() == 1) {
    return WithLocation(MakeBitCast({kind}, element(operands[0])),
                        front_.Where(e->getSourceRange()));
  }
  std::vector<Expr> values;
  for (const clang::Expr *operand : operands) {
    values.push_back(LowerOperand(operand, kind, element));
  }
  const clang::CallExpr *map_call = FindMapCall(RecordOf(e->getType()));
  if (!map_call || map_call->getNumArgs() != values.size()) RejectNode(e);
  const Expr result = NoteUnread(values, scalars_.LowerMapCall(map_call, values, e));
  return WithLocation(Convert(kind, result), front_.Where(e->getSourceRange()));
}

/// round_stochastic<DType>(value, uniform), both of float.
Expr TensorLowering::LowerRounding(const clang::Expr *e, ScalarKind kind, const Expr &value,
                                   const Expr &uniform) {
  return WithLocation(MakeRoundStochastic({kind}, value, uniform),
                      front_.Where(e->getSourceRange()));
}

namespace {

/// Whether `value` is not zero. A comparison of elements is 1 or 0 in the expression's type.
Expr Truth(const Expr &value) {
  if (value->type == kBoolType) return value;
  const bool is_comparison = value->op == Op::kSelect && IsNonZeroLiteral(value->args[1]) &&
                             value->args[2]->op == Op::kLiteral &&
                             !IsNonZeroLiteral(value->args[2]);
  if (is_comparison) return value->args[0];
  return MakeOp(Op::kNe, {value, MakeLiteral(value->type, 0)});
}

}  // namespace

/// where(condition, a, b): the condition is an expression of any element type.
Expr TensorLowering::LowerWhere(const clang::Expr *e,
                                const std::vector<const clang::Expr *> &operands,
                                const LowerElement &element) {
  const ScalarKind kind = ElementKind(e);
  RejectAloneIn(operands);
  const Expr condition = Truth(element(operands[0]));
  const Expr chosen = LowerOperand(operands[1], kind, element);
  const Expr result = MakeSelect(condition, chosen, LowerOperand(operands[2], kind, element));
  return WithLocation(result, front_.Where(e->getSourceRange()));
}

Expr TensorLowering::LowerOperand(const clang::Expr *e, ScalarKind kind,
                                  const LowerElement &element) {
  return IsExpression(e->getType()) ? element(e) : Convert(kind, scalars_.Lower(e));
}

}  // namespace mgen
