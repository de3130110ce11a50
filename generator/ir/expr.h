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

enum class OpClass { Leaf, Infix, Compare, Packet, Math, Form, Reduce };

std::string_view IrName(Op op);
std::string_view Spelling(Op op);
int Arity(Op op);
OpClass ClassOf(Op op);
/// Functions that are a polynomial or worse, rather than an instruction or two.
bool IsElementary(Op op);
/// Functions of mshadow::math, elementary or not.
inline bool IsFunction(OpClass op_class) {
  return op_class == OpClass::Packet || op_class == OpClass::Math;
}
/// The operation of this name in IR text, which is none of class Reduce.
std::optional<Op> ParseOp(std::string_view ir_name);
/// The reduction of this name.
std::optional<Op> ParseReduction(std::string_view ir_name);
/// The operation of two operands that C++ spells so: "+".
std::optional<Op> BinaryOp(std::string_view spelling);

/// In which order a reduction combines elements. It is a part of what is meant, and not derived
/// from the axes: the runtime's functions differ in it, and so would the bits.
/// Every order, written once in orders.def.
enum class Order {
#define MGEN_ORDER(id, ir_name, is_of_row, tree) id,
#include "ir/orders.def"
#undef MGEN_ORDER
};
std::string_view IrName(Order order);
/// The order of this name.
std::optional<Order> ParseOrder(std::string_view ir_name);
/// Whether such a reduction combines the elements behind the axes that it keeps as one row.
bool IsOfRow(Order order);
/// Which elements it combines when, in words: "32 elements one after the other; …".
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
  /// the binding's number. kOperand: 0 or 1. A reduction by a reducer of the rule's own: into
  /// Rule::reducers.
  int index = -1;
  /// kDim: which dimension, or kLastDim; kRows is the product of all but the last; -1 is the
  /// element count. kAxis: which axis of the expression, or kLastDim; kRows counts the rows.
  /// A reduction: the axis of its operand that it keeps, or kLastDim, or kRows, or kRest - d, which
  /// keeps all but d; -1 is none. As kAxis and kDim, kRest counts along these in row-major order.
  /// kIndex: which dimension is counted; -1 counts the elements of what is reduced: of a row or a
  /// column, or in row-major order all.
  int dim = 0;
  static constexpr int kLastDim = Axes::kLastDim, kRows = Axes::kRows, kRest = Axes::kRest;
  Order order = Order::kLanes;  ///< of a reduction
  /// kRead behind the pass bind_axes, which leaves no index expressions: the axes of the kernel's
  /// elements that the tensor has.
  Axes axes;
  /// kRead of an element that is picked: the vector of indices, an index into Rule::params.
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
