// SPDX-License-Identifier: Apache-2.0
// The elementary functions of the vector regions, bit for bit against the scalar region, and
// their special values.
#define MSHADOW_TEST_CASES "math_cases.inc"
#define MSHADOW_TEST_SUITE Math
#include <mshadow/functions.h>

#include <memory>

#include "regions.inc"

namespace packet_test {
namespace {

namespace math = mshadow::math;

/// Same value, same sign of zero, or both NaN.
void ExpectIs(double got, double want, const char *what) {
  if (std::isnan(want)) {
    EXPECT_TRUE(std::isnan(got)) << what << " is " << got;
  } else {
    EXPECT_EQ(got, want) << what;
    EXPECT_EQ(std::signbit(got), std::signbit(want)) << what;
  }
}
#define EXPECT_IS(expression, want) ExpectIs(expression, want, #expression)

template <typename T>
void ExpectSpecialValues() {
  const T inf = T(INFINITY), nan = T(NAN), zero = T(0.0f), one = T(1.0f);
  EXPECT_IS(math::exp(zero), 1);
  EXPECT_IS(math::exp(-inf), 0);
  EXPECT_IS(math::exp(inf), INFINITY);
  EXPECT_IS(math::exp(nan), NAN);
  EXPECT_IS(math::expm1(-zero), -0.0);
  EXPECT_IS(math::expm1(-inf), -1);
  EXPECT_IS(math::expm1(inf), INFINITY);
  EXPECT_IS(math::expm1(nan), NAN);
  EXPECT_IS(math::log(zero), -INFINITY);
  EXPECT_IS(math::log(-zero), -INFINITY);
  EXPECT_IS(math::log(one), 0.0);
  EXPECT_IS(math::log(-one), NAN);
  EXPECT_IS(math::log(inf), INFINITY);
  EXPECT_IS(math::log(-inf), NAN);
  EXPECT_IS(math::log(nan), NAN);
  EXPECT_IS(math::log1p(-zero), -0.0);
  EXPECT_IS(math::log1p(-one), -INFINITY);
  EXPECT_IS(math::log1p(T(-1.5f)), NAN);
  EXPECT_IS(math::log1p(inf), INFINITY);
  EXPECT_IS(math::log1p(nan), NAN);
  EXPECT_IS(math::tanh(-zero), -0.0);
  EXPECT_IS(math::tanh(inf), 1);
  EXPECT_IS(math::tanh(-inf), -1);
  EXPECT_IS(math::tanh(nan), NAN);
  EXPECT_IS(math::erf(-zero), -0.0);
  EXPECT_IS(math::erf(inf), 1);
  EXPECT_IS(math::erf(-inf), -1);
  EXPECT_IS(math::erf(nan), NAN);
  EXPECT_IS(math::sigmoid(zero), 0.5);
  EXPECT_IS(math::sigmoid(inf), 1);
  EXPECT_IS(math::sigmoid(-inf), 0);
  EXPECT_IS(math::sigmoid(nan), NAN);
  EXPECT_IS(math::rsqrt(zero), INFINITY);
  EXPECT_IS(math::rsqrt(-zero), -INFINITY);
  EXPECT_IS(math::rsqrt(inf), 0);
  EXPECT_IS(math::rsqrt(-one), NAN);
  EXPECT_IS(math::rsqrt(T(4.0f)), 0.5);
  EXPECT_IS(math::sqrt(-zero), -0.0);
}

/// Those of other bases, and of angles.
template <typename T>
void ExpectMoreSpecialValues() {
  const T inf = T(INFINITY), nan = T(NAN), zero = T(0.0f), one = T(1.0f);
  EXPECT_IS(math::exp2(-inf), 0);
  EXPECT_IS(math::exp2(inf), INFINITY);
  EXPECT_IS(math::exp2(nan), NAN);
  EXPECT_IS(math::exp2(T(-3.0f)), 0.125);
  EXPECT_IS(math::exp10(-inf), 0);
  EXPECT_IS(math::exp10(inf), INFINITY);
  EXPECT_IS(math::exp10(nan), NAN);
  EXPECT_IS(math::exp10(zero), 1);
  EXPECT_IS(math::log2(zero), -INFINITY);
  EXPECT_IS(math::log2(-one), NAN);
  EXPECT_IS(math::log2(inf), INFINITY);
  EXPECT_IS(math::log2(nan), NAN);
  EXPECT_IS(math::log2(one), 0.0);
  EXPECT_IS(math::log2(T(0.125f)), -3);
  EXPECT_IS(math::log10(zero), -INFINITY);
  EXPECT_IS(math::log10(-one), NAN);
  EXPECT_IS(math::log10(inf), INFINITY);
  EXPECT_IS(math::log10(nan), NAN);
  EXPECT_IS(math::log10(T(1000.0f)), 3);
  for (const T x : {inf, -inf, nan}) {
    EXPECT_IS(math::sin(x), NAN);
    EXPECT_IS(math::cos(x), NAN);
    EXPECT_IS(math::tan(x), NAN);
  }
  EXPECT_IS(math::sin(-zero), -0.0);
  EXPECT_IS(math::tan(-zero), -0.0);
  EXPECT_IS(math::cos(-zero), 1);
}

/// Those of inverse functions, hyperbolic ones and the cubic root.
template <typename T>
void ExpectSpecialInverses() {
  const T inf = T(INFINITY), nan = T(NAN), zero = T(0.0f), one = T(1.0f), two = T(2.0f);
  const double half_pi = static_cast<double>(T(1.5707963267948966));
  EXPECT_IS(math::atan(inf), half_pi);
  EXPECT_IS(math::atan(-inf), -half_pi);
  EXPECT_IS(math::asin(one), half_pi);
  EXPECT_IS(math::acos(zero), half_pi);
  EXPECT_IS(math::acos(one), 0.0);
  EXPECT_IS(math::acos(-one), static_cast<double>(T(3.141592653589793)));
  EXPECT_IS(math::acosh(one), 0.0);
  EXPECT_IS(math::atanh(one), INFINITY);
  EXPECT_IS(math::atanh(-one), -INFINITY);
  EXPECT_IS(math::cosh(-zero), 1);
  EXPECT_IS(math::cbrt(T(-27.0f)), -3);
  for (const T x : {inf, -inf}) {
    EXPECT_IS(math::sinh(x), static_cast<double>(x));
    EXPECT_IS(math::cosh(x), INFINITY);
    EXPECT_IS(math::asinh(x), static_cast<double>(x));
    EXPECT_IS(math::cbrt(x), static_cast<double>(x));
  }
  EXPECT_IS(math::acosh(inf), INFINITY);
  for (const T x : {zero, -zero}) {
    EXPECT_IS(math::atan(x), static_cast<double>(x));
    EXPECT_IS(math::asin(x), static_cast<double>(x));
    EXPECT_IS(math::sinh(x), static_cast<double>(x));
    EXPECT_IS(math::asinh(x), static_cast<double>(x));
    EXPECT_IS(math::atanh(x), static_cast<double>(x));
    EXPECT_IS(math::cbrt(x), static_cast<double>(x));
    EXPECT_IS(math::acosh(x), NAN);
  }
  for (const T x : {two, -two, inf, -inf, nan}) {
    EXPECT_IS(math::asin(x), NAN);
    EXPECT_IS(math::acos(x), NAN);
    EXPECT_IS(math::atanh(x), NAN);
  }
  for (const T x : {-one, -two, -inf, nan}) EXPECT_IS(math::acosh(x), NAN);
  EXPECT_IS(math::softplus(inf), INFINITY);
  EXPECT_IS(math::softplus(-inf), 0);
  EXPECT_IS(math::softplus(nan), NAN);
  EXPECT_IS(math::erfc(-zero), 1);
  EXPECT_IS(math::erfc(inf), 0);
  EXPECT_IS(math::erfc(-inf), 2);
  EXPECT_IS(math::erfc(nan), NAN);
  EXPECT_IS(math::atan(nan), NAN);
  EXPECT_IS(math::sinh(nan), NAN);
  EXPECT_IS(math::cosh(nan), NAN);
  EXPECT_IS(math::asinh(nan), NAN);
  EXPECT_IS(math::cbrt(nan), NAN);
}

TEST(MathSpecialValues, OfEveryType) {
  ExpectSpecialValues<float>();
  ExpectSpecialValues<double>();
  ExpectSpecialValues<half_t>();
  ExpectSpecialValues<bf16_t>();
  ExpectMoreSpecialValues<float>();
  ExpectMoreSpecialValues<double>();
  ExpectMoreSpecialValues<half_t>();
  ExpectMoreSpecialValues<bf16_t>();
  ExpectSpecialInverses<float>();
  ExpectSpecialInverses<double>();
  ExpectSpecialInverses<half_t>();
  ExpectSpecialInverses<bf16_t>();
}

/// C11, annex F.10.5.3.
template <typename T>
void ExpectSpecialLogGammas() {
  const T inf = T(INFINITY), nan = T(NAN), zero = T(0.0f), one = T(1.0f), two = T(2.0f);
  EXPECT_IS(math::lgamma(one), 0.0);
  EXPECT_IS(math::lgamma(two), 0.0);
  for (const T x : {zero, -zero, -one, -two, T(-1024.0f), -inf, inf}) {
    EXPECT_IS(math::lgamma(x), INFINITY);
  }
  EXPECT_IS(math::lgamma(nan), NAN);
}

TEST(MathSpecialValues, OfLgamma) {
  ExpectSpecialLogGammas<float>();
  ExpectSpecialLogGammas<double>();
  ExpectSpecialLogGammas<half_t>();
  ExpectSpecialLogGammas<bf16_t>();
  // All floats from there on are integers.
  EXPECT_IS(math::lgamma(-0x1p23f), INFINITY);
  EXPECT_IS(math::lgamma(-0x1.fffffep127f), INFINITY);
  EXPECT_IS(math::lgamma(0x1.fffffep127f), INFINITY);
  // So are all doubles from 2^52 on. Results overflow from 2.56e305 on.
  EXPECT_IS(math::lgamma(-0x1p52), INFINITY);
  EXPECT_IS(math::lgamma(-0x1.fffffffffffffp1023), INFINITY);
  EXPECT_IS(math::lgamma(0x1.754d9278b51a8p1014), INFINITY);
  EXPECT_IS(math::lgamma(0x1.754d9278b51a7p1014), 0x1.fffffffffffffp1023);
}

/// C99, annex F.9.4.4, by the C library of the machine, for all pairs of special operands.
template <typename T>
void ExpectSpecialPowers() {
  const std::vector<T> operands = {T(0),    T(-0.0),     T(1),         T(-1), T(0.5),  T(-0.5),
                                   T(2),    T(-2),       T(3),         T(-3), T(2.5),  T(-2.5),
                                   T(1e30), T(-1e30),    T(NAN),       T(7),  T(-7),   T(4),
                                   T(1e10), T(INFINITY), T(-INFINITY), T(-4), T(1e-30)};
  for (const T x : operands) {
    for (const T y : operands) {
      const double want = std::pow(static_cast<double>(x), static_cast<double>(y));
      const double got = static_cast<double>(math::pow(x, y));
      if (!std::isfinite(want) || want == 0 || std::fabs(want) == 1) {
        ExpectIs(got, want, (std::to_string(x) + "^" + std::to_string(y)).c_str());
      }
    }
  }
}

TEST(MathSpecialValues, OfPow) {
  ExpectSpecialPowers<float>();
  ExpectSpecialPowers<double>();
}

/// The same of atan2, F.9.1.4, and hypot, F.9.4.3, and of logaddexp, which no standard has.
template <typename T>
void ExpectSpecialPairs() {
  const T operands[] = {T(0),   T(-0.0), T(1),        T(-1),        T(3),    T(1e30),
                        T(NAN), T(-3),   T(INFINITY), T(-INFINITY), T(1e-30)};
  for (const T x : operands) {
    for (const T y : operands) {
      const std::string pair = "(" + std::to_string(x) + ", " + std::to_string(y) + ")";
      const bool special = x == 0 || y == 0 || !std::isfinite(x) || !std::isfinite(y);
      if (!special) continue;
      const T angle = std::atan2(x, y);
      const bool is_multiple = x == 0 || !std::isfinite(angle) || std::isinf(x) || std::isinf(y);
      if (is_multiple) ExpectIs(math::atan2(x, y), angle, ("atan2" + pair).c_str());
      ExpectIs(math::hypot(x, y), std::hypot(x, y), ("hypot" + pair).c_str());
      if (std::isfinite(x + y)) continue;
      const T sum = std::isnan(x) || std::isnan(y) ? T(NAN) : std::max(x, y) + T(0);
      ExpectIs(math::logaddexp(x, y), sum, ("logaddexp" + pair).c_str());
    }
  }
}

TEST(MathSpecialValues, OfPairs) {
  ExpectSpecialPairs<float>();
  ExpectSpecialPairs<double>();
}

/// Functions whose results are exact or rounded once, by the C library, for all operands. Which of
/// two zeros fmin and fmax return is left open by the standard.
template <typename T>
void ExpectExactResults() {
  const T operands[] = {T(0),    T(-0.0), T(1),        T(-1),        T(3),     T(1e30),
                        T(NAN),  T(-3),   T(INFINITY), T(-INFINITY), T(1e-30), T(0.5),
                        T(-2.5), T(1e38), T(1e-38),    T(0.1)};
  for (const T x : operands) {
    ExpectIs(math::rint(x), std::nearbyint(x), ("rint " + std::to_string(x)).c_str());
    for (const T y : operands) {
      const std::string pair = "(" + std::to_string(x) + ", " + std::to_string(y) + ")";
      ExpectIs(math::fmod(x, y), std::fmod(x, y), ("fmod" + pair).c_str());
      for (const T z : operands) {
        ExpectIs(math::fma(x, y, z), std::fma(x, y, z), ("fma" + pair + std::to_string(z)).c_str());
      }
      if (x == 0 && y == 0) continue;
      ExpectIs(math::fmin(x, y), std::fmin(x, y), ("fmin" + pair).c_str());
      ExpectIs(math::fmax(x, y), std::fmax(x, y), ("fmax" + pair).c_str());
    }
  }
}

TEST(MathSpecialValues, OfExactFunctions) {
  ExpectExactResults<float>();
  ExpectExactResults<double>();
}

TEST(MathSpecialValues, OfPowInt) {
  EXPECT_IS(math::pow(NAN, 0), 1);
  EXPECT_IS(math::pow(-0.0f, -3), -INFINITY);
  EXPECT_IS(math::pow(-0.0f, -2), INFINITY);
  EXPECT_IS(math::pow(-0.0f, 3), -0.0);
  EXPECT_IS(math::pow(-INFINITY, 3), -INFINITY);
  EXPECT_IS(math::pow(-INFINITY, -3), -0.0);
  EXPECT_IS(math::pow(-1.0f, INT32_MIN), 1);
  EXPECT_IS(math::pow(-1.0f, INT32_MAX), -1);
  EXPECT_IS(math::pow(2.0f, -149), 0x1p-149);
  EXPECT_IS(math::pow(0.999f, 1), 0.999f);
  EXPECT_IS(math::pow(half_t(0.5f), 3), 0.125);
}

}  // namespace
}  // namespace packet_test
