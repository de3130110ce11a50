// SPDX-License-Identifier: Apache-2.0
#include "frontend/values.h"

#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "frontend/clang_compat.h"
#include "ir/printer.h"
#include "ir/wraps.h"

namespace mgen {
namespace {

/// The literal's value in a double, if that is exact.
std::optional<double> ExactDouble(const Expr &literal) {
  const double value = std::visit([](auto v) { return static_cast<double>(v); }, literal->value);
  constexpr double kExact = 9007199254740992.0;  // 2^53
  const bool integer = IsInteger(literal->type.kind);
  return integer && std::fabs(value) > kExact ? std::nullopt : std::optional<double>(value);
}

/// A literal as another kind, if nothing is lost.
std::optional<Expr> ConvertLiteral(ScalarKind kind, const Expr &literal) {
  const std::optional<double> value = ExactDouble(literal);
  if (!value) return std::nullopt;
  switch (CategoryOf(kind)) {
    case Category::kBool:
      return MakeLiteral(kBoolType, *value != 0);
    case Category::kFloat:
      if (!(RoundTo(kind, *value) == *value)) return std::nullopt;
      return MakeLiteral({kind}, *value);
    case Category::kSigned:
    case Category::kUnsigned: {
      const bool is_signed = CategoryOf(kind) == Category::kSigned;
      const double limit = std::ldexp(1.0, 8 * Bytes(kind) - (is_signed ? 1 : 0));
      const bool fits = *value >= (is_signed ? -limit : 0.0) && *value < limit;
      if (!fits || *value != std::trunc(*value)) return std::nullopt;
      return MakeLiteral({kind}, *value);
    }
  }
  return std::nullopt;
}

/// An operand of promoted arithmetic as it was before its promotion to int.
std::optional<Expr> BeforePromotion(ScalarKind kind, const Expr &operand) {
  if (operand->op == Op::kCast && operand->args[0]->type == Type{kind}) return operand->args[0];
  if (operand->op == Op::kLiteral) return ConvertLiteral(kind, operand);
  return std::nullopt;
}

std::optional<Expr> NarrowArithmetic(ScalarKind kind, const Expr &value) {
  if (!IsInteger(kind) || Bytes(kind) >= 4 || value->type.kind != ScalarKind::kInt32) {
    return std::nullopt;
  }
  // A quotient of narrow values is narrow, but for -128 / -1, which wraps like the others.
  if (!WrapsAlike(value->op) && value->op != Op::kDiv && value->op != Op::kRem) return std::nullopt;
  std::vector<Expr> args;
  for (const Expr &arg : value->args) {
    const std::optional<Expr> narrow = BeforePromotion(kind, arg);
    if (!narrow) return std::nullopt;
    args.push_back(*narrow);
  }
  return MakeOp(value->op, std::move(args));
}

}  // namespace

Expr Convert(ScalarKind kind, const Expr &value) {
  if (value->type == Type{kind}) return value;
  if (value->op == Op::kLiteral) {
    if (const auto literal = ConvertLiteral(kind, value)) return *literal;
  }
  if (const auto narrow = NarrowArithmetic(kind, value)) return *narrow;
  return MakeCast({kind}, value);
}

std::optional<Expr> ToLiteral(ScalarKind kind, const clang::APValue &value) {
  if (value.isInt()) {
    const llvm::APSInt &number = value.getInt();
    if (number.getBitWidth() > 64) return std::nullopt;
    if (kind == ScalarKind::kBool) return MakeLiteral(kBoolType, number.getBoolValue());
    if (number.isSigned()) return MakeLiteral({kind}, static_cast<int64_t>(number.getSExtValue()));
    return MakeLiteral({kind}, static_cast<uint64_t>(number.getZExtValue()));
  }
  if (value.isFloat() && CategoryOf(kind) == Category::kFloat) {
    llvm::APFloat number = value.getFloat();
    bool loses = false;
    number.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &loses);
    return MakeLiteral({kind}, number.convertToDouble());
  }
  return std::nullopt;
}

Expr Negate(const Expr &value) {
  if (value->op == Op::kLiteral) {
    if (CategoryOf(value->type.kind) == Category::kFloat) {
      return MakeLiteral(value->type, -std::get<double>(value->value));
    }
    if (const auto *number = std::get_if<int64_t>(&value->value)) {
      const int64_t lowest = -(int64_t{1} << (8 * Bytes(value->type.kind) - 1));
      if (*number != lowest) return MakeLiteral(value->type, -*number);
    }
  }
  return MakeOp(Op::kNeg, {value});
}

bool IsTrue(const Expr &condition) {
  return !condition || (condition->op == Op::kLiteral && std::get<bool>(condition->value));
}

bool IsFalse(const Expr &condition) {
  return condition && condition->op == Op::kLiteral && !std::get<bool>(condition->value);
}

Expr And(const Expr &a, const Expr &b) {
  if (IsTrue(a)) return b;
  if (IsTrue(b)) return a;
  return MakeOp(Op::kAnd, {a, b});
}

Expr Not(const Expr &condition) {
  if (IsTrue(condition)) return MakeLiteral(kBoolType, false);
  if (IsFalse(condition)) return nullptr;
  if (condition->op == Op::kNot) return condition->args[0];
  return MakeOp(Op::kNot, {condition});
}

namespace {

/// The parts of a condition that must all hold, as text, and whether each is not negated.
std::map<std::string, bool> PartsOf(const Expr &condition, const Rule &rule) {
  std::map<std::string, bool> parts;
  std::vector<Expr> rest = {condition};
  while (!rest.empty()) {
    Expr part = rest.back();
    rest.pop_back();
    if (!part) continue;
    if (part->op == Op::kAnd) {
      rest.insert(rest.end(), part->args.begin(), part->args.end());
      continue;
    }
    bool holds = true;
    for (; part->op == Op::kNot; part = part->args[0]) holds = !holds;
    parts.emplace(Print(part, rule), holds);
  }
  return parts;
}

}  // namespace

bool AreExclusive(const Expr &a, const Expr &b, const Rule &rule) {
  if (IsTrue(a) || IsTrue(b)) return false;
  const std::map<std::string, bool> parts = PartsOf(a, rule);
  for (const auto &[text, holds] : PartsOf(b, rule)) {
    const auto other = parts.find(text);
    if (other != parts.end() && other->second != holds) return true;
  }
  return false;
}

bool IsNonZeroLiteral(const Expr &value) {
  return value->op == Op::kLiteral &&
         std::visit([](auto v) { return static_cast<double>(v) != 0.0; }, value->value);
}

Expr Choose(const Expr &condition, const Expr &a, const Expr &b) {
  if (IsTrue(condition) || a == b) return a;
  if (IsFalse(condition)) return b;
  return MakeSelect(condition, a, b);
}

}  // namespace mgen
