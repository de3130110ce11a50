// SPDX-License-Identifier: Apache-2.0
/// \file half.h
/// mshadow::half::half_t: IEEE 754 binary16, 1 sign, 5 exponent and 10 fraction bits.
/// Mixing with other types: narrow_float.h. No std header: specs are parsed with this one.
#ifndef MSHADOW_HALF_H_
#define MSHADOW_HALF_H_

#include "mshadow/narrow_float.h"

namespace mshadow {
namespace half {

/// The bits of \p value as binary16, rounded to nearest even. Subnormals are kept, values from
/// 65520 up become Inf, NaN stays NaN: quiet, with the upper bits of its payload.
MSHADOW_XINLINE constexpr unsigned short HalfBits(float value) {
  using narrow_float::Bits;
  using narrow_float::FromBits;
  const unsigned int bits = Bits(value);
  const unsigned int sign = bits >> 16 & 0x8000;
  const unsigned int size = bits & 0x7fffffff;
  unsigned int result = 0;
  if (size > 0x7f800000) {
    result = 0x7e00 | (size >> 13 & 0x3ff);
  } else if (size >= 0x477ff000) {
    result = 0x7c00;
  } else if (size < 0x38800000) {  // the result is subnormal: adding 1/2 rounds to its last place
    result = Bits(FromBits(size) + 0.5f) - Bits(0.5f);
  } else {
    result = (size + 0xfff + (size >> 13 & 1) - 0x38000000) >> 13;
  }
  return static_cast<unsigned short>(sign | result);
}

/// The value of binary16 \p bits, exactly; a NaN is quieted.
MSHADOW_XINLINE constexpr float HalfValue(unsigned short bits) {
  const unsigned int sign = (bits & 0x8000u) << 16;
  const unsigned int size = bits & 0x7fff;
  unsigned int result = 0;
  if (size >= 0x7c00) {
    result = 0x7f800000 | (size & 0x3ff) << 13 | (size > 0x7c00 ? 0x400000 : 0);
  } else if (size < 0x400) {
    result = narrow_float::Bits(static_cast<float>(size) * 5.9604644775390625e-8f);  // 2^-24
  } else {
    result = (size << 13) + 0x38000000;
  }
  return narrow_float::FromBits(sign | result);
}

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

}  // namespace half
}  // namespace mshadow

/// The lowest and the greatest finite value.
#define MSHADOW_HALF_MIN ::mshadow::half::half_t::Binary(0xfbff)
#define MSHADOW_HALF_MAX ::mshadow::half::half_t::Binary(0x7bff)

#endif  // MSHADOW_HALF_H_
