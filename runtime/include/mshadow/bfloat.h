// SPDX-License-Identifier: Apache-2.0
/// \file bfloat.h
/// mshadow::bfloat::bf16_t: the upper 16 bits of a float, 1 sign, 8 exponent and 7 fraction bits.
/// narrow_float.h says how it mixes with other types. The generator parses this header with each
/// spec, so it includes no standard header.
#ifndef MSHADOW_BFLOAT_H_
#define MSHADOW_BFLOAT_H_

#include "mshadow/detail/narrow_float.h"

namespace mshadow {
namespace bfloat {

/// The bits of \p value as bfloat16, rounded to nearest even. Subnormals are kept; NaN stays NaN:
/// quiet, with the upper bits of its payload.
MSHADOW_XINLINE constexpr unsigned short BFloatBits(float value) {
  const unsigned int bits = narrow_float::Bits(value);
  const bool is_nan = (bits & 0x7fffffff) > 0x7f800000;
  const unsigned int rounded = is_nan ? bits | 0x400000 : bits + 0x7fff + (bits >> 16 & 1);
  return static_cast<unsigned short>(rounded >> 16);
}

struct bf16_t {
  unsigned short bf16_;  ///< the bits

  bf16_t() = default;
  template <typename A, narrow_float::IfArithmetic<A> = 0>
  MSHADOW_XINLINE constexpr bf16_t(A value) : bf16_(BFloatBits(narrow_float::ToFloat(value))) {}

  /// The number with the given bits, and the bits of a number.
  MSHADOW_XINLINE static constexpr bf16_t Binary(unsigned short bits) {
    return bf16_t(bits, FromBitsTag());
  }
  MSHADOW_XINLINE constexpr unsigned short Binary() const { return bf16_; }

  MSHADOW_XINLINE constexpr operator float() const {
    return narrow_float::FromBits(static_cast<unsigned int>(bf16_) << 16);
  }

  MSHADOW_NARROW_FLOAT_OPERATORS(bf16_t)
  MSHADOW_NARROW_FLOAT_VOLATILE(bf16_t, bf16_)

 private:
  struct FromBitsTag {};
  MSHADOW_XINLINE constexpr bf16_t(unsigned short bits, FromBitsTag) : bf16_(bits) {}
};

}  // namespace bfloat
}  // namespace mshadow

/// The lowest and the greatest finite value.
#define MSHADOW_BF16_MIN ::mshadow::bfloat::bf16_t::Binary(0xff7f)
#define MSHADOW_BF16_MAX ::mshadow::bfloat::bf16_t::Binary(0x7f7f)

#endif  // MSHADOW_BFLOAT_H_
