// SPDX-License-Identifier: Apache-2.0
#include "meaning.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>
#include <utility>

#include "ir/walk.h"

namespace mgen_test {
namespace {

using mgen::LiteralValue;
using mgen::Node;
using mgen::Op;
using mgen::OpClass;
using mgen::ScalarKind;

int Bits(ScalarKind kind) { return 8 * mgen::Bytes(kind); }
bool IsSigned(ScalarKind kind) { return CategoryOf(kind) == mgen::Category::kSigned; }

/// Digits of a float's significand.
int Digits(ScalarKind kind) {
  switch (kind) {
    case ScalarKind::kBFloat16:
      return 8;
    case ScalarKind::kFloat16:
      return 11;
    case ScalarKind::kFloat32:
      return 24;
    default:
      return 53;
  }
}

/// Whether `wide` has every value of `narrow`, and both are floats or both integers.
bool Holds(ScalarKind wide, ScalarKind narrow) {
  if (mgen::IsFloat(wide) && mgen::IsFloat(narrow)) {
    return wide == narrow || (Digits(wide) >= 24 && Digits(wide) >= Digits(narrow));
  }
  if (!mgen::IsInteger(wide) || !mgen::IsInteger(narrow)) return false;
  if (IsSigned(wide) == IsSigned(narrow)) return Bits(wide) >= Bits(narrow);
  return IsSigned(wide) && Bits(wide) > Bits(narrow);
}

/// The low bits of the result depend on the operands' low bits only.
bool Wraps(Op op) {
  return op == Op::kAdd || op == Op::kSub || op == Op::kMul || op == Op::kNeg ||
         op == Op::kBitAnd || op == Op::kBitOr || op == Op::kBitXor || op == Op::kBitNot;
}

std::string TextOf(const LiteralValue &value) {
  return std::visit(
      [](auto v) {
        if constexpr (std::is_same_v<decltype(v), double>) {
          uint64_t bits = 0;
          std::memcpy(&bits, &v, sizeof v);
          return std::to_string(bits) + "d";
        } else {
          return std::to_string(static_cast<int64_t>(v));
        }
      },
      value);
}

LiteralValue Wrapped(ScalarKind kind, uint64_t bits) {
  const int unused = 64 - Bits(kind);
  if (!IsSigned(kind)) return (bits << unused) >> unused;
  return static_cast<int64_t>(bits << unused) >> unused;
}

uint64_t BitsOf(const LiteralValue &value) {
  return std::visit([](auto v) { return static_cast<uint64_t>(v); }, value);
}

double AsDouble(const LiteralValue &value) {
  return std::visit([](auto v) { return static_cast<double>(v); }, value);
}

}  // namespace

int Meanings::Add(Value value) {
  std::string key = std::string(IrName(value.op)) + ":" + std::string(IrName(value.kind));
  if (value.op == Op::kLiteral) key += "=" + TextOf(value.literal);
  key += " " + value.leaf;
  for (int arg : value.args) key += "," + std::to_string(arg);
  const auto [place, is_new] = numbers_.emplace(std::move(key), static_cast<int>(values_.size()));
  if (is_new) values_.push_back(std::move(value));
  return place->second;
}

/// A literal of a type parameter is a number that the instance converts.
int Meanings::Literal(ScalarKind kind, LiteralValue value) {
  if (mgen::IsFloat(kind)) return Add({Op::kLiteral, kind, RoundTo(kind, AsDouble(value)), "", {}});
  if (kind == ScalarKind::kBool) return Add({Op::kLiteral, kind, AsDouble(value) != 0, "", {}});
  if (const auto *number = std::get_if<double>(&value)) {
    value = *number < 0 ? LiteralValue(static_cast<int64_t>(*number))
                        : LiteralValue(static_cast<uint64_t>(*number));
  }
  return Add({Op::kLiteral, kind, Wrapped(kind, BitsOf(value)), "", {}});
}

/// -1: it has no value that C++ defines, or none that a double holds.
int Meanings::CastLiteral(ScalarKind kind, int value) {
  const LiteralValue literal = At(value).literal;
  const double number = AsDouble(literal);
  const bool is_float = std::holds_alternative<double>(literal);
  if (mgen::IsFloat(kind)) {
    return is_float || std::fabs(number) <= 0x1p53 ? Literal(kind, number) : -1;
  }
  if (!is_float || kind == ScalarKind::kBool) return Literal(kind, literal);
  const double whole = std::trunc(number);
  const bool is_signed = IsSigned(kind);
  const double limit = std::ldexp(1.0, Bits(kind) - (is_signed ? 1 : 0));
  return whole >= (is_signed ? -limit : 0.0) && whole < limit ? Literal(kind, whole) : -1;
}

/// int8(int32(a) + int32(b)) is a + b in int8; -1: it is nothing like that.
int Meanings::CastOperation(ScalarKind kind, int value) {
  const Value wide = At(value);
  if (!mgen::IsInteger(kind) || !mgen::IsInteger(wide.kind) || Bits(kind) >= Bits(wide.kind)) {
    return -1;
  }
  const bool divides = wide.op == Op::kDiv || wide.op == Op::kRem;
  if (!Wraps(wide.op) && !divides) return -1;
  std::vector<int> args;
  for (int arg : wide.args) {
    args.push_back(Cast(kind, arg));
    if (divides && Cast(wide.kind, args.back()) != arg) return -1;
  }
  return Add({wide.op, kind, 0.0, wide.leaf, args});
}

/// Whether `value`, a float, is one of `kind`: one that was, or what rounds nothing of such.
bool Meanings::HasValues(ScalarKind kind, int value) const {
  const Value &of = At(value);
  if (of.kind == kind || !mgen::IsFloat(of.kind)) return of.kind == kind;
  if (of.op == Op::kLiteral) return RoundTo(kind, AsDouble(of.literal)) == AsDouble(of.literal);
  if (of.op == Op::kCast) return At(of.args[0]).kind == kind;
  if (of.op == Op::kSelect) return HasValues(kind, of.args[1]) && HasValues(kind, of.args[2]);
  const bool is_exact =
      of.op == Op::kNeg || of.op == Op::kAbs || of.op == Op::kMin || of.op == Op::kMax;
  return is_exact &&
         std::all_of(of.args.begin(), of.args.end(), [&](int arg) { return HasValues(kind, arg); });
}

int Meanings::Cast(ScalarKind kind, int value) {
  const Value from = At(value);
  if (from.kind == kind) return value;
  if (from.op == Op::kLiteral) {
    if (const int literal = CastLiteral(kind, value); literal >= 0) return literal;
  }
  if (from.op == Op::kSelect) {
    const int yes = Cast(kind, from.args[1]);
    return Add({Op::kSelect, kind, 0.0, from.leaf, {from.args[0], yes, Cast(kind, from.args[2])}});
  }
  if (from.op == Op::kCast) {
    const ScalarKind first = At(from.args[0]).kind;
    const bool keeps_low_bits = mgen::IsInteger(first) && mgen::IsInteger(from.kind) &&
                                mgen::IsInteger(kind) && Bits(kind) <= Bits(from.kind);
    if (Holds(from.kind, first) || keeps_low_bits || HasValues(from.kind, from.args[0]))
      return Cast(kind, from.args[0]);
  }
  if (const int narrow = CastOperation(kind, value); narrow >= 0) return narrow;
  return Add({Op::kCast, kind, 0.0, "", {value}});
}

int Meanings::Operation(ScalarKind kind, const Node &node, std::vector<int> args) {
  std::string leaf = std::to_string(node.index) + "/" + std::to_string(node.dim) + "/" +
                     std::string(IrName(node.axes)) + "/" + std::to_string(node.by);
  if (node.op == Op::kCall) leaf += node.name;
  const bool is_literal = !args.empty() && At(args[0]).op == Op::kLiteral;
  if (node.op == Op::kNeg && is_literal) {
    const LiteralValue value = At(args[0]).literal;
    if (const auto *number = std::get_if<double>(&value)) return Literal(kind, -*number);
    return Literal(kind, Wrapped(kind, 0 - BitsOf(value)));
  }
  return Add({node.op, kind, 0.0, leaf, std::move(args)});
}

int Meanings::Number(const Node &node, std::vector<int> args) {
  const ScalarKind kind = KindIn(node.type, kinds_);
  if (node.op == Op::kLiteral) return Literal(kind, node.value);
  if (node.op == Op::kCast) return Cast(kind, args[0]);
  const OpClass op_class = ClassOf(node.op);
  const bool computes =
      op_class == OpClass::Infix || op_class == OpClass::Compare || IsFunction(op_class);
  bool is_narrow = false;
  for (int &arg : args) {
    if (!computes || !mgen::IsNarrowFloat(At(arg).kind)) continue;
    is_narrow = true;
    arg = Cast(ScalarKind::kFloat32, arg);
  }
  if (!is_narrow || !mgen::IsFloat(kind)) return Operation(kind, node, std::move(args));
  return Cast(kind, Operation(ScalarKind::kFloat32, node, std::move(args)));
}

std::string Meanings::Expression(const mgen::Expr &root) {
  if (root == nullptr) return "none";
  std::unordered_map<const Node *, int> numbers;
  mgen::ForEachNode(root, [&](const mgen::Expr &node) {
    std::vector<int> args;
    for (const mgen::Expr &arg : node->args) args.push_back(numbers.at(arg.get()));
    numbers[node.get()] = Number(*node, std::move(args));
  });
  const int number = numbers.at(root.get());
  return std::to_string(number) + ":" + std::string(IrName(At(number).kind));
}

std::string Meanings::Param(const mgen::Param &param) {
  std::string text = param.name + " " + std::string(IrName(KindIn(param.type, kinds_))) + " " +
                     std::to_string(param.rank) + " " + std::to_string(param.shape_of);
  for (const mgen::Expr &extent : param.extents) text += " " + Expression(extent);
  if (!param.view) return text + "\n";
  text += " " + param.view->text;
  for (const mgen::View::Operand &operand : param.view->operands) {
    text += " " + std::to_string(operand.kind) + "/" + std::to_string(operand.param) + "/" +
            std::to_string(operand.offset) + "/" + Expression(operand.value);
    const bool is_type = operand.kind == mgen::View::Operand::kType;
    if (is_type) text += "/" + std::string(IrName(KindIn(operand.type, kinds_)));
  }
  return text + "\n";
}

std::string Meanings::Statements(const mgen::Rule &rule, const std::vector<mgen::Statement> &body) {
  std::string text;
  for (const mgen::Statement &statement : body) {
    if (statement.kind == mgen::Statement::kIf) {
      text += "if " + Expression(statement.condition) + " {\n" +
              Statements(rule, statement.then_body) + "} {\n" +
              Statements(rule, statement.else_body) + "}\n";
      continue;
    }
    text += rule.params[static_cast<size_t>(statement.target)].name + " " +
            std::string(Spelling(statement.saver)) + " " + Expression(statement.value);
    for (const mgen::Factor &factor : {statement.left, statement.right}) {
      text += " " + std::to_string(factor.tensor) + (factor.transposed ? "T" : "");
    }
    text += "\n";
  }
  return text;
}

std::string Meanings::Of(const mgen::Rule &rule, size_t instance) {
  kinds_ = rule.instances.at(instance);
  std::string text = rule.name + "\n";
  for (const mgen::Param &param : rule.params) text += Param(param);
  for (const mgen::Reducer &reducer : rule.reducers) {
    text += reducer.name + " " + std::string(IrName(KindIn(reducer.type, kinds_))) + " " +
            Expression(reducer.initial) + " " + Expression(reducer.reduce) + " " +
            Expression(reducer.merge) + "\n";
  }
  for (const mgen::Local &local : rule.prologue) text += Expression(local.value) + "\n";
  for (const mgen::Stage &stage : rule.stages) text += "stage\n" + Statements(rule, stage.body);
  return text;
}

}  // namespace mgen_test
