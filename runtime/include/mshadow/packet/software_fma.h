// SPDX-License-Identifier: Apache-2.0
/// \file software_fma.h
/// a b + c rounded once, for all operands, where the compiler may not use an instruction for it.
#ifndef MSHADOW_PACKET_SOFTWARE_FMA_H_
#define MSHADOW_PACKET_SOFTWARE_FMA_H_

#include <cstdint>

#include "mshadow/detail/marks.h"

namespace mshadow {
namespace packet {

/// Of floats: double has their product exactly. The sum is rounded to odd, which leaves the second
/// rounding the only one that counts (Boldo and Melquiond 2008), also where that is subnormal.
MSHADOW_XINLINE float SoftwareFma(float a, float b, float c) {
  const double product = static_cast<double>(a) * static_cast<double>(b);
  const double wide = static_cast<double>(c), sum = product + wide;
  const double part = sum - product;
  const double error = (product - (sum - part)) + (wide - part);
  uint64_t bits = __builtin_bit_cast(uint64_t, sum);
  if (error < 0 || error > 0) {
    // Towards zero, and then the last bit says that there was a rest.
    bits = (bits - ((bits ^ __builtin_bit_cast(uint64_t, error)) >> 63)) | 1;
  }
  return static_cast<float>(__builtin_bit_cast(double, bits));
}

/// A double that is neither 0 nor infinite nor NaN, as an integer with its first bit at 2^52, times
/// 2^exponent.
struct Significand {
  uint64_t value;
  int exponent;
};
MSHADOW_XINLINE Significand SignificandOf(uint64_t bits) {
  const uint64_t fraction = bits & ((uint64_t{1} << 52) - 1);
  const int exponent = static_cast<int>(bits >> 52 & 0x7ff);
  if (exponent != 0) return {fraction | uint64_t{1} << 52, exponent - 1075};
  const int shift = __builtin_clzll(fraction) - 11;
  return {fraction << shift, -1074 - shift};
}

__extension__ typedef unsigned __int128 WideInteger;

/// value 2^exponent as a double, rounded to nearest even; value is not 0. The last bit may stand
/// for others that it has lost.
MSHADOW_XINLINE uint64_t RoundedBits(WideInteger value, int exponent) {
  const uint64_t high = static_cast<uint64_t>(value >> 64);
  const int leading =
      high != 0 ? 127 - __builtin_clzll(high) : 63 - __builtin_clzll(static_cast<uint64_t>(value));
  const int place = leading + exponent < -1022 ? -1074 : leading + exponent - 52;
  if (place > 971) return uint64_t{0x7ff} << 52;
  const int shift = place - exponent;
  uint64_t kept = 0;
  if (shift <= 0) {
    kept = static_cast<uint64_t>(value << -shift);
  } else if (shift < 128) {
    const WideInteger half = WideInteger{1} << (shift - 1), rest = value & (half + half - 1);
    kept = static_cast<uint64_t>(value >> shift);
    kept += rest > half || (rest == half && (kept & 1) != 0);
  }
  // A carry out of the fraction raises the exponent, also to that of infinity.
  return (static_cast<uint64_t>(place + 1074) << 52) + kept;
}

/// Of doubles: the exact product and sum in integers. A copy for each file, since one that is
/// compiled with other instructions must not stand in for it.
static inline double SoftwareFma(double a, double b, double c) {
  const uint64_t kSign = uint64_t{1} << 63, kInfinite = uint64_t{0x7ff} << 52;
  const uint64_t a_bits = __builtin_bit_cast(uint64_t, a);
  const uint64_t b_bits = __builtin_bit_cast(uint64_t, b);
  const uint64_t c_bits = __builtin_bit_cast(uint64_t, c);
  const uint64_t a_size = a_bits & ~kSign, b_size = b_bits & ~kSign, c_size = c_bits & ~kSign;
  if (a_size >= kInfinite || b_size >= kInfinite || a_size == 0 || b_size == 0) return a * b + c;
  if (c_size >= kInfinite) return c + c;
  uint64_t sign = (a_bits ^ b_bits) & kSign;
  const Significand a_part = SignificandOf(a_size), b_part = SignificandOf(b_size);
  // Of 128 bits the product takes the 126th at most, and so does the addend.
  WideInteger sum = static_cast<WideInteger>(a_part.value) * b_part.value << 20;
  int exponent = a_part.exponent + b_part.exponent - 20;
  if (c_size != 0) {
    const Significand c_part = SignificandOf(c_size);
    WideInteger addend = static_cast<WideInteger>(c_part.value) << 73;
    int behind = exponent - (c_part.exponent - 73);
    // The one with the smaller exponent is shifted; what it loses its last bit remembers.
    WideInteger *const shifted = behind > 0 ? &addend : &sum;
    if (behind < 0) exponent -= behind, behind = -behind;
    const WideInteger kept = behind < 128 ? *shifted >> behind : 0;
    const bool loses = behind < 128 ? kept << behind != *shifted : true;
    *shifted = kept | static_cast<WideInteger>(loses);
    if (sign == (c_bits & kSign)) {
      sum += addend;
    } else if (sum > addend) {
      sum -= addend;
    } else if (sum < addend) {
      sum = addend - sum;
      sign ^= kSign;
    } else {
      return 0;
    }
  }
  return __builtin_bit_cast(double, sign | RoundedBits(sum, exponent));
}

}  // namespace packet
}  // namespace mshadow

#endif  // MSHADOW_PACKET_SOFTWARE_FMA_H_
