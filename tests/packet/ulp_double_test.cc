// SPDX-License-Identifier: Apache-2.0
// Errors of the double functions, against MPFR, on samples of every binade and at the worst
// arguments known. The bounds are those of docs/math.md.
#include <gtest/gtest.h>

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
