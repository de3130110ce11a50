// SPDX-License-Identifier: Apache-2.0
/// \file expr.h
/// Expressions of both IRs: an immutable DAG, shared freely.
#ifndef MSHADOW_GENERATOR_IR_EXPR_H_
#define MSHADOW_GENERATOR_IR_EXPR_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ir/axes.h"
#include "ir/source.h"
#include "ir/type.h"

namespace mgen {

/// Every operation, written once in ops.def.
enum class Op {
#define MGEN_OP(id, ir_name, arity, op_class, spelling) id,
#include "ir/ops.def"
#undef MGEN_OP
};

enum class OpClass { Leaf, Infix, Compare, Packet, Math, FastMath, Form, Reduce, Scan };

std::string_view IrName(Op op);
std::string_view Spelling(Op op);
int Arity(Op op);
OpClass ClassOf(Op op);
/// Whether a function is a polynomial or more, rather than an instruction or two.
bool IsElementary(Op op);
/// Whether IR text names the type of the result, since it does not follow from the operands.
inline bool NamesType(Op op) {
  return op == Op::kCast || op == Op::kBitCast || op == Op::kCall || op == Op::kRoundStochastic;
}
/// Whether an operation is a function of mshadow::math, elementary or not.
inline bool IsFunction(OpClass op_class) {
  return op_class == OpClass::Packet || op_class == OpClass::Math || op_class == OpClass::FastMath;
}
/// The operation with this name in IR text, unless it is a reduction.
std::optional<Op> ParseOp(std::string_view ir_name);
/// The reduction with this name in IR text.
std::optional<Op> ParseReduction(std::string_view ir_name);
/// The operation of two operands that C++ spells so: "+".
std::optional<Op> BinaryOp(std::string_view spelling);

/// The order in which a reduction combines elements; orders.def has them all. The spec's function
/// decides it, and with it the bits: functions of the runtime that reduce the same axes differ in
/// their order.
enum class Order {
#define MGEN_ORDER(id, ir_name, is_of_row, tree) id,
#include "ir/orders.def"
#undef MGEN_ORDER
};
std::string_view IrName(Order order);
/// The order with this name.
std::optional<Order> ParseOrder(std::string_view ir_name);
/// Whether a reduction in this order takes the elements that it combines as one row.
bool IsOfRow(Order order);
/// Which elements are combined when, in words: "32 elements one after the other; …".
std::string_view TreeOf(Order order);

struct Node;
using Expr = std::shared_ptr<const Node>;

/// A literal's value. Integers and bools are held exactly; floats as double.
using LiteralValue = std::variant<int64_t, uint64_t, double, bool>;

/// One operation. Nodes are made by ir/builder.h, which checks arity and types, and are walked with
/// ir/walk.h, which does not recurse: chains may be as long as a machine-written spec makes them.
struct Node {
  Op op = Op::kLiteral;
  Type type;
  std::vector<Expr> args;

  /// kLiteral: the value; signed kinds hold an int64_t, unsigned ones a uint64_t.
  LiteralValue value = 0.0;
  /// kRead, kParam, kDim, kIndex: index into Rule::params. kLocal: into Rule::prologue. kHoisted:
  /// into Plan::scalars. kCondition: into Plan::conditions. kReduced: into Plan::reductions. kLet:
  /// the index of the let. kOperand: 0 or 1. A reduction or a scan by a reducer of the rule's
  /// own: into Rule::reducers.
  int index = -1;
  /// kDim: the dimension, or kLastDim; kRows: the product of all extents but the last; kRest - d:
  /// that of all extents but d's; kFromLast + n: the n-th dimension before the last one; kBefore +
  /// n: the product of all extents before that; -1: the element count. kAxis: the axis of the
  /// expression, or kLastDim; kRows: the index of the row; kRest - d: the row-major index along all
  /// axes but d. Reductions: the axis of the operand that is kept, or kLastDim; kRows: all but the
  /// last are kept; kRest - d: all but d; -1: none. kIndex: the dimension along which the element
  /// has this index; -1: the index among the elements that are reduced together, which are a row, a
  /// column, or all elements in row-major order.
  int dim = 0;
  static constexpr int kLastDim = Axes::kLastDim, kRows = Axes::kRows, kRest = Axes::kRest;
  static constexpr int kFromLast = Axes::kFromLast, kBefore = Axes::kBefore;
  Order order = Order::kLanes;  ///< of a reduction
  /// kScan: the reduction whose reducer it uses; whether an element gets what those before it are
  /// combined to, without itself.
  Op reducer = Op::kReduceSum;
  bool is_exclusive = false;
  /// kRead after the pass bind_axes, which removes index expressions: those axes of the kernel's
  /// elements that the tensor has.
  Axes axes;
  /// kRead that is a gather: the vector of indices, as an index into Rule::params.
  int by = -1;
  /// kCall: the function ("expf"). Otherwise the name that the spec gave this value, or "": a hint
  /// for emitted names, without meaning.
  std::string name;
  SourceLocation location;

  Node() = default;
  Node(const Node &) = default;
  Node &operator=(const Node &) = delete;
  /// Takes a chain of operands apart in a loop: the default destructor recurses, and a chain of
  /// 10^5 nodes would exhaust the stack.
  ~Node();
};

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_IR_EXPR_H_
