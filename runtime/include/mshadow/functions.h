// SPDX-License-Identifier: Apache-2.0
/// \file functions.h
/// mshadow::math: elementary functions of float, double, half_t and bf16_t.
///
/// A fused kernel computes these functions for a packet; here they are for one element. Both
/// compute the same bits on every instruction set, machine, compiler and optimisation level. None
/// calls libm. For half_t and bf16_t, a function of one argument is correctly rounded, and a
/// function of two computes in float and rounds the result once. docs/math.md lists errors and
/// special values.
#ifndef MSHADOW_FUNCTIONS_H_
#define MSHADOW_FUNCTIONS_H_

#include "mshadow/bfloat.h"
#include "mshadow/half.h"
#ifndef __MSHADOW_GEN__
#include "mshadow/packet/scalar.h"
#endif

namespace mshadow {
namespace math {

// The generator needs only the declarations.
#ifdef __MSHADOW_GEN__
#define MSHADOW_MATH_DECLARE(T) T
#define MSHADOW_MATH_DECLARE_LONG(T) T
#define MSHADOW_MATH_BODY(expression) ;
#else
#define MSHADOW_MATH_DECLARE(T) MSHADOW_XINLINE T
// For functions that are too long to be inlined into each caller. They are static: the linker must
// not replace one with a copy that was compiled for other instructions.
#ifdef __CUDACC__
#define MSHADOW_MATH_DECLARE_LONG(T) static inline __host__ __device__ T
#else
#define MSHADOW_MATH_DECLARE_LONG(T) static inline T
#endif
#define MSHADOW_MATH_BODY(expression)             \
  {                                               \
    using ::mshadow::packet::scalar::Lane;        \
    namespace scalar = ::mshadow::packet::scalar; \
    return expression;                            \
  }

namespace detail {
template <typename T>
using One = packet::scalar::Vec<T, 1>;
}  // namespace detail
#endif

#define MSHADOW_MATH_UNARY_OF(T, name, Function) \
  MSHADOW_MATH_DECLARE(T) name(T a) MSHADOW_MATH_BODY(Lane(scalar::Function(detail::One<T>(a)), 0))
#define MSHADOW_MATH_BINARY_OF(T, name, Function) \
  MSHADOW_MATH_DECLARE(T)                         \
  name(T a, T b) MSHADOW_MATH_BODY(Lane(scalar::Function(detail::One<T>(a), detail::One<T>(b)), 0))
#define MSHADOW_MATH_CLASS_OF(T, name, Function) \
  MSHADOW_MATH_DECLARE(bool) name(T a) MSHADOW_MATH_BODY(scalar::Function(detail::One<T>(a)).v)
#define MSHADOW_MATH_FLOATS(define, name, Function)            \
  define(float, name, Function) define(double, name, Function) \
      define(half::half_t, name, Function) define(bfloat::bf16_t, name, Function)
#define MSHADOW_MATH_INTEGERS(define, name, Function)                                            \
  define(int8_t, name, Function) define(uint8_t, name, Function) define(int16_t, name, Function) \
      define(uint16_t, name, Function) define(int32_t, name, Function)                           \
          define(uint32_t, name, Function) define(int64_t, name, Function)                       \
              define(uint64_t, name, Function)

/// \name exp: e^a; expm1: e^a - 1; sigmoid: 1 / (1 + e^-a); tanh; erf: the error function
/// @{
MSHADOW_MATH_FLOATS(MSHADOW_MATH_UNARY_OF, exp, Exp)
MSHADOW_MATH_FLOATS(MSHADOW_MATH_UNARY_OF, expm1, Expm1)
MSHADOW_MATH_FLOATS(MSHADOW_MATH_UNARY_OF, sigmoid, Sigmoid)
MSHADOW_MATH_FLOATS(MSHADOW_MATH_UNARY_OF, tanh, Tanh)
MSHADOW_MATH_FLOATS(MSHADOW_MATH_UNARY_OF, erf, Erf)
/// @}

/// \name log: the natural logarithm; log1p: log(1 + a)
/// @{
MSHADOW_MATH_FLOATS(MSHADOW_MATH_UNARY_OF, log, Log)
MSHADOW_MATH_FLOATS(MSHADOW_MATH_UNARY_OF, log1p, Log1p)
/// @}

/// \name exp2: 2^a; exp10: 10^a; log2, log10; sine, cosine and tangent of an angle in radians
/// @{
MSHADOW_MATH_FLOATS(MSHADOW_MATH_UNARY_OF, exp2, Exp2)
MSHADOW_MATH_FLOATS(MSHADOW_MATH_UNARY_OF, exp10, Exp10)
MSHADOW_MATH_FLOATS(MSHADOW_MATH_UNARY_OF, log2, Log2)
MSHADOW_MATH_FLOATS(MSHADOW_MATH_UNARY_OF, log10, Log10)
MSHADOW_MATH_FLOATS(MSHADOW_MATH_UNARY_OF, sin, Sin)
MSHADOW_MATH_FLOATS(MSHADOW_MATH_UNARY_OF, cos, Cos)
MSHADOW_MATH_FLOATS(MSHADOW_MATH_UNARY_OF, tan, Tan)
/// @}

/// \name Arctangent, arcsine and arccosine, in radians
/// @{
MSHADOW_MATH_FLOATS(MSHADOW_MATH_UNARY_OF, atan, Atan)
MSHADOW_MATH_FLOATS(MSHADOW_MATH_UNARY_OF, asin, Asin)
MSHADOW_MATH_FLOATS(MSHADOW_MATH_UNARY_OF, acos, Acos)
/// @}

/// \name Hyperbolic functions and their inverses
/// @{
MSHADOW_MATH_FLOATS(MSHADOW_MATH_UNARY_OF, sinh, Sinh)
MSHADOW_MATH_FLOATS(MSHADOW_MATH_UNARY_OF, cosh, Cosh)
MSHADOW_MATH_FLOATS(MSHADOW_MATH_UNARY_OF, asinh, Asinh)
MSHADOW_MATH_FLOATS(MSHADOW_MATH_UNARY_OF, acosh, Acosh)
MSHADOW_MATH_FLOATS(MSHADOW_MATH_UNARY_OF, atanh, Atanh)
/// @}

/// \name The cube root
/// @{
MSHADOW_MATH_FLOATS(MSHADOW_MATH_UNARY_OF, cbrt, Cbrt)
/// @}

/// \name lgamma: log|gamma(a)|
/// @{
MSHADOW_MATH_FLOATS(MSHADOW_MATH_UNARY_OF, lgamma, Lgamma)
/// @}

/// \name softplus: log(1 + e^a); erfc: 1 - erf(a)
/// @{
MSHADOW_MATH_FLOATS(MSHADOW_MATH_UNARY_OF, softplus, Softplus)
MSHADOW_MATH_FLOATS(MSHADOW_MATH_UNARY_OF, erfc, Erfc)
/// @}

/// \name pow: a^b, special values as in C99, annex F; sqrt: the square root; rsqrt: 1 / sqrt(a)
/// @{
#define MSHADOW_MATH_LONG_BINARY_OF(T, name, Function) \
  MSHADOW_MATH_DECLARE_LONG(T)                         \
  name(T a, T b) MSHADOW_MATH_BODY(Lane(scalar::Function(detail::One<T>(a), detail::One<T>(b)), 0))
MSHADOW_MATH_FLOATS(MSHADOW_MATH_LONG_BINARY_OF, pow, Pow)
MSHADOW_MATH_FLOATS(MSHADOW_MATH_UNARY_OF, sqrt, Sqrt)
MSHADOW_MATH_FLOATS(MSHADOW_MATH_UNARY_OF, rsqrt, Rsqrt)
/// @}

/// \name atan2: the angle of (x = b, y = a); hypot: sqrt(a^2 + b^2); logaddexp: log(e^a + e^b)
/// @{
MSHADOW_MATH_FLOATS(MSHADOW_MATH_LONG_BINARY_OF, atan2, Atan2)
MSHADOW_MATH_FLOATS(MSHADOW_MATH_LONG_BINARY_OF, hypot, Hypot)
MSHADOW_MATH_FLOATS(MSHADOW_MATH_LONG_BINARY_OF, logaddexp, LogAddExp)
/// @}

/// \name fmod: a - n b for n = a / b truncated, exact, with the sign of a; fma: a b + c rounded
/// once; of half_t and bf16_t as floats, and then to the type
/// @{
MSHADOW_MATH_FLOATS(MSHADOW_MATH_LONG_BINARY_OF, fmod, Fmod)
#undef MSHADOW_MATH_LONG_BINARY_OF
#define MSHADOW_MATH_TERNARY_OF(T, name, Function) \
  MSHADOW_MATH_DECLARE(T)                          \
  name(T a, T b, T c) MSHADOW_MATH_BODY(           \
      Lane(scalar::Function(detail::One<T>(a), detail::One<T>(b), detail::One<T>(c)), 0))
MSHADOW_MATH_FLOATS(MSHADOW_MATH_TERNARY_OF, fma, FusedMulAddLanes)
#undef MSHADOW_MATH_TERNARY_OF
/// @}

/// \name pow: a^n for an integer n; the error does not grow with n
/// @{
#define MSHADOW_MATH_POW_INT_OF(T, name, Function) \
  MSHADOW_MATH_DECLARE_LONG(T)                     \
  name(T a, int n) MSHADOW_MATH_BODY(Lane(scalar::Function(detail::One<T>(a), n), 0))
MSHADOW_MATH_FLOATS(MSHADOW_MATH_POW_INT_OF, pow, PowInt)
#undef MSHADOW_MATH_POW_INT_OF
/// @}

/// \name floor: down; ceil: up; trunc: towards zero; round: to nearest, halves away from zero;
/// rint: to nearest, halves to even
/// @{
MSHADOW_MATH_FLOATS(MSHADOW_MATH_UNARY_OF, floor, Floor)
MSHADOW_MATH_FLOATS(MSHADOW_MATH_UNARY_OF, ceil, Ceil)
MSHADOW_MATH_FLOATS(MSHADOW_MATH_UNARY_OF, trunc, Trunc)
MSHADOW_MATH_FLOATS(MSHADOW_MATH_UNARY_OF, round, Round)
MSHADOW_MATH_FLOATS(MSHADOW_MATH_UNARY_OF, rint, Rint)
/// @}

/// \name abs: |a|; copysign: the magnitude of a with the sign of b
/// @{
MSHADOW_MATH_FLOATS(MSHADOW_MATH_UNARY_OF, abs, Abs)
MSHADOW_MATH_INTEGERS(MSHADOW_MATH_UNARY_OF, abs, Abs)
MSHADOW_MATH_FLOATS(MSHADOW_MATH_BINARY_OF, copysign, Copysign)
/// @}

/// \name min: `b < a ? b : a`; max: `a < b ? b : a`. If an operand is NaN, min and max return a
/// @{
MSHADOW_MATH_FLOATS(MSHADOW_MATH_BINARY_OF, min, Min)
MSHADOW_MATH_INTEGERS(MSHADOW_MATH_BINARY_OF, min, Min)
MSHADOW_MATH_FLOATS(MSHADOW_MATH_BINARY_OF, max, Max)
MSHADOW_MATH_INTEGERS(MSHADOW_MATH_BINARY_OF, max, Max)
/// @}

/// \name fmin, fmax: as min and max, but if one operand is NaN, they return the other
/// @{
MSHADOW_MATH_FLOATS(MSHADOW_MATH_BINARY_OF, fmin, Fmin)
MSHADOW_MATH_FLOATS(MSHADOW_MATH_BINARY_OF, fmax, Fmax)
/// @}

/// \name Classes of values
/// @{
MSHADOW_MATH_FLOATS(MSHADOW_MATH_CLASS_OF, isnan, IsNan)
MSHADOW_MATH_FLOATS(MSHADOW_MATH_CLASS_OF, isinf, IsInf)
MSHADOW_MATH_FLOATS(MSHADOW_MATH_CLASS_OF, isfinite, IsFinite)
/// @}

#undef MSHADOW_MATH_DECLARE
#undef MSHADOW_MATH_DECLARE_LONG
#undef MSHADOW_MATH_BODY
#undef MSHADOW_MATH_UNARY_OF
#undef MSHADOW_MATH_BINARY_OF
#undef MSHADOW_MATH_CLASS_OF
#undef MSHADOW_MATH_FLOATS
#undef MSHADOW_MATH_INTEGERS

}  // namespace math
}  // namespace mshadow

#endif  // MSHADOW_FUNCTIONS_H_
