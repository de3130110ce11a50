// SPDX-License-Identifier: Apache-2.0
/// \file lane.cuh
/// Float operations on one lane of a kernel, with the CPU's bits whatever nvcc's flags are: on the
/// device they are PTX instructions written out. Plain operators contract into fma, and under
/// --use_fast_math they, and the intrinsics __fmul_rn and its kin too, flush subnormals;
/// instructions in the text do neither. (PTX ISA, "Floating Point Instructions": without .ftz
/// subnormals are kept, and an add or mul with an explicit rounding is never merged.)
///
/// Elsewhere (nvcc's host pass, the fake runtime) they are the C++ operators, without contraction.
#ifndef MSHADOW_CUDA_LANE_CUH_
#define MSHADOW_CUDA_LANE_CUH_

#include <cmath>

#include "mshadow/packet/prelude.h"
#include "mshadow/strict_push.h"

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

/// The correctly rounded square root.
MSHADOW_XINLINE float Sqrt(float a) {
#if defined(__CUDA_ARCH__)
  float r;
  asm("sqrt.rn.f32 %0, %1;" : "=f"(r) : "f"(a));
  return r;
#else
  return std::sqrt(a);
#endif
}
MSHADOW_XINLINE double Sqrt(double a) {
#if defined(__CUDA_ARCH__)
  double r;
  asm("sqrt.rn.f64 %0, %1;" : "=d"(r) : "d"(a));
  return r;
#else
  return std::sqrt(a);
#endif
}

/// a b + c, rounded once.
MSHADOW_XINLINE float MulAdd(float a, float b, float c) {
#if defined(__CUDA_ARCH__)
  float r;
  asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(r) : "f"(a), "f"(b), "f"(c));
  return r;
#else
  return std::fma(a, b, c);
#endif
}
MSHADOW_XINLINE double MulAdd(double a, double b, double c) {
#if defined(__CUDA_ARCH__)
  double r;
  asm("fma.rn.f64 %0, %1, %2, %3;" : "=d"(r) : "d"(a), "d"(b), "d"(c));
  return r;
#else
  return std::fma(a, b, c);
#endif
}

/// \name Quotient, square root and its reciprocal within 3 ULP (PTX ISA, "Floating Point
/// Instructions": div.full has at most 2, sqrt.approx a relative error of 2^-23, rsqrt.approx of
/// 2^-22.9). Without .ftz they keep subnormals.
/// @{
MSHADOW_XINLINE float FastDiv(float a, float b) {
#if defined(__CUDA_ARCH__)
  float r;
  asm("div.full.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  return r;
#else
  return a / b;
#endif
}
MSHADOW_XINLINE float FastSqrt(float a) {
#if defined(__CUDA_ARCH__)
  float r;
  asm("sqrt.approx.f32 %0, %1;" : "=f"(r) : "f"(a));
  return r;
#else
  return std::sqrt(a);
#endif
}
MSHADOW_XINLINE float FastRsqrt(float a) {
#if defined(__CUDA_ARCH__)
  float r;
  asm("rsqrt.approx.f32 %0, %1;" : "=f"(r) : "f"(a));
  return r;
#else
  return 1 / std::sqrt(a);
#endif
}
/// @}

/// The value with its sign changed, NaN too: subtraction and neg.ftz would not do.
MSHADOW_XINLINE float Negative(float a) {
  return __builtin_bit_cast(float, __builtin_bit_cast(uint32_t, a) ^ 0x80000000u);
}
MSHADOW_XINLINE double Negative(double a) {
  return __builtin_bit_cast(double, __builtin_bit_cast(uint64_t, a) ^ 0x8000000000000000u);
}

/// Between native types, to a type that can hold the value; to float types rounded to nearest even.
template <typename U, typename T>
MSHADOW_XINLINE U Convert(T a) {
#if defined(__CUDA_ARCH__)
  if constexpr (packet::kIsSame<T, float> && packet::kIsSame<U, double>) {
    double r;
    asm("cvt.f64.f32 %0, %1;" : "=d"(r) : "f"(a));
    return r;
  } else if constexpr (packet::kIsSame<T, double> && packet::kIsSame<U, float>) {
    float r;
    asm("cvt.rn.f32.f64 %0, %1;" : "=f"(r) : "d"(a));
    return r;
  }
#endif
  return static_cast<U>(a);
}

/// binary16 bits to their value and back, rounded to nearest even.
MSHADOW_XINLINE float HalfValue(uint16_t bits) {
#if defined(__CUDA_ARCH__)
  float r;
  asm("cvt.f32.f16 %0, %1;" : "=f"(r) : "h"(bits));
  return r;
#else
  return half::HalfValue(bits);
#endif
}
MSHADOW_XINLINE uint16_t HalfBits(float a) {
#if defined(__CUDA_ARCH__)
  uint16_t r;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(r) : "f"(a));
  return r;
#else
  return half::HalfBits(a);
#endif
}

}  // namespace lane
}  // namespace cuda
}  // namespace mshadow

#include "mshadow/strict_pop.h"

#endif  // MSHADOW_CUDA_LANE_CUH_
