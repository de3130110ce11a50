// SPDX-License-Identifier: Apache-2.0
/// \file compare.h
/// Comparisons of expressions, < <= > >= == !=, with scalars on either side, and where(condition,
/// a, b). The result of a comparison is 1 or 0, in the element type of its operands.
#ifndef MSHADOW_EXPR_COMPARE_H_
#define MSHADOW_EXPR_COMPARE_H_

#include "mshadow/expr/operators.h"

namespace mshadow {
namespace expr {
namespace builtin {

#define MSHADOW_COMPARISON(NAME, symbol)                 \
  struct NAME {                                          \
    template <typename DType>                            \
    MSHADOW_XINLINE static DType Map(DType a, DType b) { \
      return a symbol b ? DType(1) : DType(0);           \
    }                                                    \
  };
MSHADOW_COMPARISON(lt, <)
MSHADOW_COMPARISON(le, <=)
MSHADOW_COMPARISON(gt, >)
MSHADOW_COMPARISON(ge, >=)
MSHADOW_COMPARISON(eq, ==)
MSHADOW_COMPARISON(ne, !=)
#undef MSHADOW_COMPARISON

struct where {
  template <typename DType>
  MSHADOW_XINLINE static DType Map(DType condition, DType a, DType b) {
    return condition != DType(0) ? a : b;
  }
};

}  // namespace builtin

MSHADOW_VERSION_BEGIN

MSHADOW_BINARY_OPERATOR(<, builtin::lt)
MSHADOW_BINARY_OPERATOR(<=, builtin::le)
MSHADOW_BINARY_OPERATOR(>, builtin::gt)
MSHADOW_BINARY_OPERATOR(>=, builtin::ge)
MSHADOW_BINARY_OPERATOR(==, builtin::eq)
MSHADOW_BINARY_OPERATOR(!=, builtin::ne)
#undef MSHADOW_BINARY_OPERATOR

namespace detail {
/// Enables where() for a condition and two operands, one of which, at least, is an expression.
template <typename A, typename B>
constexpr bool kCanChoose = (kIsExp<A> || kIsExp<B>)&&(kIsExp<A> || IsScalar<A>::value) &&
                            (kIsExp<B> || IsScalar<B>::value);
/// Whether all T are integer types.
template <typename T, typename = void>
constexpr bool kIsInteger = false;
template <typename T>
constexpr bool kIsInteger<T, decltype(static_cast<void>(T() % 1))> = true;
/// A condition, converted to the element type of the operands that it chooses from.
template <typename DType, typename E, typename CType, int etype>
MSHADOW_XINLINE auto ConditionAs(const Exp<E, CType, etype> &condition) {
  if constexpr (IsSame<CType, DType>::value) {
    return condition.self();
  } else {
    return tcast<DType>(condition != CType(0));  // no value other than 0 may become 0
  }
}
}  // namespace detail

/// Elements of \p a where \p condition is not 0, else those of \p b; each of them an expression or
/// a scalar, at least one an expression. The condition may be of another element type.
template <typename E, typename CType, int etype, typename A, typename B,
          typename DType = typename ::mshadow::detail::EnableIf<
              detail::kCanChoose<A, B>, typename detail::TernaryElement<A, A, B>::type>::type>
MSHADOW_XINLINE auto where(const Exp<E, CType, etype> &condition, const A &a, const B &b) {
  return MakeExp<builtin::where>(detail::ConditionAs<DType>(condition), a, b);
}

/// The same for two scalars. The result has the condition's element type: with 1 and 0, it is a
/// mask.
template <
    typename E, typename CType, int etype, typename A, typename B,
    typename ::mshadow::detail::EnableIf<IsScalar<A>::value && IsScalar<B>::value, int>::type = 0>
MSHADOW_XINLINE auto where(const Exp<E, CType, etype> &condition, const A &a, const B &b) {
  static_assert(
      !detail::kIsInteger<CType> || (detail::kIsInteger<A> && detail::kIsInteger<B>),
      "where(condition, a, b) of two numbers has the condition's element type, an integer "
      "here, which loses fractions: write where(tcast<float>(condition), ...)");
  return MakeExp<builtin::where>(condition, a, b);
}

MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#endif  // MSHADOW_EXPR_COMPARE_H_
