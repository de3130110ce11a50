// SPDX-License-Identifier: Apache-2.0
#include "passes/constants.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "ir/builder.h"

namespace mgen {
namespace {

bool IsConversion(Op op) { return op == Op::kCast || op == Op::kNeg; }

/// The low bits of `bits` as an integer of `kind`, bool included.
Expr Wrapped(ScalarKind kind, uint64_t bits) {
  if (kind == ScalarKind::kBool) return MakeLiteral(kBoolType, bits != 0);
  const int unused = 64 - 8 * Bytes(kind);
  const uint64_t high = bits << unused;
  if (CategoryOf(kind) == Category::kUnsigned) return MakeLiteral({kind}, high >> unused);
  return MakeLiteral({kind}, static_cast<int64_t>(high) >> unused);
}

uint64_t BitsOf(const LiteralValue &value) {
  return std::visit(
      [](auto v) {
        uint64_t bits = 0;
        if constexpr (std::is_same_v<decltype(v), double>) {
          std::memcpy(&bits, &v, sizeof v);
        } else {
          bits = static_cast<uint64_t>(v);
        }
        return bits;
      },
      value);
}

/// A float as an integer of `kind`; null if it is out of range.
Expr Truncated(ScalarKind kind, double value) {
  const bool is_signed = CategoryOf(kind) == Category::kSigned;
  const double limit = std::ldexp(1.0, 8 * Bytes(kind) - (is_signed ? 1 : 0));
  const double whole = std::trunc(value);
  const bool fits = whole >= (is_signed ? -limit : 0.0) && whole < limit;
  return fits ? MakeLiteral({kind}, whole) : nullptr;
}

/// `literal` as a float of `kind`, rounded once; null if a double cannot represent it.
Expr Rounded(ScalarKind kind, const LiteralValue &literal) {
  return IsExactInDouble(literal) ? MakeLiteral({kind}, literal) : nullptr;
}

Expr Converted(ScalarKind kind, const Expr &value) {
  if (value->type.kind == kind) return value;
  Expr result;
  if (value->op == Op::kLiteral) {
    const auto *number = std::get_if<double>(&value->value);
    if (IsFloat(kind)) {
      result = Rounded(kind, value->value);
    } else if (number == nullptr || kind == ScalarKind::kBool) {
      result = Wrapped(kind, number ? *number != 0 : BitsOf(value->value));
    } else {
      result = Truncated(kind, *number);
    }
  }
  return result ? result : MakeCast({kind}, value);
}

Expr Negated(const Expr &value) {
  if (value->op != Op::kLiteral) return MakeOp(Op::kNeg, {value});
  if (const auto *number = std::get_if<double>(&value->value)) {
    return MakeLiteral(value->type, -*number);
  }
  return Wrapped(value->type.kind, 0 - BitsOf(value->value));
}

}  // namespace

bool IsConstant(const Expr &expr) {
  const Node *node = expr.get();
  while (IsConversion(node->op)) node = node->args[0].get();
  return node->op == Op::kLiteral;
}

bool IsExactInDouble(const LiteralValue &value) {
  constexpr int64_t kLimit = int64_t{1} << 53;
  if (const auto *number = std::get_if<int64_t>(&value)) {
    return *number >= -kLimit && *number <= kLimit;
  }
  const auto *number = std::get_if<uint64_t>(&value);
  return number == nullptr || *number <= static_cast<uint64_t>(kLimit);
}

std::vector<ScalarKind> KindsThrough(const Expr &constant) {
  std::vector<ScalarKind> kinds;
  const Node *node = constant.get();
  for (; IsConversion(node->op); node = node->args[0].get()) kinds.push_back(node->type.kind);
  kinds.push_back(node->type.kind);
  std::reverse(kinds.begin(), kinds.end());
  kinds.erase(std::unique(kinds.begin(), kinds.end()), kinds.end());
  return kinds;
}

Expr Evaluate(const Expr &constant, const std::vector<ScalarKind> &instance) {
  std::vector<const Node *> above;
  const Node *node = constant.get();
  for (; IsConversion(node->op); node = node->args[0].get()) above.push_back(node);
  Expr value = MakeLiteral({KindIn(node->type, instance)}, node->value);
  for (auto it = above.rbegin(); it != above.rend(); ++it) {
    value =
        (*it)->op == Op::kNeg ? Negated(value) : Converted(KindIn((*it)->type, instance), value);
  }
  return value;
}

bool SameValue(const Expr &a, const Expr &b) {
  const Node *x = a.get();
  const Node *y = b.get();
  for (; x->op == y->op && x->type == y->type; x = x->args[0].get(), y = y->args[0].get()) {
    if (x->op == Op::kLiteral) return BitsOf(x->value) == BitsOf(y->value);
  }
  return false;
}

Expr SourceOf(const Expr &constant) {
  Expr source = constant;
  bool is_negative = false;
  for (; IsConversion(source->op); source = source->args[0]) {
    is_negative = is_negative != (source->op == Op::kNeg);
  }
  return is_negative ? Negated(source) : source;
}

}  // namespace mgen
