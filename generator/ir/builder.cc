// SPDX-License-Identifier: Apache-2.0
#include "ir/builder.h"

#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>
#include <utility>

namespace mgen {
namespace {

std::string Quote(Type type) {
  if (type.symbolic()) return "the type parameter " + std::to_string(type.param);
  return std::string(IrName(type.kind));
}

std::shared_ptr<Node> NewNode(Op op, Type type) {
  auto node = std::make_shared<Node>();
  node->op = op;
  node->type = type;
  return node;
}

Expr NewLeaf(Op op, Type type, int index) {
  if (index < 0) throw std::invalid_argument(std::string(IrName(op)) + " needs an index");
  auto node = NewNode(op, type);
  node->index = index;
  return node;
}

[[noreturn]] void OutOfRange(Type type) {
  throw std::invalid_argument("literal is out of range of " + Quote(type));
}

/// `value` as an integer of `bits` bits, signed or not.
template <typename To, typename From>
To ToInteger(From value, Type type) {
  const int bits = 8 * Bytes(type.kind);
  const bool is_signed = std::is_signed_v<To>;
  if constexpr (std::is_floating_point_v<From>) {
    const double limit = std::ldexp(1.0, is_signed ? bits - 1 : bits);
    if (!(value >= (is_signed ? -limit : 0.0) && value < limit && value == std::trunc(value))) {
      OutOfRange(type);
    }
    return static_cast<To>(value);
  } else {
    const To result = static_cast<To>(value);
    const bool same = static_cast<From>(result) == value && (result < 0) == (value < 0);
    const To largest = std::numeric_limits<To>::max() >> (64 - bits);
    if (!same || result > largest || (is_signed && result < -largest - 1)) OutOfRange(type);
    return result;
  }
}

LiteralValue Convert(Type type, LiteralValue value) {
  return std::visit(
      [type](auto v) -> LiteralValue {
        using From = decltype(v);
        constexpr bool is_bool = std::is_same_v<From, bool>;
        switch (CategoryOf(type.kind)) {
          case Category::kBool:
            if constexpr (is_bool) return v;
            if (v != From(0) && v != From(1)) OutOfRange(type);
            return v != From(0);
          case Category::kFloat: {
            // A symbolic type's literal is one that every instance holds exactly.
            const double number = static_cast<double>(v);
            return type.symbolic() ? number : RoundTo(type.kind, number);
          }
          case Category::kSigned:
            if constexpr (is_bool)
              return static_cast<int64_t>(v);
            else
              return ToInteger<int64_t>(v, type);
          case Category::kUnsigned:
            if constexpr (is_bool)
              return static_cast<uint64_t>(v);
            else
              return ToInteger<uint64_t>(v, type);
        }
        return v;
      },
      value);
}

bool TakesIntegersOnly(Op op) {
  switch (op) {
    case Op::kRem:
    case Op::kBitAnd:
    case Op::kBitOr:
    case Op::kBitXor:
    case Op::kBitNot:
    case Op::kShl:
    case Op::kShr:
      return true;
    default:
      return false;
  }
}

bool TakesIntegersToo(Op op) { return op == Op::kAbs || op == Op::kMin || op == Op::kMax; }
bool IsLogical(Op op) { return op == Op::kAnd || op == Op::kOr || op == Op::kNot; }
bool IsClassification(Op op) { return op == Op::kIsNan || op == Op::kIsInf || op == Op::kIsFinite; }

/// What `op` says about one operand's type, or "".
std::string OperandError(Op op, Type type) {
  const std::string name(IrName(op));
  const Category category = CategoryOf(type.kind);
  if (IsLogical(op) && category != Category::kBool) return name + " takes bool, not " + Quote(type);
  if (op == Op::kAtColumn && category == Category::kBool) return name + " does not take bool";
  switch (ClassOf(op)) {
    case OpClass::Infix:
      if (category == Category::kBool) return name + " does not take bool";
      if (TakesIntegersOnly(op) && category == Category::kFloat) {
        return name + " takes integers, not " + Quote(type);
      }
      return "";
    case OpClass::Reduce:
    case OpClass::Scan:
      return category == Category::kBool ? name + " does not take bool" : "";
    case OpClass::Packet:
    case OpClass::Math:
      if (category == Category::kFloat) return "";
      if (category != Category::kBool && TakesIntegersToo(op)) return "";
      return name + " takes floats, not " + Quote(type);
    default:
      return "";
  }
}

std::string AlikeError(Op op, Type a, Type b) {
  if (a == b) return "";
  return "operands of " + std::string(IrName(op)) + " have types " + Quote(a) + " and " + Quote(b);
}

}  // namespace

Expr MakeLiteral(Type type, LiteralValue value) {
  auto node = NewNode(Op::kLiteral, type);
  node->value = Convert(type, value);
  return node;
}

Expr MakeRead(int param, Type type) { return MakeRead(param, type, Axes::Every()); }

Expr MakeRead(int param, Type type, std::vector<Expr> indices) {
  if (param < 0) throw std::invalid_argument("read needs a tensor");
  for (const Expr &index : indices) {
    if (index->type != kIndexType) throw std::invalid_argument("an index is no i64");
  }
  auto node = NewNode(Op::kRead, type);
  node->index = param;
  node->args = std::move(indices);
  return node;
}

Expr MakeRead(int param, Type type, Axes axes) {
  if (param < 0) throw std::invalid_argument("read needs a tensor");
  auto node = NewNode(Op::kRead, type);
  node->index = param;
  node->axes = axes;
  return node;
}

Expr MakeAxis(int dim) {
  const bool is_none = dim == -1 || (Node::kRest < dim && dim < Node::kRows);
  if (is_none) throw std::invalid_argument("no such axis");
  auto node = NewNode(Op::kAxis, kIndexType);
  node->dim = dim;
  return node;
}

Expr MakeGather(int param, Type type, int by) {
  if (param < 0 || by < 0) throw std::invalid_argument("a gather needs a tensor and indices");
  auto node = NewNode(Op::kRead, type);
  node->index = param;
  node->axes = Axes::Picked();
  node->by = by;
  return node;
}

Expr MakeIndex(Type type, int param, int dim) {
  if (param < 0 || dim < -1) throw std::invalid_argument("index needs a tensor and a dimension");
  auto node = NewNode(Op::kIndex, type);
  node->index = param;
  node->dim = dim;
  return node;
}

Expr MakeParam(int param, Type type) { return NewLeaf(Op::kParam, type, param); }
Expr MakeLocal(int local, Type type) { return NewLeaf(Op::kLocal, type, local); }
Expr MakeHoisted(int scalar, Type type) { return NewLeaf(Op::kHoisted, type, scalar); }
Expr MakeCondition(int condition) { return NewLeaf(Op::kCondition, kBoolType, condition); }
Expr MakeReduced(int reduction, Type type) { return NewLeaf(Op::kReduced, type, reduction); }
Expr MakeOperand(int which, Type type) { return NewLeaf(Op::kOperand, type, which); }
Expr MakeLet(int let, Type type) { return NewLeaf(Op::kLet, type, let); }

Expr MakeDim(int param, int dim) {
  if (param < 0 || (Node::kRest < dim && dim < Node::kRows))
    throw std::invalid_argument("dim needs a tensor and a dimension");
  auto node = NewNode(Op::kDim, kIndexType);
  node->index = param;
  node->dim = dim;
  return node;
}

std::string TypeError(Op op, const std::vector<Expr> &args) {
  const std::string name(IrName(op));
  if (ClassOf(op) == OpClass::Leaf || NamesType(op)) {
    return name + " is not made from operands alone";
  }
  if (static_cast<int>(args.size()) != Arity(op)) {
    return name + " takes " + std::to_string(Arity(op)) + " operands, not " +
           std::to_string(args.size());
  }
  if (op == Op::kSelect) {
    if (args[0]->type != kBoolType) return "select takes bool, not " + Quote(args[0]->type);
    return AlikeError(op, args[1]->type, args[2]->type);
  }
  std::string error = OperandError(op, args[0]->type);
  if (!error.empty() || args.size() == 1) return error;
  if (op != Op::kPowInt) return AlikeError(op, args[0]->type, args[1]->type);
  return args[1]->type == kIntType ? "" : "powi takes an i32 exponent, not " + Quote(args[1]->type);
}

Expr MakeOp(Op op, std::vector<Expr> args) {
  if (ClassOf(op) == OpClass::Reduce) throw std::invalid_argument("a reduction needs axes");
  if (op == Op::kScan) throw std::invalid_argument("a scan needs a reducer");
  if (const std::string error = TypeError(op, args); !error.empty()) {
    throw std::invalid_argument(error);
  }
  Type type = op == Op::kSelect ? args[1]->type : args[0]->type;
  const bool is_bool =
      ClassOf(op) == OpClass::Compare || IsClassification(op) || op == Op::kAtColumn;
  if (is_bool) type = kBoolType;
  auto node = NewNode(op, type);
  node->args = std::move(args);
  return node;
}

Expr MakeCast(Type type, Expr value) {
  auto node = NewNode(Op::kCast, type);
  node->args.push_back(std::move(value));
  return node;
}

std::string BitCastError(Type type, const std::vector<Expr> &args) {
  if (args.size() != 1) return "bit_cast takes 1 operand";
  if (type == kBoolType || args[0]->type == kBoolType) return "bit_cast takes and gives no bool";
  return Bytes(type.kind) == Bytes(args[0]->type.kind) ? "" : "bit_cast keeps the number of bits";
}

Expr MakeBitCast(Type type, Expr value) {
  if (const std::string error = BitCastError(type, {value}); !error.empty()) {
    throw std::invalid_argument(error);
  }
  auto node = NewNode(Op::kBitCast, type);
  node->args.push_back(std::move(value));
  return node;
}

Expr MakeRoundStochastic(Type type, Expr value, Expr uniform) {
  if (value->type != kFloatType || uniform->type != kFloatType) {
    throw std::invalid_argument("round_stochastic takes two f32");
  }
  if (type == kBoolType) throw std::invalid_argument("round_stochastic does not give bool");
  auto node = NewNode(Op::kRoundStochastic, type);
  node->args = {std::move(value), std::move(uniform)};
  return node;
}

Expr MakeSelect(Expr condition, Expr if_true, Expr if_false) {
  return MakeOp(Op::kSelect, {std::move(condition), std::move(if_true), std::move(if_false)});
}

Expr MakeReduction(Op op, int kept, Order order, Expr value, int reducer) {
  if (const std::string error = TypeError(op, {value}); !error.empty()) {
    throw std::invalid_argument(error);
  }
  auto node = NewNode(op, value->type);
  node->index = reducer;
  node->dim = kept;
  node->order = order;
  node->args.push_back(std::move(value));
  return node;
}

Expr MakeScan(Op reducer, bool exclusive, Expr value, int own) {
  if (const std::string error = TypeError(Op::kScan, {value}); !error.empty()) {
    throw std::invalid_argument(error);
  }
  if (ClassOf(reducer) != OpClass::Reduce) throw std::invalid_argument("a scan by no reducer");
  auto node = NewNode(Op::kScan, value->type);
  node->index = own;
  node->reducer = reducer;
  node->is_exclusive = exclusive;
  node->args.push_back(std::move(value));
  return node;
}

Expr MakeCall(std::string name, Type type, std::vector<Expr> args) {
  if (name.empty()) throw std::invalid_argument("call needs a function");
  auto node = NewNode(Op::kCall, type);
  node->name = std::move(name);
  node->args = std::move(args);
  return node;
}

Expr WithName(const Expr &expr, std::string name) {
  if (ClassOf(expr->op) == OpClass::Leaf || expr->op == Op::kCall || expr->name == name) {
    return expr;
  }
  auto copy = std::make_shared<Node>(*expr);
  copy->name = std::move(name);
  return copy;
}

Expr WithLocation(const Expr &expr, SourceLocation location) {
  auto copy = std::make_shared<Node>(*expr);
  copy->location = std::move(location);
  return copy;
}

}  // namespace mgen
