// SPDX-License-Identifier: Apache-2.0
// Errors of the double functions, against MPFR, on samples of every binade and at the worst
// arguments known. The bounds are those of docs/math.md.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <iostream>
#include <random>

#include "mpfr_oracle.h"

namespace packet_test {
namespace {

class UlpOfDouble : public testing::TestWithParam<Function> {};

TEST_P(UlpOfDouble, IsBounded) {
  const Function &f = GetParam();
  std::mt19937_64 random(1);
  Worst worst;
  for (int i = 0; i < 200000; ++i) {
    const bool anywhere = i % 10 == 0;
    const double x = RandomNumber(&random, anywhere ? -1074 : f.low, anywhere ? 1023 : f.high);
    worst.See(ErrorOf(f, x), x);
  }
  worst.See(ErrorOf(f, f.worst), f.worst);
  std::cout << f.name << ": " << worst.error << " ULP at " << worst.at << "\n";
  EXPECT_LE(worst.error, f.bound) << "at " << worst.at;
}

INSTANTIATE_TEST_SUITE_P(All, UlpOfDouble, testing::ValuesIn(kFunctions),
                         [](const auto &test) { return std::string(test.param.name); });

/// The greatest double below the zero of log|gamma| that is between `low` and `high`.
double ZeroOfLgamma(double low, double high) {
  const auto is_positive = [](double x) {
    Real argument(x), result;
    LogGammaOracle(result.get(), argument.get(), MPFR_RNDN);
    return mpfr_sgn(result.get()) > 0;
  };
  const bool sign = is_positive(low);
  EXPECT_NE(sign, is_positive(high)) << low << ", " << high;
  for (double middle = low; true; (is_positive(middle) == sign ? low : high) = middle) {
    middle = low + (high - low) / 2;
    if (middle == low || middle == high) return low;
  }
}

/// The zeros at negative x are at distances of about 1 / n! from each integer -n; beyond -16 none
/// is near a double.
TEST(UlpOfDouble, LgammaIsBoundedNearItsZeros) {
  std::mt19937_64 random(1);
  Worst worst;
  const auto see = [&worst](double x) {
    Real argument(x), result;
    LogGammaOracle(result.get(), argument.get(), MPFR_RNDN);
    worst.See(UlpError(mshadow::math::lgamma(x), result.Rounded()), x);
  };
  double distance = 1;
  for (int n = 2; n <= 16; ++n) {
    distance /= n;
    for (const double side : {distance, -distance}) {
      if (n == 2 && side > 0) continue;       // there is none between -2 and -1
      const double end = n == 2 ? 1.2 : 1.6;  // of n = 3 there is another zero behind
      const double zero = ZeroOfLgamma(side * 0.8 - n, side * end - n);
      double low = zero, high = zero;
      for (int i = 0; i < 100; ++i) {
        see(low);
        see(high);
        low = std::nextafter(low, -20), high = std::nextafter(high, 0);
      }
      for (int i = 0; i < 1000; ++i) see(zero + side * RandomNumber(&random, -50, -2));
    }
  }
  std::cout << "lgamma near zeros: " << worst.error << " ULP at " << worst.at << "\n";
  EXPECT_LE(worst.error, 0.92) << "at " << worst.at;
}

TEST(UlpOfDouble, FmodIsExact) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 200000; ++i) {
    const double x = RandomNumber(&random, -1074, 1023), y = RandomNumber(&random, -1074, 1023);
    const double got = mshadow::math::fmod(x, y), want = std::fmod(x, y);
    ASSERT_TRUE(got == want && std::signbit(got) == std::signbit(want)) << x << ", " << y;
  }
}

TEST(UlpOfDouble, PowIsBounded) {
  std::mt19937_64 random(1);
  Worst worst;
  for (uint64_t i = 0; i < 300000; ++i) {
    const auto [x, y] = RandomOperands(&random, i);
    worst.See(PowErrorOf(x, y), x, y);
  }
  worst.See(PowErrorOf(kPowWorst[0], kPowWorst[1]), kPowWorst[0], kPowWorst[1]);
  std::cout << "pow: " << worst.error << " ULP at " << worst.at << "^" << worst.at2 << "\n";
  EXPECT_LE(worst.error, kPowBound) << worst.at << "^" << worst.at2;
}

/// Pairs of any numbers, of such around 1, and of near ones.
TEST(UlpOfDouble, OthersOfTwoAreBounded) {
  for (const BinaryFunction &f : kBinaryFunctions) {
    std::mt19937_64 random(1);
    Worst worst;
    for (int i = 0; i < 200000; ++i) {
      const int end = i % 4 == 0 ? 1023 : 3;
      const double x = RandomNumber(&random, -end, end);
      const double y =
          i % 4 == 3 ? x * (1 + RandomNumber(&random, -20, -2)) : RandomNumber(&random, -end, end);
      worst.See(ErrorOf(f, x, y), x, y);
    }
    worst.See(ErrorOf(f, f.worst[0], f.worst[1]), f.worst[0], f.worst[1]);
    std::cout << f.name << ": " << worst.error << " ULP at " << worst.at << ", " << worst.at2
              << "\n";
    EXPECT_LE(worst.error, f.bound) << f.name << " at " << worst.at << ", " << worst.at2;
  }
}

}  // namespace
}  // namespace packet_test
