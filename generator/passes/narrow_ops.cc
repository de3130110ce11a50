// SPDX-License-Identifier: Apache-2.0
#include "passes/narrow_ops.h"

#include <optional>
#include <utility>
#include <vector>

#include "ir/builder.h"

namespace mgen {
namespace {

bool IsWidened(const Expr &expr) {
  return expr->op == Op::kCast && expr->type.kind == ScalarKind::kFloat32 &&
         IsNarrowFloat(expr->args[0]->type.kind);
}

/// `expr`, an f32, as a value of `kind` that was widened or a literal that needs no rounding; null
/// if it is neither.
Expr OperandIn(ScalarKind kind, const Expr &expr) {
  if (IsWidened(expr)) return expr->args[0]->type.kind == kind ? expr->args[0] : nullptr;
  if (expr->op != Op::kLiteral || expr->type.kind != ScalarKind::kFloat32) return nullptr;
  const double value = std::get<double>(expr->value);
  const bool fits = value != value || RoundTo(kind, value) == value;
  return fits ? WithLocation(MakeLiteral(Type{kind}, value), expr->location) : nullptr;
}

/// The 16-bit kind of the first widened operand.
std::optional<ScalarKind> NarrowKindOf(const Node &node) {
  for (const Expr &arg : node.args) {
    if (IsWidened(arg)) return arg->args[0]->type.kind;
  }
  return std::nullopt;
}

/// `node` with its f32 operands in `kind`; null if one of them is not.
Expr WithOperandsIn(ScalarKind kind, const Expr &node) {
  std::vector<Expr> args = node->args;
  for (Expr &arg : args) {
    // The condition of a select and the exponent of powi are no floats.
    if (!IsFloat(arg->type.kind)) continue;
    arg = OperandIn(kind, arg);
    if (arg == nullptr) return nullptr;
  }
  return WithLocation(WithName(MakeOp(node->op, std::move(args)), node->name), node->location);
}

}  // namespace

Expr InNarrowType(const Expr &expr) {
  if (expr->type == kBoolType) {
    const std::optional<ScalarKind> kind = NarrowKindOf(*expr);
    return kind ? WithOperandsIn(*kind, expr) : nullptr;
  }
  if (expr->op != Op::kCast || !IsNarrowFloat(expr->type.kind)) return nullptr;
  const Expr &wide = expr->args[0];
  const bool is_operation = ClassOf(wide->op) == OpClass::Infix ||
                            ClassOf(wide->op) == OpClass::Packet || wide->op == Op::kSelect;
  return is_operation && wide->type.kind == ScalarKind::kFloat32
             ? WithOperandsIn(expr->type.kind, wide)
             : nullptr;
}

}  // namespace mgen
