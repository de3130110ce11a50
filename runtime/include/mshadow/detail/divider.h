// SPDX-License-Identifier: Apache-2.0
/// \file divider.h
/// Division by a number that stays the same, without a division for each quotient.
#ifndef MSHADOW_DIVIDER_H_
#define MSHADOW_DIVIDER_H_

#include "mshadow/base.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {

__extension__ typedef unsigned __int128 uint128;

/// The upper half of a product.
MSHADOW_XINLINE uint64_t MultiplyHigh(uint64_t a, uint64_t b) {
#ifdef __CUDA_ARCH__
  return __umul64hi(a, b);
#else
  return static_cast<uint64_t>(static_cast<uint128>(a) * b >> 64);
#endif
}

/// Divides by a divisor that is known before the loop: a multiplication, an addition and a shift
/// (Granlund & Montgomery 1994, "Division by invariant integers using multiplication", figure 4.1;
/// dividends of 63 bits leave room for the sum). It finds the indices of an element from its row.
class Divider {
 public:
  Divider() : Divider(1) {}
  /// \param divisor below 1 it is taken as 1: an empty dimension has no index to be found
  explicit Divider(index_t divisor) : divisor_(divisor < 1 ? 1 : divisor) {
    const uint64_t d = static_cast<uint64_t>(divisor_);
    while (uint64_t{1} << shift_ < d) ++shift_;
    const uint64_t rest = (uint64_t{1} << shift_) - d;
    multiplier_ = static_cast<uint64_t>((static_cast<uint128>(rest) << 64) / d) + 1;
  }

  MSHADOW_XINLINE index_t divisor() const { return divisor_; }

  /// n / divisor for n >= 0.
  MSHADOW_XINLINE index_t Quotient(index_t n) const {
    const uint64_t dividend = static_cast<uint64_t>(n);
    return static_cast<index_t>((MultiplyHigh(multiplier_, dividend) + dividend) >> shift_);
  }

  /// Replaces n by n / divisor, and returns n % divisor.
  MSHADOW_XINLINE index_t Split(index_t *n) const {
    const index_t quotient = Quotient(*n);
    const index_t rest = *n - quotient * divisor_;
    *n = quotient;
    return rest;
  }

 private:
  index_t divisor_;
  uint64_t multiplier_;
  int shift_ = 0;
};

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_DIVIDER_H_
