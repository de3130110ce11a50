// SPDX-License-Identifier: Apache-2.0
/// \file float_op.cuh
/// Operations on float and double, with the CPU's bits whatever nvcc's flags are: on the device
/// they are PTX instructions written out. Plain operators contract into fma, and under
/// --use_fast_math they, and the intrinsics __fmul_rn and its kin too, flush subnormals;
/// instructions in the text do neither. (PTX ISA, "Floating Point Instructions": without .ftz
/// subnormals are kept, and an add or mul with an explicit rounding is never merged.)
///
/// Elsewhere (nvcc's host pass, the fake runtime) they are the C++ operators, without contraction.
#ifndef MSHADOW_CUDA_FLOAT_OP_CUH_
#define MSHADOW_CUDA_FLOAT_OP_CUH_

#include "mshadow/emitted/types.h"

#include "mshadow/detail/strict_push.h"

namespace mshadow {
namespace cuda {
namespace lane {

/// Defines Function(a, b) for float and double: an instruction, or a C++ operator.
#if defined(__CUDA_ARCH__)
#define MSHADOW_LANE_BINARY(Function, instruction, op)              \
  MSHADOW_XINLINE float Function(float a, float b) {                \
    float r;                                                        \
    asm(instruction ".f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); \
    return r;                                                       \
  }                                                                 \
  MSHADOW_XINLINE double Function(double a, double b) {             \
    double r;                                                       \
    asm(instruction ".f64 %0, %1, %2;" : "=d"(r) : "d"(a), "d"(b)); \
    return r;                                                       \
  }
#define MSHADOW_LANE_COMPARE(Function, instruction, op)                 \
  MSHADOW_XINLINE bool Function(float a, float b) {                     \
    unsigned r;                                                         \
    asm(instruction ".u32.f32 %0, %1, %2;" : "=r"(r) : "f"(a), "f"(b)); \
    return r != 0;                                                      \
  }                                                                     \
  MSHADOW_XINLINE bool Function(double a, double b) {                   \
    unsigned r;                                                         \
    asm(instruction ".u32.f64 %0, %1, %2;" : "=r"(r) : "d"(a), "d"(b)); \
    return r != 0;                                                      \
  }
#else
#define MSHADOW_LANE_BINARY(Function, instruction, op)                \
  MSHADOW_XINLINE float Function(float a, float b) { return a op b; } \
  MSHADOW_XINLINE double Function(double a, double b) { return a op b; }
#define MSHADOW_LANE_COMPARE(Function, instruction, op)              \
  MSHADOW_XINLINE bool Function(float a, float b) { return a op b; } \
  MSHADOW_XINLINE bool Function(double a, double b) { return a op b; }
#endif

MSHADOW_LANE_BINARY(Add, "add.rn", +)
MSHADOW_LANE_BINARY(Sub, "sub.rn", -)
MSHADOW_LANE_BINARY(Mul, "mul.rn", *)
MSHADOW_LANE_BINARY(Div, "div.rn", /)
MSHADOW_LANE_COMPARE(Less, "set.lt", <)
MSHADOW_LANE_COMPARE(LessEqual, "set.le", <=)
MSHADOW_LANE_COMPARE(Equal, "set.eq", ==)

#undef MSHADOW_LANE_BINARY
#undef MSHADOW_LANE_COMPARE

/// The value with its sign changed, NaN too: subtraction and neg.ftz would not do.
MSHADOW_XINLINE float Negative(float a) {
  return __builtin_bit_cast(float, __builtin_bit_cast(uint32_t, a) ^ 0x80000000u);
}
MSHADOW_XINLINE double Negative(double a) {
  return __builtin_bit_cast(double, __builtin_bit_cast(uint64_t, a) ^ 0x8000000000000000u);
}

/// A float as a double.
MSHADOW_XINLINE double Widened(float a) {
#if defined(__CUDA_ARCH__)
  double r;
  asm("cvt.f64.f32 %0, %1;" : "=d"(r) : "f"(a));
  return r;
#else
  return static_cast<double>(a);
#endif
}

/// A double as a float, rounded to nearest even.
MSHADOW_XINLINE float Rounded(double a) {
#if defined(__CUDA_ARCH__)
  float r;
  asm("cvt.rn.f32.f64 %0, %1;" : "=f"(r) : "d"(a));
  return r;
#else
  return static_cast<float>(a);
#endif
}

#if defined(__CUDA_ARCH__)
/// The neighbour towards zero, its last bit set if it is not \p a itself: narrow_float::RoundToOdd.
__device__ inline float RoundedToOdd(double a) {
  float r;
  asm("cvt.rz.f32.f64 %0, %1;" : "=f"(r) : "d"(a));
  const unsigned inexact = !Equal(Widened(r), a);
  return __builtin_bit_cast(float, __builtin_bit_cast(unsigned, r) | inexact);
}

/// half::HalfBits and half::HalfValue, but for the bits of a NaN.
__device__ inline unsigned short HalfBitsOf(float a) {
  unsigned short r;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(r) : "f"(a));
  return r;
}
__device__ inline float HalfValueOf(unsigned short bits) {
  float r;
  asm("cvt.f32.f16 %0, %1;" : "=f"(r) : "h"(bits));
  return r;
}
#endif

/// Defines Truncated(a, U{}): a float or double, without its fraction, as an integer type that
/// holds it.
#if defined(__CUDA_ARCH__)
#define MSHADOW_LANE_TRUNCATED(U, instruction, register)        \
  MSHADOW_XINLINE U Truncated(float a, U) {                     \
    U r;                                                        \
    asm(instruction ".f32 %0, %1;" : "=" register(r) : "f"(a)); \
    return r;                                                   \
  }                                                             \
  MSHADOW_XINLINE U Truncated(double a, U) {                    \
    U r;                                                        \
    asm(instruction ".f64 %0, %1;" : "=" register(r) : "d"(a)); \
    return r;                                                   \
  }
#else
#define MSHADOW_LANE_TRUNCATED(U, instruction, register)                \
  MSHADOW_XINLINE U Truncated(float a, U) { return static_cast<U>(a); } \
  MSHADOW_XINLINE U Truncated(double a, U) { return static_cast<U>(a); }
#endif

MSHADOW_LANE_TRUNCATED(int32_t, "cvt.rzi.s32", "r")
MSHADOW_LANE_TRUNCATED(uint32_t, "cvt.rzi.u32", "r")
MSHADOW_LANE_TRUNCATED(int64_t, "cvt.rzi.s64", "l")
MSHADOW_LANE_TRUNCATED(uint64_t, "cvt.rzi.u64", "l")

#undef MSHADOW_LANE_TRUNCATED

/// Between native types, to a type that can hold the value; to float types rounded to nearest even.
template <typename U, typename T>
MSHADOW_XINLINE U Convert(T a) {
  using mshadow::detail::IsSame;
  constexpr bool kFromFloat = IsSame<T, float>::value || IsSame<T, double>::value;
  static_assert(!__is_class(U) && !__is_class(T), "half_t and bf16_t convert themselves");
  if constexpr (IsSame<U, T>::value) {
    return a;
  } else if constexpr (kFromFloat && IsSame<U, bool>::value) {
    return !Equal(a, T{0});
  } else if constexpr (IsSame<T, float>::value && IsSame<U, double>::value) {
    return Widened(a);
  } else if constexpr (IsSame<T, double>::value && IsSame<U, float>::value) {
    return Rounded(a);
  } else if constexpr (kFromFloat) {
    constexpr bool kSigned = static_cast<U>(-1) < static_cast<U>(1);
    if constexpr (sizeof(U) == 8) {
      return static_cast<U>(kSigned ? Truncated(a, int64_t{}) : Truncated(a, uint64_t{}));
    } else {
      return static_cast<U>(kSigned ? Truncated(a, int32_t{}) : Truncated(a, uint32_t{}));
    }
  } else {
    return static_cast<U>(a);
  }
}

}  // namespace lane
}  // namespace cuda
}  // namespace mshadow

#include "mshadow/detail/strict_pop.h"

#endif  // MSHADOW_CUDA_FLOAT_OP_CUH_
