// SPDX-License-Identifier: Apache-2.0
/// \file builder.h
/// The only way to make expressions. Every function checks what it is given and throws
/// std::invalid_argument if there is no such expression: callers that take input from users ask
/// TypeError first and report that themselves.
#ifndef MSHADOW_GENERATOR_IR_BUILDER_H_
#define MSHADOW_GENERATOR_IR_BUILDER_H_

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "ir/expr.h"

namespace mgen {

constexpr Type kBoolType{ScalarKind::kBool};
constexpr Type kFloatType{ScalarKind::kFloat32};
constexpr Type kIntType{ScalarKind::kInt32};
constexpr Type kIndexType{ScalarKind::kInt64};

/// A literal of `type`. Any of the variant's alternatives may be given for any type as long as the
/// type can hold the value: floats are rounded to it, integers must be in its range.
Expr MakeLiteral(Type type, LiteralValue value);
/// The same for a number of any C++ type. No implicit conversion changes its value.
template <typename T, typename = std::enable_if_t<std::is_arithmetic_v<T>>>
Expr MakeLiteral(Type type, T value) {
  if constexpr (std::is_same_v<T, bool>) {
    return MakeLiteral(type, LiteralValue(value));
  } else if constexpr (std::is_floating_point_v<T>) {
    return MakeLiteral(type, LiteralValue(static_cast<double>(value)));
  } else if constexpr (std::is_signed_v<T>) {
    return MakeLiteral(type, LiteralValue(static_cast<int64_t>(value)));
  } else {
    return MakeLiteral(type, LiteralValue(static_cast<uint64_t>(value)));
  }
}

/// A read of tensor parameter `param` (an index into Rule::params) in place: at the coordinates of
/// the element that is computed.
Expr MakeRead(int param, Type type);
/// A read at these coordinates: an expression of type i64 for each dimension of the tensor.
Expr MakeRead(int param, Type type, std::vector<Expr> indices);
/// A read of a tensor that has only these axes of the element that is computed.
Expr MakeRead(int param, Type type, Axes axes);
/// The coordinate of the element along axis `dim` of the expression, as an i64. Node::kLastDim: the
/// last axis.
Expr MakeAxis(int dim);
/// A gather: the element of this row of `param` whose column this row's element of vector `by`
/// names.
Expr MakeGather(int param, Type type, int by);
/// The index of the element along dimension `dim` of tensor `param`, as a `type`. If `dim` is -1,
/// the index among the elements that are reduced (Node::dim).
Expr MakeIndex(Type type, int param, int dim);
Expr MakeParam(int param, Type type);     ///< a scalar parameter
Expr MakeLocal(int local, Type type);     ///< an entry of Rule::prologue
Expr MakeDim(int param, int dim);         ///< extent `dim` of a tensor, -1: its element count; i64
Expr MakeHoisted(int scalar, Type type);  ///< an entry of Plan::scalars
Expr MakeCondition(int condition);        ///< an entry of Plan::conditions; bool
Expr MakeReduced(int reduction, Type type);  ///< an entry of Plan::reductions
Expr MakeOperand(int which, Type type);      ///< in a reducer: 0, the accumulator; 1, the element
Expr MakeLet(int let, Type type);            ///< the let with that index in a Plan (Step::let)

/// An operation of class Infix, Compare or Packet, or kSelect, kAtColumn, kDiscard or kRecurrence.
/// The operands must be:
///   Infix      of one type, not bool; for % & | ^ ~ << >> of an integer type
///   Compare    of one type; for && || ! bool
///   Packet     of one float type; for abs, min and max also of an integer type; for powi a float
///              and an i32
///   kSelect    a bool and two operands of one type
///   kAtColumn  of any type but bool, with one value for a whole row
///   kDiscard   of one type
///   kRecurrence  of one type, not bool
/// The result is bool for Compare, kAtColumn, isnan, isinf and isfinite. Otherwise it has the type
/// of the operands; for kSelect, that of the last two.
Expr MakeOp(Op op, std::vector<Expr> args);
Expr MakeCast(Type type, Expr value);
/// Why `args` cannot be the operands of a bit_cast to `type`, or "".
std::string BitCastError(Type type, const std::vector<Expr> &args);
/// The bits of `value` as a `type`, which has as many.
Expr MakeBitCast(Type type, Expr value);
/// `value` rounded to `type` at random. Both operands are f32.
Expr MakeRoundStochastic(Type type, Expr value, Expr uniform);
Expr MakeSelect(Expr condition, Expr if_true, Expr if_false);
/// A reduction of all axes of `value` but `kept`: an axis, Node::kLastDim, or -1 for none.
/// \param reducer for kReduceOwn: the index into Rule::reducers
Expr MakeReduction(Op op, int kept, Order order, Expr value, int reducer = -1);
/// A scan of `value` along the last axis, by the reducer of the reduction `reducer`.
/// \param exclusive whether an element gets what the elements before it are combined to
/// \param own for kReduceOwn: the index into Rule::reducers
Expr MakeScan(Op reducer, bool exclusive, Expr value, int own = -1);
/// A call of libm's `name`, kept as it is.
Expr MakeCall(std::string name, Type type, std::vector<Expr> args);

/// Why MakeOp would refuse these operands ("operands of add have types f32 and f64"), or "".
std::string TypeError(Op op, const std::vector<Expr> &args);

/// The same value with a hint for emitted names (the `auto` or function name that the spec gave
/// it). Leaves and literals have names or need none: they are returned as they are.
Expr WithName(const Expr &expr, std::string name);
Expr WithLocation(const Expr &expr, SourceLocation location);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_IR_BUILDER_H_
