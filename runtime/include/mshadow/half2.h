// SPDX-License-Identifier: Apache-2.0
/// \file half2.h
/// mshadow::half::half2_t: a pair of half_t, one after the other in memory, which operators take
/// element by element. No std header: specs are parsed with this one.
#ifndef MSHADOW_HALF2_H_
#define MSHADOW_HALF2_H_

#include "mshadow/half.h"

namespace mshadow {
namespace half {

struct alignas(4) half2_t {
  half_t half_[2];

  half2_t() = default;
  /// Both elements become \p value, rounded once.
  template <typename A, narrow_float::IfArithmetic<A> = 0>
  MSHADOW_XINLINE explicit half2_t(A value) : half_{half_t(value), half_t(value)} {}
  MSHADOW_XINLINE half2_t(half_t first, half_t second) : half_{first, second} {}

  MSHADOW_XINLINE half_t &operator[](int i) { return half_[i]; }
  MSHADOW_XINLINE const half_t &operator[](int i) const { return half_[i]; }

#ifndef __MSHADOW_GEN__  // no rule has elements of this type
  MSHADOW_XINLINE half2_t operator-() const { return half2_t(-half_[0], -half_[1]); }

#define MSHADOW_HALF2_OPERATOR(symbol)                                                      \
  friend MSHADOW_XINLINE half2_t operator symbol(half2_t a, half2_t b) {                    \
    return half2_t(half_t(a.number(0) symbol b.number(0)),                                  \
                   half_t(a.number(1) symbol b.number(1)));                                 \
  }                                                                                         \
  MSHADOW_XINLINE half2_t &operator symbol##=(half2_t b) { return *this = *this symbol b; } \
  template <typename A, narrow_float::IfArithmetic<A> = 0>                                  \
  friend MSHADOW_XINLINE half2_t operator symbol(half2_t a, A b) {                          \
    return half2_t(half_t(a.half_[0] symbol b), half_t(a.half_[1] symbol b));               \
  }                                                                                         \
  template <typename A, narrow_float::IfArithmetic<A> = 0>                                  \
  friend MSHADOW_XINLINE half2_t operator symbol(A a, half2_t b) {                          \
    return half2_t(half_t(a symbol b.half_[0]), half_t(a symbol b.half_[1]));               \
  }
  MSHADOW_HALF2_OPERATOR(+)
  MSHADOW_HALF2_OPERATOR(-)
  MSHADOW_HALF2_OPERATOR(*)
  MSHADOW_HALF2_OPERATOR(/)
#undef MSHADOW_HALF2_OPERATOR

  friend MSHADOW_XINLINE bool operator==(half2_t a, half2_t b) {
    return a.number(0) == b.number(0) && a.number(1) == b.number(1);
  }
  friend MSHADOW_XINLINE bool operator!=(half2_t a, half2_t b) { return !(a == b); }

 private:
  MSHADOW_XINLINE float number(int i) const { return static_cast<float>(half_[i]); }
#endif
};

}  // namespace half
}  // namespace mshadow

#endif  // MSHADOW_HALF2_H_
