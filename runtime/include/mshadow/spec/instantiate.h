// SPDX-License-Identifier: Apache-2.0
/// \file instantiate.h
/// MSHADOW_INSTANTIATE for the generator's parse. It makes Clang instantiate a rule, with its body
/// and operators, for cpu, rank 2 and each tuple of element types. MSHADOW_INSTANTIATE_EXPRESSION
/// does so for an expression of such tensors. No program includes this.
#ifndef MSHADOW_GEN_INSTANTIATE_H_
#define MSHADOW_GEN_INSTANTIATE_H_

#include "mshadow/base.h"

/// Declares the functions of libm for a spec that calls them without <math.h>. If the spec includes
/// it, these are the same functions again.
extern "C" {
#define MSHADOW_LIBM1(name)           \
  double name(double) noexcept(true); \
  float name##f(float) noexcept(true);
#define MSHADOW_LIBM2(name)                   \
  double name(double, double) noexcept(true); \
  float name##f(float, float) noexcept(true);
#define MSHADOW_LIBM3(name)                           \
  double name(double, double, double) noexcept(true); \
  float name##f(float, float, float) noexcept(true);
MSHADOW_LIBM1(exp)
MSHADOW_LIBM1(exp2)
MSHADOW_LIBM1(expm1)
MSHADOW_LIBM1(log)
MSHADOW_LIBM1(log2)
MSHADOW_LIBM1(log10)
MSHADOW_LIBM1(log1p)
MSHADOW_LIBM1(sqrt)
MSHADOW_LIBM1(cbrt)
MSHADOW_LIBM1(sin)
MSHADOW_LIBM1(cos)
MSHADOW_LIBM1(tan)
MSHADOW_LIBM1(asin)
MSHADOW_LIBM1(acos)
MSHADOW_LIBM1(atan)
MSHADOW_LIBM1(sinh)
MSHADOW_LIBM1(cosh)
MSHADOW_LIBM1(tanh)
MSHADOW_LIBM1(erf)
MSHADOW_LIBM1(erfc)
MSHADOW_LIBM1(tgamma)
MSHADOW_LIBM1(lgamma)
MSHADOW_LIBM1(fabs)
MSHADOW_LIBM1(floor)
MSHADOW_LIBM1(ceil)
MSHADOW_LIBM1(trunc)
MSHADOW_LIBM1(round)
MSHADOW_LIBM1(rint)
MSHADOW_LIBM1(nearbyint)
MSHADOW_LIBM2(pow)
MSHADOW_LIBM2(atan2)
MSHADOW_LIBM2(hypot)
MSHADOW_LIBM2(fmod)
MSHADOW_LIBM2(remainder)
MSHADOW_LIBM2(fmin)
MSHADOW_LIBM2(fmax)
MSHADOW_LIBM2(fdim)
MSHADOW_LIBM2(copysign)
MSHADOW_LIBM3(fma)
#undef MSHADOW_LIBM1
#undef MSHADOW_LIBM2
#undef MSHADOW_LIBM3
}

namespace mshadow {
namespace gen {

/// Orders the overloads of Get: the highest Rank is tried first.
template <int n>
struct Rank : Rank<n - 1> {};
template <>
struct Rank<0> {};

/// A template parameter of type IfNone<n> enables a template if n is 0.
template <int n>
struct NoneOf {};
template <>
struct NoneOf<0> {
  using type = int;
};
template <int n>
using IfNone = typename NoneOf<n>::type;

/// The operands with which an expression is instantiated.
template <typename T>
using Operand = Tensor<cpu, 2, T>;

template <typename... T>
constexpr bool HaveVoid(Types<T...>) {
  return (::mshadow::detail::IsSame<T, void>::value || ...);
}

/// Takes the address of an instance of a rule, so that Clang instantiates it. Refuses void, for
/// which Clang can make nothing of the body. The generator refuses the other types that no element
/// can have.
template <typename Rule, typename T>
void InstantiateOne() {
  using Tuple = typename AsTypes<T>::type;
  static_assert(!HaveVoid(Tuple()),
                "type 'void' is not supported in MSHADOW_INSTANTIATE: no element can have it");
  if constexpr (!HaveVoid(Tuple())) static_cast<void>(Rule::Get(Rank<4>(), Tuple()));
}

template <typename Rule, typename... T>
int Instantiate(TypeList<T...>) {
  (InstantiateOne<Rule, T>(), ...);
  return static_cast<int>(sizeof...(T));
}

}  // namespace gen
}  // namespace mshadow

#define MSHADOW_INSTANTIATE(Rule, ...) MSHADOW_INSTANTIATE_1(Rule, __COUNTER__, __VA_ARGS__)
#define MSHADOW_INSTANTIATE_1(Rule, n, ...) MSHADOW_INSTANTIATE_2(Rule, n, __VA_ARGS__)
// Get: a rule with a rank parameter, a rule without one, neither. The last is one of several rules
// of this name, which the generator instantiates, or none. A rule may be called T.
#define MSHADOW_INSTANTIATE_2(Rule, n, ...)                                            \
  struct Rule##_instances_##n {                                                        \
    template <typename... MshadowT>                                                    \
    static auto Get(::mshadow::gen::Rank<2>, ::mshadow::Types<MshadowT...>)            \
        -> decltype(&Rule<::mshadow::cpu, 2, MshadowT...>) {                           \
      return &Rule<::mshadow::cpu, 2, MshadowT...>;                                    \
    }                                                                                  \
    template <typename... MshadowT>                                                    \
    static auto Get(::mshadow::gen::Rank<1>, ::mshadow::Types<MshadowT...>)            \
        -> decltype(&Rule<::mshadow::cpu, MshadowT...>) {                              \
      return &Rule<::mshadow::cpu, MshadowT...>;                                       \
    }                                                                                  \
    template <typename... MshadowT>                                                    \
    static int Get(::mshadow::gen::Rank<0>, ::mshadow::Types<MshadowT...>) {           \
      return 0;                                                                        \
    }                                                                                  \
  };                                                                                   \
  static const int Rule##_count_##n =                                                  \
      ::mshadow::gen::Instantiate<Rule##_instances_##n>(::mshadow::TypeList<__VA_ARGS__>())

#define MSHADOW_INSTANTIATE_EXPRESSION(Function, ...) \
  MSHADOW_INSTANTIATE_EXPRESSION_1(Function, __COUNTER__, __VA_ARGS__)
#define MSHADOW_INSTANTIATE_EXPRESSION_1(Function, n, ...) \
  MSHADOW_INSTANTIATE_EXPRESSION_2(Function, n, __VA_ARGS__)
// The condition comes first: for two or more types, Clang must not instantiate the body.
#define MSHADOW_INSTANTIATE_GET(Function, n, ...)                                      \
  template <typename T, typename... More, ::mshadow::gen::IfNone<sizeof...(More)> = 0> \
  static auto Get(::mshadow::gen::Rank<n>, ::mshadow::Types<T, More...>)               \
      ->decltype(&Function<__VA_ARGS__>) {                                             \
    return &Function<__VA_ARGS__>;                                                     \
  }
// Get: an element type for each operand; one for all of two, three or four; neither.
#define MSHADOW_INSTANTIATE_EXPRESSION_2(Function, n, ...)                                 \
  struct Function##_instances_##n {                                                        \
    template <typename T>                                                                  \
    using O = ::mshadow::gen::Operand<T>;                                                  \
    template <typename... T>                                                               \
    static auto Get(::mshadow::gen::Rank<4>, ::mshadow::Types<T...>)                       \
        -> decltype(&Function<O<T>...>) {                                                  \
      return &Function<O<T>...>;                                                           \
    }                                                                                      \
    MSHADOW_INSTANTIATE_GET(Function, 3, O<T>, O<T>)                                       \
    MSHADOW_INSTANTIATE_GET(Function, 2, O<T>, O<T>, O<T>)                                 \
    MSHADOW_INSTANTIATE_GET(Function, 1, O<T>, O<T>, O<T>, O<T>)                           \
    template <typename... T>                                                               \
    static int Get(::mshadow::gen::Rank<0>, ::mshadow::Types<T...>) {                      \
      return 0;                                                                            \
    }                                                                                      \
  };                                                                                       \
  static const int Function##_count_##n =                                                  \
      ::mshadow::gen::Instantiate<Function##_instances_##n>(::mshadow::TypeList<__VA_ARGS__>())

#endif  // MSHADOW_GEN_INSTANTIATE_H_
