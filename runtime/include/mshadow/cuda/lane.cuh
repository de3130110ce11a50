// SPDX-License-Identifier: Apache-2.0
/// \file lane.cuh
/// Operations on one lane of a kernel beyond those of float_op.cuh, with the CPU's bits in the same
/// way, and the approximations of --numerics=fast.
#ifndef MSHADOW_CUDA_LANE_CUH_
#define MSHADOW_CUDA_LANE_CUH_

#include <cmath>

#include "mshadow/cuda/float_op.cuh"
#include "mshadow/packet/prelude.h"

#include "mshadow/detail/strict_push.h"

namespace mshadow {
namespace cuda {
namespace lane {

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

/// binary16 bits to their value and back, rounded to nearest even.
MSHADOW_XINLINE float HalfValue(uint16_t bits) {
  return half::HalfValue(bits);
}
MSHADOW_XINLINE uint16_t HalfBits(float a) {
  return half::HalfBits(a);
}

}  // namespace lane
}  // namespace cuda
}  // namespace mshadow

#include "mshadow/detail/strict_pop.h"

#endif  // MSHADOW_CUDA_LANE_CUH_
