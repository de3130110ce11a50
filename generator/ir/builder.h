// SPDX-License-Identifier: Apache-2.0
/// \file builder.h
/// The only way to make expressions. Every function checks what it is given and throws
/// std::invalid_argument on an expression that cannot be: callers that take input from users ask
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
/// For a plain number of any C++ type, which no conversion may shorten on its way.
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

/// The element in place of tensor parameter `param` (an index into Rule::params).
Expr MakeRead(int param, Type type);
/// The element with these coordinates: an expression of type i64 for each dimension of the tensor.
Expr MakeRead(int param, Type type, std::vector<Expr> indices);
/// The element for these axes.
Expr MakeRead(int param, Type type, Axes axes);
/// The coordinate of the element along axis `dim` of the expression, of the last one
/// Node::kLastDim; i64.
Expr MakeAxis(int dim);
/// The element of a row of `param` that the element of vector `by` for this row names.
Expr MakeGather(int param, Type type, int by);
/// How many elements stand before this one along dimension `dim` of a tensor, from 0, as a `type`;
/// -1: among those that are reduced (Node::dim).
Expr MakeIndex(Type type, int param, int dim);
Expr MakeParam(int param, Type type);     ///< a scalar parameter
Expr MakeLocal(int local, Type type);     ///< an entry of Rule::prologue
Expr MakeDim(int param, int dim);         ///< extent `dim` of a tensor, -1: its element count; i64
Expr MakeHoisted(int scalar, Type type);  ///< an entry of Plan::scalars
Expr MakeCondition(int condition);
Expr MakeReduced(int reduction, Type type);  ///< an entry of Plan::conditions; bool
Expr MakeOperand(int which, Type type);      ///< of a reducer: 0, what there is, or 1, what comes
Expr MakeLet(int let, Type type);            ///< the binding with that number in a Plan

/// An operation of class Infix, Compare or Packet, or kSelect. Its type follows from the operands':
///   Infix     both alike, not bool; % & | ^ ~ << >> take integers only. The operands' type
///   Compare   both alike; && || ! take bool. bool
///   Packet    both alike, floats (abs, min and max: integers too). The operands' type; powi takes
///             a float and an i32; isnan, isinf and isfinite give bool
///   kSelect   bool, then two alike. Their type
///   kAtColumn one of any type but bool, the same for a whole row. bool
Expr MakeOp(Op op, std::vector<Expr> args);
Expr MakeCast(Type type, Expr value);
Expr MakeSelect(Expr condition, Expr if_true, Expr if_false);
/// A reduction of the axes of `value` but `kept`: an axis, Node::kLastDim, or -1 for none.
/// \param reducer of kReduceOwn: the entry of Rule::reducers
Expr MakeReduction(Op op, int kept, Order order, Expr value, int reducer = -1);
/// A call of libm's `name`, kept as it is.
Expr MakeCall(std::string name, Type type, std::vector<Expr> args);

/// Why MakeOp would refuse these operands ("operands of add have types f32 and f64"), or "".
std::string TypeError(Op op, const std::vector<Expr> &args);

/// The same value with a hint for emitted names (the `auto` or function name that the spec gave
/// it). Leaves and literals have names or need none: they come back as they are.
Expr WithName(const Expr &expr, std::string name);
Expr WithLocation(const Expr &expr, SourceLocation location);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_IR_BUILDER_H_
