// SPDX-License-Identifier: Apache-2.0
/// \file ulp.h
/// Errors in units of the last place: the distance to the true value, not to the nearest number, in
/// multiples of the distance between numbers of the result's size. A correctly rounded function has
/// 0.5.
#ifndef MSHADOW_TESTS_PACKET_ULP_H_
#define MSHADOW_TESTS_PACKET_ULP_H_

#include <algorithm>
#include <cmath>
#include <limits>

namespace packet_test {

/// The error of \p got, a T, where the exact result is about \p want, in units of the last place of
/// \p size. Infinite where one is NaN and the other is not, or where only one of them overflows.
template <typename T, typename Exact>
double UlpError(T got, Exact want, Exact size) {
  const double wrong = std::numeric_limits<double>::infinity();
  const T rounded = static_cast<T>(want);
  if (std::isnan(got) || std::isnan(rounded))
    return std::isnan(got) == std::isnan(rounded) ? 0 : wrong;
  if (std::isinf(got) || std::isinf(rounded)) return got == rounded ? 0 : wrong;
  if (got == 0 && rounded == 0) return std::signbit(got) == std::signbit(rounded) ? 0 : wrong;
  int exponent = 0;
  std::frexp(size, &exponent);
  constexpr int kDigits = std::numeric_limits<T>::digits;
  constexpr int kLeast = std::numeric_limits<T>::min_exponent - kDigits;
  const int place = std::max(exponent - kDigits, kLeast);
  return static_cast<double>(std::ldexp(std::fabs(static_cast<Exact>(got) - want), -place));
}

/// The same in units of the result's last place.
template <typename T, typename Exact>
double UlpError(T got, Exact want) {
  return UlpError(got, want, want);
}

/// The same of log(e^x + e^y), in units of the last place of the largest of the result and the
/// operands: nothing is promised of what is left where x and log(1 + e^(y - x)) cancel.
template <typename T, typename Exact>
double LogAddExpError(T got, Exact want, T x, T y) {
  const Exact operands =
      std::max(std::fabs(static_cast<Exact>(x)), std::fabs(static_cast<Exact>(y)));
  const bool finite = std::isfinite(want) && std::isfinite(operands);
  return UlpError(got, want, finite ? std::max(std::fabs(want), operands) : want);
}

/// The largest error seen, and where.
struct Worst {
  double error = 0;
  double at = 0, at2 = 0;

  void See(double e, double x, double y = 0) {
    if (e > error) *this = {e, x, y};
  }
};

}  // namespace packet_test

#endif  // MSHADOW_TESTS_PACKET_ULP_H_
