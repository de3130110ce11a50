// SPDX-License-Identifier: Apache-2.0
/// \file libm_oracles.h
/// Functions of doubles that libm does not have, or not as tests need them, within a few units in
/// the last place: close enough to say what float a function of floats should return.
#ifndef MSHADOW_TESTS_PACKET_LIBM_ORACLES_H_
#define MSHADOW_TESTS_PACKET_LIBM_ORACLES_H_

#include <cmath>

namespace packet_test {

inline double Sigmoid(double x) {
  // 1 + e^-x loses a small e^x only where the sum is not small itself.
  return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x));
}
inline double Rsqrt(double x) { return 1 / std::sqrt(x); }

/// Thread-safe, other than std::lgamma.
inline double LogGamma(double x) {
  int sign = 0;
  return lgamma_r(x, &sign);
}
inline double Softplus(double x) { return std::fmax(x, 0) + std::log1p(std::exp(-std::fabs(x))); }

/// 10^x as 2^(x log2(10)), the product in two doubles: glibc's pow of long double takes twenty
/// times as long.
inline double Exp10(double x) {
  constexpr double kLog2Of10 = 0x1.a934f0979a371p+1, kLog2Of10Low = 0x1.7f2495fb7fa6dp-53;
  constexpr double kLogOf2 = 0x1.62e42fefa39efp-1;
  const double product = x * kLog2Of10;
  if (!(std::fabs(product) < 1100)) return std::exp2(product);  // 0, infinity, NaN
  const double low = std::fma(x, kLog2Of10, -product) + x * kLog2Of10Low;
  return std::exp2(product) * (1 + low * kLogOf2);
}

}  // namespace packet_test

#endif  // MSHADOW_TESTS_PACKET_LIBM_ORACLES_H_
