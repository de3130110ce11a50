// SPDX-License-Identifier: Apache-2.0
#include "passes/narrow_ops.h"

#include <optional>
#include <utility>
#include <vector>

#include "ir/builder.h"
#include "ir/wraps.h"

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
    // The condition of a select and the exponent of powi are not floats.
    if (!IsFloat(arg->type.kind)) continue;
    arg = OperandIn(kind, arg);
    if (arg == nullptr) return nullptr;
  }
  return WithLocation(WithName(MakeOp(node->op, std::move(args)), node->name), node->location);
}

/// Whether the 16-bit result of 16-bit operands is the float result, rounded once. That of an
/// elementary function is not: it is the rounded exact result (docs/math.md).
bool RoundsFloatResult(const Node &node) {
  switch (ClassOf(node.op)) {
    case OpClass::Infix:
      return true;
    case OpClass::Packet:
      return true;
    case OpClass::Math:
      return node.args.size() > 1;
    default:
      return node.op == Op::kSelect;
  }
}

}  // namespace

Expr Narrowing::Converted(Type type, const Expr &expr) {
  if (expr->type == kBoolType) return expr;  // the condition of a select
  if (expr->op == Op::kCast && expr->args[0]->type == type) return expr->args[0];
  Expr &cast = casts_[{expr.get(), type.kind}];
  if (cast == nullptr) cast = WithLocation(MakeCast(type, expr), expr->location);
  return cast;
}

/// The operation in the narrow type to which `cast` cuts an integer.
Expr Narrowing::LowBitsOf(const Expr &cast) {
  const Expr &wide = cast->args[0];
  const bool needs_low_bits = WrapsAlike(wide->op) || wide->op == Op::kSelect;
  if (wide->type.kind != ScalarKind::kInt32 || !needs_low_bits) return nullptr;
  std::vector<Expr> args;
  for (const Expr &arg : wide->args) args.push_back(Converted(cast->type, arg));
  return WithLocation(WithName(MakeOp(wide->op, std::move(args)), wide->name), wide->location);
}

Expr Narrowing::Widened(const Expr &expr) {
  if (expr->op != Op::kCast) return nullptr;
  const Expr &narrow = expr->args[0];
  const bool is_exact = narrow->op == Op::kNeg || narrow->op == Op::kAbs ||
                        narrow->op == Op::kMin || narrow->op == Op::kMax ||
                        narrow->op == Op::kSelect;
  if (!is_exact || !IsNarrowFloat(narrow->type.kind) || expr->type.kind != ScalarKind::kFloat32) {
    return nullptr;
  }
  std::vector<Expr> args;
  for (const Expr &arg : narrow->args) args.push_back(Converted(expr->type, arg));
  return WithLocation(WithName(MakeOp(narrow->op, std::move(args)), narrow->name),
                      narrow->location);
}

Expr Narrowing::operator()(const Expr &expr) {
  if (expr->type == kBoolType) {
    const std::optional<ScalarKind> kind = NarrowKindOf(*expr);
    return kind ? WithOperandsIn(*kind, expr) : nullptr;
  }
  if (expr->op != Op::kCast) return nullptr;
  const ScalarKind kind = expr->type.kind;
  if (IsInteger(kind) && Promoted(kind) != kind) return LowBitsOf(expr);
  if (!IsNarrowFloat(kind)) return nullptr;
  const Expr &wide = expr->args[0];
  const bool can_narrow = wide->type.kind == ScalarKind::kFloat32 && RoundsFloatResult(*wide);
  return can_narrow ? WithOperandsIn(kind, wide) : nullptr;
}

}  // namespace mgen
