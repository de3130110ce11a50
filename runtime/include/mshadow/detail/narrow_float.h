// SPDX-License-Identifier: Apache-2.0
/// \file narrow_float.h
/// What half_t and bf16_t have in common: conversions that round once, and operators.
///
/// How types mix (`narrow` is either type):
///  * narrow op narrow -> narrow: computed in float, rounded to nearest even;
///  * narrow op another arithmetic type, in either order -> narrow, as in the original mshadow:
///    computed in float, with a double in double, and rounded once, to nearest even. So
///    `c ? 2 * h : T(0)` has one type;
///  * two different narrow types -> float;
///  * any arithmetic type converts to a narrow type, also implicitly and in compound assignment,
///    and is rounded once, to nearest even. In `c ? h : 0.0f` both operands convert to the other's
///    type, which C++ refuses: write `T(0)`;
///  * comparisons compare the float values.
///
/// No operator takes just any operand, so that none takes tensor expressions.
///
/// Reducers of mshadow's users have parameters `volatile T &`. To read one, to assign to one and
/// compound assignment work. These members are templates (over a parameter that is always T),
/// because a special member for volatile would make the type not trivially copyable. There is no
/// std header: specs are parsed with this file.
#ifndef MSHADOW_NARROW_FLOAT_H_
#define MSHADOW_NARROW_FLOAT_H_

#include "mshadow/detail/marks.h"
#include "mshadow/emitted/types.h"
#if defined(__CUDACC__)
#include "mshadow/cuda/float_op.cuh"
#endif

namespace mshadow {
namespace narrow_float {

template <typename T>
struct IsArithmetic {
  static constexpr bool value = false;
};
template <bool kCondition>
struct EnableIf {};
template <>
struct EnableIf<true> {
  using type = int;
};
/// Enables a template for the built-in arithmetic types.
template <typename T>
using IfArithmetic = typename EnableIf<IsArithmetic<T>::value>::type;

/// Enables a template whose parameter A must be T.
template <typename A, typename T>
struct IsTheSame {
  static constexpr bool value = false;
};
template <typename T>
struct IsTheSame<T, T> {
  static constexpr bool value = true;
};
template <typename A, typename T>
using IfSame = typename EnableIf<IsTheSame<A, T>::value>::type;

#define MSHADOW_ARITHMETIC(T)           \
  template <>                           \
  struct IsArithmetic<T> {              \
    static constexpr bool value = true; \
  };
MSHADOW_ARITHMETIC(bool)
MSHADOW_ARITHMETIC(char)
MSHADOW_ARITHMETIC(signed char)
MSHADOW_ARITHMETIC(unsigned char)
MSHADOW_ARITHMETIC(short)
MSHADOW_ARITHMETIC(unsigned short)
MSHADOW_ARITHMETIC(int)
MSHADOW_ARITHMETIC(unsigned int)
MSHADOW_ARITHMETIC(long)
MSHADOW_ARITHMETIC(unsigned long)
MSHADOW_ARITHMETIC(long long)
MSHADOW_ARITHMETIC(unsigned long long)
MSHADOW_ARITHMETIC(float)
MSHADOW_ARITHMETIC(double)
#undef MSHADOW_ARITHMETIC

MSHADOW_XINLINE constexpr unsigned int Bits(float value) {
  return __builtin_bit_cast(unsigned int, value);
}

MSHADOW_XINLINE constexpr float FromBits(unsigned int bits) {
  return __builtin_bit_cast(float, bits);
}

/// Rounds to odd: the neighbour towards zero, its last bit set if the value is not exact. Rounding
/// the result again, to fewer than 23 bits, gives what rounding \p value once would give.
MSHADOW_XINLINE constexpr float RoundToOdd(double value) {
#if defined(__CUDA_ARCH__)
  if (!__builtin_is_constant_evaluated()) return cuda::lane::RoundedToOdd(value);
#endif
  const float nearest = static_cast<float>(value);
  const double back = static_cast<double>(nearest);
  const double size = value < 0 ? -value : value;
  const double back_size = back < 0 ? -back : back;
  unsigned int bits = Bits(nearest);
  if (back_size > size) bits -= 1;
  if (back_size != size) bits |= 1;
  return FromBits(bits);
}

MSHADOW_XINLINE constexpr float RoundToOdd(float value) { return value; }

/// The same for integers. What is below the 53 bits of a double becomes one sticky bit.
MSHADOW_XINLINE constexpr float RoundToOdd(unsigned long long value) {
  if (value >> 53 != 0) value = (value >> 11 | ((value & 0x7ff) != 0)) << 11;
  return RoundToOdd(static_cast<double>(value));
}

MSHADOW_XINLINE constexpr float RoundToOdd(long long value) {
  const unsigned long long bits = static_cast<unsigned long long>(value);
  return value < 0 ? FromBits(Bits(RoundToOdd(0 - bits)) ^ 0x80000000u) : RoundToOdd(bits);
}

/// The widest built-in type of T's category, for which RoundToOdd has an overload.
template <typename T, bool kIsInteger = static_cast<T>(0.5f) == static_cast<T>(0),
          bool kIsSigned = static_cast<T>(-1) < static_cast<T>(1)>
struct Widest {
  using type = T;
};
template <typename T>
struct Widest<T, true, true> {
  using type = long long;
};
template <typename T>
struct Widest<T, true, false> {
  using type = unsigned long long;
};
template <>
struct Widest<bool> {
  using type = unsigned long long;
};

/// Any arithmetic value as a float that rounds to a narrow type as the value itself does.
template <typename T>
MSHADOW_XINLINE constexpr float ToFloat(T value) {
  return RoundToOdd(static_cast<typename Widest<T>::type>(value));
}

}  // namespace narrow_float
}  // namespace mshadow

#ifdef __MSHADOW_GEN__
// The generator knows these operators by name. Their bodies would take half of the time in which
// these headers are parsed. They are left out, or mean nothing where C++ needs one.
#define MSHADOW_NARROW_FLOAT_OPERATORS(T)                             \
  T operator-() const;                                                \
  template <typename A, ::mshadow::narrow_float::IfArithmetic<A> = 0> \
  T &operator=(A b);                                                  \
  MSHADOW_NARROW_FLOAT_OPERATOR(T, +)                                 \
  MSHADOW_NARROW_FLOAT_OPERATOR(T, -)                                 \
  MSHADOW_NARROW_FLOAT_OPERATOR(T, *)                                 \
  MSHADOW_NARROW_FLOAT_OPERATOR(T, /)
#define MSHADOW_NARROW_FLOAT_OPERATOR(T, symbol)                               \
  template <typename A, typename B, ::mshadow::narrow_float::IfSame<A, T> = 0, \
            ::mshadow::narrow_float::IfSame<B, T> = 0>                         \
  friend T operator symbol(A a, B) {                                           \
    return a;                                                                  \
  }                                                                            \
  template <typename A, typename B, ::mshadow::narrow_float::IfSame<A, T> = 0, \
            ::mshadow::narrow_float::IfArithmetic<B> = 0>                      \
  friend T operator symbol(A a, B) {                                           \
    return a;                                                                  \
  }                                                                            \
  template <typename A, typename B, ::mshadow::narrow_float::IfSame<B, T> = 0, \
            ::mshadow::narrow_float::IfArithmetic<A> = 0>                      \
  friend T operator symbol(A, B b) {                                           \
    return b;                                                                  \
  }                                                                            \
  T &operator symbol##=(T b);                                                  \
  template <typename A, ::mshadow::narrow_float::IfArithmetic<A> = 0>          \
  T &operator symbol##=(A b);
#define MSHADOW_NARROW_FLOAT_VOLATILE(T, bits)                        \
  template <typename A, ::mshadow::narrow_float::IfSame<A, T> = 0>    \
  T(const volatile A &other);                                         \
  operator float() const volatile;                                    \
  template <typename A, ::mshadow::narrow_float::IfSame<A, T> = 0>    \
  T &operator=(const volatile A &other);                              \
  template <typename A, ::mshadow::narrow_float::IfSame<A, T> = 0>    \
  void operator=(const volatile A &other) volatile;                   \
  template <typename A, ::mshadow::narrow_float::IfSame<A, T> = 0>    \
  void operator=(const A &other) volatile;                            \
  template <typename A, ::mshadow::narrow_float::IfArithmetic<A> = 0> \
  void operator=(A other) volatile;
#else
/// a op b for floats or doubles; on a GPU by functions that nvcc's flags do not change.
#if defined(__CUDA_ARCH__)
#define MSHADOW_FLOAT_RESULT(a, symbol, Function, b) ::mshadow::cuda::lane::Function(a, b)
#else
#define MSHADOW_FLOAT_RESULT(a, symbol, Function, b) ((a)symbol(b))
#endif

/// The operators of narrow type T, for inside its class. They convert to float by a cast: for an
/// operator of two classes, a compiler would try every pair of arithmetic types that these convert
/// to.
#define MSHADOW_NARROW_FLOAT_OPERATORS(T)                             \
  MSHADOW_NARROW_FLOAT_OPERATOR(T, +, Add)                            \
  MSHADOW_NARROW_FLOAT_OPERATOR(T, -, Sub)                            \
  MSHADOW_NARROW_FLOAT_OPERATOR(T, *, Mul)                            \
  MSHADOW_NARROW_FLOAT_OPERATOR(T, /, Div)                            \
  MSHADOW_XINLINE T operator-() const {                               \
    return Binary(static_cast<unsigned short>(Binary() ^ 0x8000));    \
  }                                                                   \
  MSHADOW_XINLINE T &operator+=(T b) { return *this = *this + b; }    \
  MSHADOW_XINLINE T &operator-=(T b) { return *this = *this - b; }    \
  MSHADOW_XINLINE T &operator*=(T b) { return *this = *this * b; }    \
  MSHADOW_XINLINE T &operator/=(T b) { return *this = *this / b; }    \
  template <typename A, ::mshadow::narrow_float::IfArithmetic<A> = 0> \
  MSHADOW_XINLINE T &operator=(A b) {                                 \
    return *this = T(b);                                              \
  }                                                                   \
  template <typename A, ::mshadow::narrow_float::IfArithmetic<A> = 0> \
  MSHADOW_XINLINE T &operator+=(A b) {                                \
    return *this = *this + b;                                         \
  }                                                                   \
  template <typename A, ::mshadow::narrow_float::IfArithmetic<A> = 0> \
  MSHADOW_XINLINE T &operator-=(A b) {                                \
    return *this = *this - b;                                         \
  }                                                                   \
  template <typename A, ::mshadow::narrow_float::IfArithmetic<A> = 0> \
  MSHADOW_XINLINE T &operator*=(A b) {                                \
    return *this = *this * b;                                         \
  }                                                                   \
  template <typename A, ::mshadow::narrow_float::IfArithmetic<A> = 0> \
  MSHADOW_XINLINE T &operator/=(A b) {                                \
    return *this = *this / b;                                         \
  }

/// The operators for two values of T, and for one beside any other arithmetic type.
#define MSHADOW_NARROW_FLOAT_OPERATOR(T, symbol, Function)                                     \
  template <typename A, typename B, ::mshadow::narrow_float::IfSame<A, T> = 0,                 \
            ::mshadow::narrow_float::IfSame<B, T> = 0>                                         \
  friend MSHADOW_XINLINE T operator symbol(A a, B b) {                                         \
    return T(                                                                                  \
        MSHADOW_FLOAT_RESULT(static_cast<float>(a), symbol, Function, static_cast<float>(b))); \
  }                                                                                            \
  template <typename A, typename B, ::mshadow::narrow_float::IfSame<A, T> = 0,                 \
            ::mshadow::narrow_float::IfArithmetic<B> = 0>                                      \
  friend MSHADOW_XINLINE T operator symbol(A a, B b) {                                         \
    using C = decltype(0.0f + b);                                                              \
    return T(MSHADOW_FLOAT_RESULT(static_cast<C>(static_cast<float>(a)), symbol, Function,     \
                                  static_cast<C>(b)));                                         \
  }                                                                                            \
  template <typename A, typename B, ::mshadow::narrow_float::IfSame<B, T> = 0,                 \
            ::mshadow::narrow_float::IfArithmetic<A> = 0>                                      \
  friend MSHADOW_XINLINE T operator symbol(A a, B b) {                                         \
    using C = decltype(0.0f + a);                                                              \
    return T(MSHADOW_FLOAT_RESULT(static_cast<C>(a), symbol, Function,                         \
                                  static_cast<C>(static_cast<float>(b))));                     \
  }

/// Conversions and assignments of volatile T, for inside its class. `bits` is the member with its
/// bits.
#define MSHADOW_NARROW_FLOAT_VOLATILE(T, bits)                                             \
  template <typename A, ::mshadow::narrow_float::IfSame<A, T> = 0>                         \
  MSHADOW_XINLINE T(const volatile A &other) : bits(other.bits) {}                         \
  MSHADOW_XINLINE operator float() const volatile { return static_cast<float>(T(*this)); } \
  template <typename A, ::mshadow::narrow_float::IfSame<A, T> = 0>                         \
  MSHADOW_XINLINE T &operator=(const volatile A &other) {                                  \
    bits = other.bits;                                                                     \
    return *this;                                                                          \
  }                                                                                        \
  template <typename A, ::mshadow::narrow_float::IfSame<A, T> = 0>                         \
  MSHADOW_XINLINE void operator=(const volatile A &other) volatile {                       \
    bits = other.bits;                                                                     \
  }                                                                                        \
  template <typename A, ::mshadow::narrow_float::IfSame<A, T> = 0>                         \
  MSHADOW_XINLINE void operator=(const A &other) volatile {                                \
    bits = other.bits;                                                                     \
  }                                                                                        \
  template <typename A, ::mshadow::narrow_float::IfArithmetic<A> = 0>                      \
  MSHADOW_XINLINE void operator=(A other) volatile {                                       \
    bits = T(other).bits;                                                                  \
  }                                                                                        \
  MSHADOW_NARROW_FLOAT_VOLATILE_UPDATE(T, bits, +=)                                        \
  MSHADOW_NARROW_FLOAT_VOLATILE_UPDATE(T, bits, -=)                                        \
  MSHADOW_NARROW_FLOAT_VOLATILE_UPDATE(T, bits, *=)                                        \
  MSHADOW_NARROW_FLOAT_VOLATILE_UPDATE(T, bits, /=)
#define MSHADOW_NARROW_FLOAT_VOLATILE_UPDATE(T, bits, symbol)              \
  template <typename A, ::mshadow::narrow_float::IfSame<A, T> = 0>         \
  MSHADOW_XINLINE void operator symbol(const volatile A &other) volatile { \
    T value(*this);                                                        \
    value symbol T(other);                                                 \
    bits = value.bits;                                                     \
  }                                                                        \
  template <typename A, ::mshadow::narrow_float::IfSame<A, T> = 0>         \
  MSHADOW_XINLINE void operator symbol(const A &other) volatile {          \
    T value(*this);                                                        \
    value symbol T(other);                                                 \
    bits = value.bits;                                                     \
  }                                                                        \
  template <typename A, ::mshadow::narrow_float::IfArithmetic<A> = 0>      \
  MSHADOW_XINLINE void operator symbol(A other) volatile {                 \
    T value(*this);                                                        \
    value symbol other;                                                    \
    bits = value.bits;                                                     \
  }

#endif  // __MSHADOW_GEN__

#endif  // MSHADOW_NARROW_FLOAT_H_
