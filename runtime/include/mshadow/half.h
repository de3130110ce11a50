// SPDX-License-Identifier: Apache-2.0
/// \file half.h
/// mshadow::half::half_t: IEEE 754 binary16, 1 sign, 5 exponent and 10 fraction bits.
/// narrow_float.h says how it mixes with other types. The generator parses this header with each
/// spec, so it includes no standard header.
#ifndef MSHADOW_HALF_H_
#define MSHADOW_HALF_H_

#include "mshadow/detail/narrow_float.h"

namespace mshadow {
namespace half {

// With short vectors the processor's own conversions are faster than the code below.
#if defined(__F16C__) && !defined(__AVX2__) && !defined(__CUDACC__) && !defined(__MSHADOW_GEN__)
#define MSHADOW_HALF_BY_HARDWARE 1
typedef float FloatVector __attribute__((vector_size(16)));
typedef short HalfVector __attribute__((vector_size(16)));
#else
#define MSHADOW_HALF_BY_HARDWARE 0
#endif

/// \p a if \p first, else \p b; never a branch, so that compilers convert several numbers at once.
MSHADOW_XINLINE constexpr int Choose(bool first, int a, int b) {
  const int mask = -static_cast<int>(first);
  return (a & mask) | (b & ~mask);
}

/// The bits of \p value as binary16, rounded to nearest even. Subnormals are kept, values from
/// 65520 up become Inf, NaN becomes a quiet NaN, which on a CPU has the upper bits of the payload.
MSHADOW_XINLINE constexpr unsigned short HalfBits(float value) {
  using narrow_float::Bits;
  using narrow_float::FromBits;
#if defined(__CUDA_ARCH__)
  if (!__builtin_is_constant_evaluated()) return cuda::lane::HalfBitsOf(value);
#endif
#if MSHADOW_HALF_BY_HARDWARE
  if (!__builtin_is_constant_evaluated()) {
    return static_cast<unsigned short>(__builtin_ia32_vcvtps2ph(FloatVector{value}, 0)[0]);
  }
#endif
  const int bits = static_cast<int>(Bits(value));
  const int size = bits & 0x7fffffff;
  const int normal = (size + 0xfff + (size >> 13 & 1) - 0x38000000) >> 13;
  // A subnormal result: adding 1/2 rounds to its last place.
  const int small = Choose(size < 0x38800000, size, 0);
  const float shifted = FromBits(static_cast<unsigned int>(small)) + 0.5f;
  const int subnormal = static_cast<int>(Bits(shifted)) - 0x3f000000;
  int result = Choose(size < 0x38800000, subnormal, normal);
  result = Choose(size >= 0x477ff000, 0x7c00, result);
  result = Choose(size > 0x7f800000, 0x7e00 | (size >> 13 & 0x3ff), result);
  return static_cast<unsigned short>((bits >> 16 & 0x8000) | result);
}

/// The value of binary16 \p bits, exactly; a NaN is quieted.
MSHADOW_XINLINE constexpr float HalfValue(unsigned short bits) {
#if defined(__CUDA_ARCH__)
  if (!__builtin_is_constant_evaluated()) return cuda::lane::HalfValueOf(bits);
#endif
#if MSHADOW_HALF_BY_HARDWARE
  if (!__builtin_is_constant_evaluated()) {
    return __builtin_ia32_vcvtph2ps(HalfVector{static_cast<short>(bits)})[0];
  }
#endif
  const int size = bits & 0x7fff;
  const int normal = (size << 13) + Choose(size >= 0x7c00, 0x70000000, 0x38000000);
  const float tiny = static_cast<float>(size) * 5.9604644775390625e-8f;  // 2^-24
  const int subnormal = static_cast<int>(narrow_float::Bits(tiny));
  int result = Choose(size < 0x400, subnormal, normal);
  result |= Choose(size > 0x7c00, 0x400000, 0);
  return narrow_float::FromBits(static_cast<unsigned int>(result) | (bits & 0x8000u) << 16);
}

#undef MSHADOW_HALF_BY_HARDWARE

/// Whether one instruction converts eight numbers (RoundEight, WidenEight).
#if defined(__F16C__) && defined(__GNUC__) && !defined(__CUDACC__) && !defined(__MSHADOW_GEN__)
#define MSHADOW_HALF_BY_EIGHT 1
#else
#define MSHADOW_HALF_BY_EIGHT 0
#endif

struct half_t {
  unsigned short half_;  ///< the bits

  half_t() = default;
  template <typename A, narrow_float::IfArithmetic<A> = 0>
  MSHADOW_XINLINE constexpr half_t(A value) : half_(HalfBits(narrow_float::ToFloat(value))) {}

  /// The number with the given bits, and the bits of a number.
  MSHADOW_XINLINE static constexpr half_t Binary(unsigned short bits) {
    return half_t(bits, FromBitsTag());
  }
  MSHADOW_XINLINE constexpr unsigned short Binary() const { return half_; }

  MSHADOW_XINLINE constexpr operator float() const { return HalfValue(half_); }

  MSHADOW_NARROW_FLOAT_OPERATORS(half_t)
  MSHADOW_NARROW_FLOAT_VOLATILE(half_t, half_)

 private:
  struct FromBitsTag {};
  MSHADOW_XINLINE constexpr half_t(unsigned short bits, FromBitsTag) : half_(bits) {}
};

#if MSHADOW_HALF_BY_EIGHT
/// Converts eight floats, each as half_t(number) does.
MSHADOW_XINLINE void RoundEight(const float *from, half_t *to) {
  typedef float Floats __attribute__((vector_size(32)));
  typedef short Halves __attribute__((vector_size(16)));
  Floats numbers;
  __builtin_memcpy(&numbers, from, sizeof(numbers));
  const Halves rounded = __builtin_ia32_vcvtps2ph256(numbers, 0);
  __builtin_memcpy(to, &rounded, sizeof(rounded));
}
/// Converts eight numbers to floats.
MSHADOW_XINLINE void WidenEight(const half_t *from, float *to) {
  typedef float Floats __attribute__((vector_size(32)));
  typedef short Halves __attribute__((vector_size(16)));
  Halves numbers;
  __builtin_memcpy(&numbers, from, sizeof(numbers));
  const Floats widened = __builtin_ia32_vcvtph2ps256(numbers);
  __builtin_memcpy(to, &widened, sizeof(widened));
}
#endif

}  // namespace half
}  // namespace mshadow

/// The lowest and the greatest finite value.
#define MSHADOW_HALF_MIN ::mshadow::half::half_t::Binary(0xfbff)
#define MSHADOW_HALF_MAX ::mshadow::half::half_t::Binary(0x7bff)

#endif  // MSHADOW_HALF_H_
