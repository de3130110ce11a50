// SPDX-License-Identifier: Apache-2.0
#include "frontend/integer_value.h"

#include <map>

#include "frontend/clang_compat.h"
#include "frontend/values.h"
#include "ir/builder.h"
#include "llvm/ADT/APSInt.h"

namespace mgen {
namespace {

using llvm::APSInt;
using Value = std::optional<APSInt>;

bool HasIntegerValue(ScalarKind kind) { return kind == ScalarKind::kBool || IsInteger(kind); }

unsigned BitsOf(ScalarKind kind) { return kind == ScalarKind::kBool ? 1 : 8 * Bytes(kind); }

bool IsUnsigned(ScalarKind kind) { return CategoryOf(kind) != Category::kSigned; }

APSInt MakeValue(ScalarKind kind, uint64_t bits) {
  return APSInt(llvm::APInt(64, bits).zextOrTrunc(BitsOf(kind)), IsUnsigned(kind));
}

Value ValueOfLiteral(const Node &literal) {
  if (const auto *number = std::get_if<int64_t>(&literal.value)) {
    return MakeValue(literal.type.kind, static_cast<uint64_t>(*number));
  }
  if (const auto *number = std::get_if<uint64_t>(&literal.value)) {
    return MakeValue(literal.type.kind, *number);
  }
  if (const auto *truth = std::get_if<bool>(&literal.value)) {
    return MakeValue(literal.type.kind, *truth ? 1 : 0);
  }
  return std::nullopt;
}

Expr ToExpr(ScalarKind kind, const APSInt &value) {
  if (kind == ScalarKind::kBool) return MakeLiteral(kBoolType, value != 0);
  if (IsUnsigned(kind)) return MakeLiteral({kind}, value.getZExtValue());
  return MakeLiteral({kind}, static_cast<int64_t>(value.getSExtValue()));
}

/// `a op b` in signed integers, of which C++ does not define an overflow.
Value Checked(const APSInt &a, const APSInt &b,
              llvm::APInt (llvm::APInt::*op)(const llvm::APInt &, bool &) const) {
  bool overflows = false;
  const llvm::APInt result = (a.*op)(b, overflows);
  return overflows ? std::nullopt : Value(APSInt(result, a.isUnsigned()));
}

Value Shifted(Op op, const APSInt &a, const APSInt &b) {
  if ((b.isSigned() && b.isNegative()) || b.uge(a.getBitWidth())) return std::nullopt;
  const auto count = static_cast<unsigned>(b.getZExtValue());
  return op == Op::kShl ? a << count : a >> count;
}

Value Divided(Op op, const APSInt &a, const APSInt &b) {
  const bool overflows = a.isSigned() && a.isMinSignedValue() && b.isAllOnes();
  if (b == 0 || overflows) return std::nullopt;
  return op == Op::kDiv ? a / b : a % b;
}

/// A sum, difference or product; unsigned ones wrap.
Value Combined(Op op, const APSInt &a, const APSInt &b) {
  if (a.isUnsigned()) return op == Op::kAdd ? a + b : op == Op::kSub ? a - b : a * b;
  return Checked(a, b,
                 op == Op::kAdd   ? &llvm::APInt::sadd_ov
                 : op == Op::kSub ? &llvm::APInt::ssub_ov
                                  : &llvm::APInt::smul_ov);
}

/// \param a, b of one type
Value Binary(Op op, const APSInt &a, const APSInt &b) {
  const auto truth = [](bool holds) { return MakeValue(ScalarKind::kBool, holds ? 1 : 0); };
  switch (op) {
    case Op::kAdd:
    case Op::kSub:
    case Op::kMul:
      return Combined(op, a, b);
    case Op::kDiv:
    case Op::kRem:
      return Divided(op, a, b);
    case Op::kShl:
    case Op::kShr:
      return Shifted(op, a, b);
    case Op::kBitAnd:
    case Op::kAnd:
      return a & b;
    case Op::kBitOr:
    case Op::kOr:
      return a | b;
    case Op::kBitXor:
      return a ^ b;
    case Op::kLt:
      return truth(a < b);
    case Op::kLe:
      return truth(a <= b);
    case Op::kGt:
      return truth(a > b);
    case Op::kGe:
      return truth(a >= b);
    case Op::kEq:
      return truth(a == b);
    case Op::kNe:
      return truth(a != b);
    default:
      return std::nullopt;
  }
}

Value Unary(const Node &node, const APSInt &a) {
  switch (node.op) {
    case Op::kNot:
      return MakeValue(ScalarKind::kBool, a == 0 ? 1 : 0);
    case Op::kBitNot:
      return ~a;
    case Op::kNeg:
      return Combined(Op::kSub, APSInt(llvm::APInt(a.getBitWidth(), 0), a.isUnsigned()), a);
    case Op::kCast: {
      if (node.type.kind == ScalarKind::kBool) return MakeValue(ScalarKind::kBool, a != 0 ? 1 : 0);
      APSInt converted = a.extOrTrunc(BitsOf(node.type.kind));
      converted.setIsUnsigned(IsUnsigned(node.type.kind));
      return converted;
    }
    default:
      return std::nullopt;
  }
}

/// Expressions share nodes, so each node is computed once.
class Evaluation {
 public:
  explicit Evaluation(const std::vector<Local> &prologue) : prologue_(prologue) {}

  Value Of(const Expr &e) {
    if (!HasIntegerValue(e->type.kind)) return std::nullopt;
    const auto known = known_.find(e.get());
    if (known != known_.end()) return known->second;
    return known_[e.get()] = New(*e);
  }

 private:
  Value New(const Node &node) {
    if (node.op == Op::kLiteral) return ValueOfLiteral(node);
    if (node.op == Op::kLocal) return Of(prologue_[node.index].value);
    if (node.op == Op::kSelect) {
      const Value condition = Of(node.args[0]);
      return condition ? Of(node.args[*condition != 0 ? 1 : 2]) : std::nullopt;
    }
    if (node.args.empty() || node.args.size() > 2) return std::nullopt;
    const Value a = Of(node.args[0]);
    if (!a) return std::nullopt;
    if (node.args.size() == 1) return Unary(node, *a);
    const Value b = Of(node.args[1]);
    return b ? Binary(node.op, *a, *b) : std::nullopt;
  }

  const std::vector<Local> &prologue_;
  std::map<const Node *, Value> known_;  // looked up only
};

}  // namespace

std::optional<Expr> IntegerLiteral(const Expr &value, const std::vector<Local> &prologue) {
  const Value number = Evaluation(prologue).Of(value);
  return number ? std::optional<Expr>(ToExpr(value->type.kind, *number)) : std::nullopt;
}

Expr Folded(const Expr &value) {
  for (const Expr &arg : value->args) {
    if (arg->op != Op::kLiteral) return value;
  }
  return IntegerLiteral(value, {}).value_or(value);
}

}  // namespace mgen
