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
  std::vector<Expr> values;
  for (const clang::Expr *operand : operands) {
    values.push_back(LowerOperand(operand, kind, element));
  }
  const clang::CallExpr *map_call = FindMapCall(RecordOf(e->getType()));
  if (!map_call || map_call->getNumArgs() != values.size()) RejectNode(e);
  const Expr result = scalars_.LowerMapCall(map_call, values, e);
  NoteUnread(values, result);
  return WithLocation(Convert(kind, result), front_.Where(e->getSourceRange()));
}

/// round_stochastic<DType>(value, uniform), both of float.
Expr TensorLowering::LowerRounding(const clang::Expr *e, ScalarKind kind, const Expr &value,
                                   const Expr &uniform) {
  return WithLocation(MakeRoundStochastic({kind}, value, uniform),
                      front_.Where(e->getSourceRange()));
}

/// where(condition, a, b): the condition is an expression of any element type.
Expr TensorLowering::LowerWhere(const clang::Expr *e,
                                const std::vector<const clang::Expr *> &operands,
                                const LowerElement &element) {
  const ScalarKind kind = ElementKind(e);
  RejectAloneIn(operands);
  Expr condition = element(operands[0]);
  if (condition->type != kBoolType) {
    condition = MakeOp(Op::kNe, {condition, MakeLiteral(condition->type, 0)});
  }
  const Expr chosen = LowerOperand(operands[1], kind, element);
  const Expr result = MakeSelect(condition, chosen, LowerOperand(operands[2], kind, element));
  return WithLocation(result, front_.Where(e->getSourceRange()));
}

Expr TensorLowering::LowerOperand(const clang::Expr *e, ScalarKind kind,
                                  const LowerElement &element) {
  return IsExpression(e->getType()) ? element(e) : Convert(kind, scalars_.Lower(e));
}

}  // namespace mgen
