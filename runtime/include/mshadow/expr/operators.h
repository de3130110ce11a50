// SPDX-License-Identifier: Apache-2.0
/// \file operators.h
/// The functions and operators that make expressions: F<OP>, + - * /, unary -, dot. An operand may
/// be a scalar, which is converted to the element type of the other operand.
#ifndef MSHADOW_EXPR_OPERATORS_H_
#define MSHADOW_EXPR_OPERATORS_H_

#include "mshadow/expr/info.h"
#include "mshadow/expr/nodes.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN

namespace detail {
using ::mshadow::detail::IfScalar;
using ::mshadow::detail::IsSame;

/// A node over two expressions of one element type.
template <typename OP, typename TA, typename TB, typename DA, typename DB, int ta, int tb>
MSHADOW_XINLINE BinaryMapExp<OP, TA, TB, DA, (ta | tb | type::kMapper)> MakeBinary(const TA &lhs,
                                                                                   const TB &rhs) {
  static_assert(IsSame<DA, DB>::value,
                "the operands have different element types: convert one of them with tcast<DType>");
  return BinaryMapExp<OP, TA, TB, DA, (ta | tb | type::kMapper)>(lhs, rhs);
}

/// A ternary operator's operand: an expression as it is, a scalar as a ScalarExp<DType>.
template <typename T, typename DType, bool kExp = kIsExp<T>>
struct Operand {
  using Node = typename ExpTraits<T>::type::SubType;
  static constexpr int kType = ExpTraits<T>::type::kType;
  MSHADOW_XINLINE static const Node &Make(const T &value) {
    static_assert(
        IsSame<typename ExpTraits<T>::type::ElementType, DType>::value,
        "the operands have different element types: convert one of them with tcast<DType>");
    return value.self();
  }
};
template <typename T, typename DType>
struct Operand<T, DType, false> {
  using Node = ScalarExp<DType>;
  static constexpr int kType = type::kMapper;
  MSHADOW_XINLINE static Node Make(const T &value) { return Node(ScalarCast<DType>(value)); }
};

/// Whether T are scalars and text, at least one of them text.
template <typename... T>
constexpr bool kHaveText = (::mshadow::detail::IsText<T>::value || ...) &&
                           ((IsScalar<T>::value || ::mshadow::detail::IsText<T>::value) && ...);

/// The element type of the first expression among A, B, C; void if there is none or one of them is
/// neither an expression nor a scalar.
template <typename A, typename B, typename C>
struct TernaryElement {
  template <typename T>
  static constexpr bool kUsable = kIsExp<T> || IsScalar<T>::value;
  template <bool kA, bool kB, typename Dummy = void>
  struct Pick {
    using type = typename ExpTraits<C>::type::ElementType;
  };
  template <bool kB, typename Dummy>
  struct Pick<true, kB, Dummy> {
    using type = typename ExpTraits<A>::type::ElementType;
  };
  template <typename Dummy>
  struct Pick<false, true, Dummy> {
    using type = typename ExpTraits<B>::type::ElementType;
  };
  static constexpr bool value =
      kUsable<A> && kUsable<B> && kUsable<C> && (kIsExp<A> || kIsExp<B> || kIsExp<C>);
  using type = typename Pick<kIsExp<A>, kIsExp<B>>::type;
};
}  // namespace detail

/// OP::Map over one expression.
template <typename OP, typename TA, typename DType, int ta>
MSHADOW_XINLINE UnaryMapExp<OP, TA, DType, (ta | type::kMapper)> MakeExp(
    const Exp<TA, DType, ta> &src) {
  return UnaryMapExp<OP, TA, DType, (ta | type::kMapper)>(src.self());
}
template <typename OP, typename TA, typename DType, int ta>
MSHADOW_XINLINE UnaryMapExp<OP, TA, DType, (ta | type::kMapper)> F(const Exp<TA, DType, ta> &src) {
  return MakeExp<OP>(src);
}

/// OP::Map over two expressions, or an expression and a scalar.
template <typename OP, typename TA, typename TB, typename DA, typename DB, int ta, int tb>
MSHADOW_XINLINE BinaryMapExp<OP, TA, TB, DA, (ta | tb | type::kMapper)> MakeExp(
    const Exp<TA, DA, ta> &lhs, const Exp<TB, DB, tb> &rhs) {
  return detail::MakeBinary<OP, TA, TB, DA, DB, ta, tb>(lhs.self(), rhs.self());
}
template <typename OP, typename TA, typename TB, typename DA, typename DB, int ta, int tb>
MSHADOW_XINLINE BinaryMapExp<OP, TA, TB, DA, (ta | tb | type::kMapper)> F(
    const Exp<TA, DA, ta> &lhs, const Exp<TB, DB, tb> &rhs) {
  return MakeExp<OP>(lhs, rhs);
}
template <typename OP, typename TA, typename DType, int ta, typename S, detail::IfScalar<S> = 0>
MSHADOW_XINLINE BinaryMapExp<OP, TA, ScalarExp<DType>, DType, (ta | type::kMapper)> F(
    const Exp<TA, DType, ta> &lhs, S rhs) {
  return MakeExp<OP>(lhs, scalar<DType>(rhs));
}
template <typename OP, typename S, typename TB, typename DType, int tb, detail::IfScalar<S> = 0>
MSHADOW_XINLINE BinaryMapExp<OP, ScalarExp<DType>, TB, DType, (tb | type::kMapper)> F(
    S lhs, const Exp<TB, DType, tb> &rhs) {
  return MakeExp<OP>(scalar<DType>(lhs), rhs);
}
/// OP::Map over two scalars of one type: the same value for every element.
template <typename OP, typename DType,
          typename ::mshadow::detail::EnableIf<IsScalar<DType>::value, int>::type = 0>
MSHADOW_XINLINE BinaryMapExp<OP, ScalarExp<DType>, ScalarExp<DType>, DType, type::kMapper> F(
    DType lhs, DType rhs) {
  return MakeExp<OP>(scalar<DType>(lhs), scalar<DType>(rhs));
}
/// Refuses a single scalar, and text.
template <typename OP, typename DType,
          typename ::mshadow::detail::EnableIf<IsScalar<DType>::value, int>::type = 0>
MSHADOW_XINLINE DType F(DType value) {
  static_assert(::mshadow::detail::AlwaysFalse<DType>::value,
                "F<OP> of one number is a number: write OP::Map(number)");
  return value;
}
template <typename OP, typename... T,
          typename ::mshadow::detail::EnableIf<detail::kHaveText<T...>, int>::type = 0>
MSHADOW_XINLINE int F(T... values) {
  static_cast<void>((..., ScalarCast<int>(values)));
  return 0;
}

// Three operands, at least one of them an expression.
#define MSHADOW_TERNARY_EXP                                                            \
  TernaryMapExp<OP, typename detail::Operand<A, DType>::Node,                          \
                typename detail::Operand<B, DType>::Node,                              \
                typename detail::Operand<C, DType>::Node, DType,                       \
                (detail::Operand<A, DType>::kType | detail::Operand<B, DType>::kType | \
                 detail::Operand<C, DType>::kType | type::kMapper)>

/// OP::Map over three operands, each an expression or a scalar, at least one of them an expression.
template <typename OP, typename A, typename B, typename C,
          typename DType = typename ::mshadow::detail::EnableIf<
              detail::TernaryElement<A, B, C>::value,
              typename detail::TernaryElement<A, B, C>::type>::type>
MSHADOW_XINLINE MSHADOW_TERNARY_EXP MakeExp(const A &item1, const B &item2, const C &item3) {
  return MSHADOW_TERNARY_EXP(detail::Operand<A, DType>::Make(item1),
                             detail::Operand<B, DType>::Make(item2),
                             detail::Operand<C, DType>::Make(item3));
}
template <typename OP, typename A, typename B, typename C,
          typename DType = typename ::mshadow::detail::EnableIf<
              detail::TernaryElement<A, B, C>::value,
              typename detail::TernaryElement<A, B, C>::type>::type>
MSHADOW_XINLINE MSHADOW_TERNARY_EXP F(const A &item1, const B &item2, const C &item3) {
  return MakeExp<OP>(item1, item2, item3);
}
#undef MSHADOW_TERNARY_EXP

/// An operator between two expressions, or an expression and a scalar. expr/compare.h has the
/// comparisons.
#define MSHADOW_BINARY_OPERATOR(symbol, OP)                                                \
  template <typename TA, typename TB, typename DA, typename DB, int ta, int tb>            \
  MSHADOW_XINLINE BinaryMapExp<OP, TA, TB, DA, (ta | tb | type::kMapper)> operator symbol( \
      const Exp<TA, DA, ta> &lhs, const Exp<TB, DB, tb> &rhs) {                            \
    return MakeExp<OP>(lhs, rhs);                                                          \
  }                                                                                        \
  template <typename TA, typename DType, int ta, typename S, detail::IfScalar<S> = 0>      \
  MSHADOW_XINLINE BinaryMapExp<OP, TA, ScalarExp<DType>, DType, (ta | type::kMapper)>      \
  operator symbol(const Exp<TA, DType, ta> &lhs, S rhs) {                                  \
    return MakeExp<OP>(lhs, scalar<DType>(rhs));                                           \
  }                                                                                        \
  template <typename S, typename TB, typename DType, int tb, detail::IfScalar<S> = 0>      \
  MSHADOW_XINLINE BinaryMapExp<OP, ScalarExp<DType>, TB, DType, (tb | type::kMapper)>      \
  operator symbol(S lhs, const Exp<TB, DType, tb> &rhs) {                                  \
    return MakeExp<OP>(scalar<DType>(lhs), rhs);                                           \
  }
MSHADOW_BINARY_OPERATOR(+, op::plus)
MSHADOW_BINARY_OPERATOR(-, op::minus)
MSHADOW_BINARY_OPERATOR(*, op::mul)
MSHADOW_BINARY_OPERATOR(/, op::div)

template <typename TA, typename DType, int ta>
MSHADOW_XINLINE UnaryMapExp<builtin::negate, TA, DType, (ta | type::kMapper)> operator-(
    const Exp<TA, DType, ta> &src) {
  return MakeExp<builtin::negate>(src);
}

/// The product of two matrices, or of matrices and vectors (dot_engine.h), each of them a tensor or
/// the transpose of one.
#define MSHADOW_DOT(LHS, RHS, ltrans, rtrans, lhs_value, rhs_value)                           \
  template <typename TA, typename TB, typename DType>                                         \
  MSHADOW_XINLINE DotExp<TA, TB, ltrans, rtrans, DType> dot(const LHS &lhs, const RHS &rhs) { \
    static_assert(ExpInfo<TA>::kDim <= 2 && ExpInfo<TB>::kDim <= 2,                           \
                  "dot takes matrices and vectors; batch_dot takes tensors of rank 3");       \
    return DotExp<TA, TB, ltrans, rtrans, DType>(lhs_value, rhs_value, ScalarCast<DType>(1)); \
  }
#define MSHADOW_RVALUE(T) Exp<T, DType, type::kRValue>
#define MSHADOW_TRANSPOSED(T) TransposeExp<T, DType>
MSHADOW_DOT(MSHADOW_RVALUE(TA), MSHADOW_RVALUE(TB), false, false, lhs.self(), rhs.self())
MSHADOW_DOT(MSHADOW_TRANSPOSED(TA), MSHADOW_RVALUE(TB), true, false, lhs.exp, rhs.self())
MSHADOW_DOT(MSHADOW_RVALUE(TA), MSHADOW_TRANSPOSED(TB), false, true, lhs.self(), rhs.exp)
MSHADOW_DOT(MSHADOW_TRANSPOSED(TA), MSHADOW_TRANSPOSED(TB), true, true, lhs.exp, rhs.exp)
#undef MSHADOW_TRANSPOSED
#undef MSHADOW_RVALUE
#undef MSHADOW_DOT
/// A product of other operands, which is refused: here if the element types differ, else when it is
/// assigned.
template <typename TA, typename TB, typename DA, typename DB, int ta, int tb>
MSHADOW_XINLINE DotExp<TA, TB, false, false, DA> dot(const Exp<TA, DA, ta> &lhs,
                                                     const Exp<TB, DB, tb> &rhs) {
  static_assert(detail::IsSame<DA, DB>::value,
                "the operands have different element types: convert one of them with tcast<DType>");
  return DotExp<TA, TB, false, false, DA>(lhs.self(), rhs.self(), ScalarCast<DA>(1));
}

/// The product of each pair of matrices of two tensors of rank 3, batch first; a flag says that the
/// matrices of that operand are to be transposed.
template <bool transpose_left = false, bool transpose_right = false, typename TA, typename TB,
          typename DType>
MSHADOW_XINLINE DotExp<TA, TB, transpose_left, transpose_right, DType> batch_dot(
    const Exp<TA, DType, type::kRValue> &lhs, const Exp<TB, DType, type::kRValue> &rhs) {
  static_assert(ExpInfo<TA>::kDim == 3 && ExpInfo<TB>::kDim == 3,
                "batch_dot takes two tensors of rank 3");
  return DotExp<TA, TB, transpose_left, transpose_right, DType>(lhs.self(), rhs.self(),
                                                                ScalarCast<DType>(1));
}

/// A product times a scalar stays one call of BLAS.
template <typename TA, typename TB, bool ltrans, bool rtrans, typename DType, typename S,
          detail::IfScalar<S> = 0>
MSHADOW_XINLINE DotExp<TA, TB, ltrans, rtrans, DType> operator*(
    const DotExp<TA, TB, ltrans, rtrans, DType> &lhs, S rhs) {
  return DotExp<TA, TB, ltrans, rtrans, DType>(lhs.lhs_, lhs.rhs_,
                                               op::mul::Map(lhs.scale_, ScalarCast<DType>(rhs)));
}
template <typename S, typename TA, typename TB, bool ltrans, bool rtrans, typename DType,
          detail::IfScalar<S> = 0>
MSHADOW_XINLINE DotExp<TA, TB, ltrans, rtrans, DType> operator*(
    S lhs, const DotExp<TA, TB, ltrans, rtrans, DType> &rhs) {
  return rhs * lhs;
}

MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#endif  // MSHADOW_EXPR_OPERATORS_H_
