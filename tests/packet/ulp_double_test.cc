// SPDX-License-Identifier: Apache-2.0
// Errors of the double functions, against MPFR, on samples of every binade. The bounds are those of
// docs/math.md.
#include <gtest/gtest.h>
#include <mpfr.h>
#include <mshadow/functions.h>

#include <cstdint>
#include <cstring>
#include <iostream>
#include <random>

#include "ulp.h"

namespace packet_test {
namespace {

namespace math = mshadow::math;

/// A number of 113 bits, of which the first 64 are what UlpError sees.
class Real {
 public:
  Real() { mpfr_init2(value_, 113); }
  explicit Real(double x) : Real() { mpfr_set_d(value_, x, MPFR_RNDN); }
  ~Real() { mpfr_clear(value_); }
  Real(const Real &) = delete;
  Real &operator=(const Real &) = delete;

  mpfr_ptr get() { return value_; }
  long double Rounded() { return mpfr_get_ld(value_, MPFR_RNDN); }

 private:
  mpfr_t value_;
};

using Oracle = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);

int SigmoidOracle(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t round) {
  mpfr_neg(result, x, round);
  mpfr_exp(result, result, round);
  mpfr_add_ui(result, result, 1, round);
  return mpfr_ui_div(result, 1, result, round);
}
/// mpfr_rec_sqrt of -0 is +Inf; the IEEE function and ours give -Inf.
int RsqrtOracle(mpfr_ptr result, mpfr_srcptr x, mpfr_rnd_t round) {
  mpfr_sqrt(result, x, round);
  return mpfr_ui_div(result, 1, result, round);
}

struct Function {
  const char *name;
  double (*tried)(double);
  Oracle oracle;
  int low, high;  // exponents of interesting arguments
  double bound;
};

#define FUNCTION(name, oracle, low, high, bound)                            \
  Function {                                                                \
#name, [](double x) { return math::name(x); }, oracle, low, high, bound \
  }

const Function kFunctions[] = {
    FUNCTION(exp, mpfr_exp, -3, 10, 0.9),           FUNCTION(expm1, mpfr_expm1, -3, 9, 0.85),
    FUNCTION(log, mpfr_log, -2, 2, 0.95),           FUNCTION(log1p, mpfr_log1p, -3, 2, 0.95),
    FUNCTION(tanh, mpfr_tanh, -3, 4, 0.9),          FUNCTION(erf, mpfr_erf, -2, 2, 0.99),
    FUNCTION(sigmoid, SigmoidOracle, -3, 10, 0.85), FUNCTION(rsqrt, RsqrtOracle, -2, 2, 0.51),
};

/// A random number with an exponent in [low, high], of either sign.
double RandomNumber(std::mt19937_64 *random, int low, int high) {
  const uint64_t bits = (*random)();
  const double mantissa = 1 + static_cast<double>(bits >> 12) * 0x1p-52;
  const int exponent = low + static_cast<int>((*random)() % static_cast<uint64_t>(high - low + 1));
  return std::ldexp(bits & 1 ? mantissa : -mantissa, exponent);
}

class UlpOfDouble : public testing::TestWithParam<Function> {};

TEST_P(UlpOfDouble, IsBounded) {
  const Function &f = GetParam();
  std::mt19937_64 random(1);
  Worst worst;
  for (int i = 0; i < 200000; ++i) {
    const bool anywhere = i % 10 == 0;
    const double x = RandomNumber(&random, anywhere ? -1074 : f.low, anywhere ? 1023 : f.high);
    Real argument(x), result;
    f.oracle(result.get(), argument.get(), MPFR_RNDN);
    worst.See(UlpError(f.tried(x), result.Rounded()), x);
  }
  std::cout << f.name << ": " << worst.error << " ULP at " << worst.at << "\n";
  EXPECT_LE(worst.error, f.bound) << "at " << worst.at;
}

INSTANTIATE_TEST_SUITE_P(All, UlpOfDouble, testing::ValuesIn(kFunctions),
                         [](const auto &test) { return std::string(test.param.name); });

TEST(UlpOfDouble, PowIsBounded) {
  std::mt19937_64 random(1);
  Worst worst;
  for (int i = 0; i < 300000; ++i) {
    double x = std::fabs(RandomNumber(&random, -1074, 1023)), y = RandomNumber(&random, -40, 10);
    if (i % 3 == 1) x = std::fabs(RandomNumber(&random, -2, 2));
    if (i % 3 == 2) {  // near 1, to results near the ends of the range
      x = 1 + RandomNumber(&random, -40, -3);
      y = RandomNumber(&random, 9, 9) * 0.7 / std::log(x);
    }
    Real base(x), exponent(y), result;
    mpfr_pow(result.get(), base.get(), exponent.get(), MPFR_RNDN);
    worst.See(UlpError(math::pow(x, y), result.Rounded()), x, y);
  }
  std::cout << "pow: " << worst.error << " ULP at " << worst.at << "^" << worst.at2 << "\n";
  EXPECT_LE(worst.error, 0.99) << worst.at << "^" << worst.at2;
}

}  // namespace
}  // namespace packet_test
