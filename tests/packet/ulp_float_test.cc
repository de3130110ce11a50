// SPDX-License-Identifier: Apache-2.0
// Errors of the float functions, against libm's in double, over every 61st float; with
// MSHADOW_TEST_FULL in the environment (scripts/test --full) over all 2^32, which takes minutes for
// each. The bounds are those of docs/math.md. Of the 16-bit types every value is tried.
#include <gtest/gtest.h>
#include <mshadow/functions.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <random>
#include <thread>
#include <vector>

#include "libm_oracles.h"
#include "ulp.h"

namespace packet_test {
namespace {

namespace math = mshadow::math;
using mshadow::bfloat::bf16_t;
using mshadow::half::half_t;

template <typename T>
struct Function {
  const char *name;
  T (*tried)(T);
  double (*oracle)(double);
  double bound;
};

float FloatOf(uint64_t bits) {
  const uint32_t low = static_cast<uint32_t>(bits);
  float value;
  std::memcpy(&value, &low, sizeof(value));
  return value;
}

#define FUNCTION(T, name, oracle, bound)                                                \
  Function<T> {                                                                         \
#name, [](T x) { return math::name(x); }, [](double x) { return oracle(x); }, bound \
  }

const Function<float> kFunctions[] = {
    FUNCTION(float, exp, std::exp, 0.9),       FUNCTION(float, expm1, std::expm1, 0.8),
    FUNCTION(float, log, std::log, 0.87),      FUNCTION(float, log1p, std::log1p, 0.9),
    FUNCTION(float, exp2, std::exp2, 0.89),    FUNCTION(float, exp10, Exp10, 0.93),
    FUNCTION(float, log2, std::log2, 0.76),    FUNCTION(float, log10, std::log10, 0.75),
    FUNCTION(float, sin, std::sin, 0.78),      FUNCTION(float, cos, std::cos, 0.78),
    FUNCTION(float, tan, std::tan, 0.98),      FUNCTION(float, atan, std::atan, 0.76),
    FUNCTION(float, asin, std::asin, 0.73),    FUNCTION(float, acos, std::acos, 0.7),
    FUNCTION(float, sinh, std::sinh, 0.81),    FUNCTION(float, cosh, std::cosh, 0.75),
    FUNCTION(float, asinh, std::asinh, 0.78),  FUNCTION(float, acosh, std::acosh, 0.69),
    FUNCTION(float, atanh, std::atanh, 0.56),  FUNCTION(float, cbrt, std::cbrt, 0.506),
    FUNCTION(float, softplus, Softplus, 0.91), FUNCTION(float, erfc, std::erfc, 0.86),
    FUNCTION(float, tanh, std::tanh, 0.78),    FUNCTION(float, erf, std::erf, 0.8),
    FUNCTION(float, sigmoid, Sigmoid, 0.91),   FUNCTION(float, rsqrt, Rsqrt, 0.5),
    FUNCTION(float, sqrt, std::sqrt, 0.5),     FUNCTION(float, floor, std::floor, 0),
    FUNCTION(float, ceil, std::ceil, 0),       FUNCTION(float, trunc, std::trunc, 0),
    FUNCTION(float, round, std::round, 0),     FUNCTION(float, lgamma, LogGamma, 0.52),
    FUNCTION(float, rint, std::nearbyint, 0),
};

bool SameBits(float a, float b) { return std::memcmp(&a, &b, sizeof(a)) == 0; }

/// The largest error over the floats whose bits are first, first + step, …; 0 where all results are
/// correctly rounded, which takes no time to see: their error is 0.5 at most.
Worst WorstOf(const Function<float> &f, uint64_t first, uint64_t step) {
  Worst worst;
  for (uint64_t bits = first; bits <= UINT32_MAX; bits += step) {
    const float x = FloatOf(bits), got = f.tried(x);
    const double want = f.oracle(x);
    if (!SameBits(got, static_cast<float>(want))) worst.See(UlpError(got, want), x);
  }
  return worst;
}

class UlpOfFloat : public testing::TestWithParam<Function<float>> {};

TEST_P(UlpOfFloat, IsBounded) {
  const uint64_t stride = std::getenv("MSHADOW_TEST_FULL") ? 1 : 61;
  const uint64_t threads = std::max(1u, std::thread::hardware_concurrency());
  std::vector<Worst> parts(threads);
  std::vector<std::thread> workers;
  for (uint64_t i = 0; i < threads; ++i) {
    workers.emplace_back([&, i] { parts[i] = WorstOf(GetParam(), i * stride, threads * stride); });
  }
  for (std::thread &worker : workers) worker.join();
  Worst worst;
  for (const Worst &part : parts) worst.See(part.error, part.at);
  std::cout << GetParam().name << ": " << worst.error << " ULP at " << worst.at << "\n";
  EXPECT_LE(worst.error, GetParam().bound) << "at " << worst.at;
}

INSTANTIATE_TEST_SUITE_P(All, UlpOfFloat, testing::ValuesIn(kFunctions),
                         [](const auto &test) { return std::string(test.param.name); });

/// Of a 16-bit type every argument gives the rounded exact result.
template <typename T>
void ExpectNarrowResults(const std::vector<Function<T>> &functions) {
  for (const Function<T> &f : functions) {
    for (unsigned bits = 0; bits < 65536; ++bits) {
      const T x = T::Binary(static_cast<unsigned short>(bits));
      const float got = f.tried(x), want = T(f.oracle(static_cast<float>(x)));
      const bool same = std::isnan(want) ? std::isnan(got)
                                         : got == want && std::signbit(got) == std::signbit(want);
      EXPECT_TRUE(same) << f.name << "(" << x << ") is " << got << ", not " << want;
    }
  }
}

template <typename T>
std::vector<Function<T>> NarrowFunctions() {
  return {FUNCTION(T, exp, std::exp, 0.5),     FUNCTION(T, expm1, std::expm1, 0.5),
          FUNCTION(T, log, std::log, 0.5),     FUNCTION(T, log1p, std::log1p, 0.5),
          FUNCTION(T, tanh, std::tanh, 0.5),   FUNCTION(T, erf, std::erf, 0.5),
          FUNCTION(T, sigmoid, Sigmoid, 0.5),  FUNCTION(T, rsqrt, Rsqrt, 0.5),
          FUNCTION(T, sqrt, std::sqrt, 0.5),   FUNCTION(T, exp2, std::exp2, 0.5),
          FUNCTION(T, exp10, Exp10, 0.5),      FUNCTION(T, log2, std::log2, 0.5),
          FUNCTION(T, log10, std::log10, 0.5), FUNCTION(T, sin, std::sin, 0.5),
          FUNCTION(T, cos, std::cos, 0.5),     FUNCTION(T, tan, std::tan, 0.5),
          FUNCTION(T, atan, std::atan, 0.5),   FUNCTION(T, asin, std::asin, 0.5),
          FUNCTION(T, acos, std::acos, 0.5),   FUNCTION(T, sinh, std::sinh, 0.5),
          FUNCTION(T, cosh, std::cosh, 0.5),   FUNCTION(T, asinh, std::asinh, 0.5),
          FUNCTION(T, acosh, std::acosh, 0.5), FUNCTION(T, atanh, std::atanh, 0.5),
          FUNCTION(T, cbrt, std::cbrt, 0.5),   FUNCTION(T, softplus, Softplus, 0.5),
          FUNCTION(T, erfc, std::erfc, 0.5),   FUNCTION(T, lgamma, LogGamma, 0.5),
          FUNCTION(T, rint, std::nearbyint, 0)};
}
TEST(UlpOfHalf, EveryValueIsCorrectlyRounded) { ExpectNarrowResults(NarrowFunctions<half_t>()); }
TEST(UlpOfBFloat, EveryValueIsCorrectlyRounded) { ExpectNarrowResults(NarrowFunctions<bf16_t>()); }

/// The largest error over four million pairs of floats. Most pairs of random floats over- or
/// underflow, or are far apart: half the pairs are not.
template <typename Error>
Worst WorstOfPairs(Error error) {
  std::mt19937_64 random(1);
  Worst worst;
  for (int i = 0; i < 4000000; ++i) {
    const uint64_t bits = random();
    float x = FloatOf(bits), y = FloatOf(bits >> 32);
    if (i % 2 == 0) {
      x = std::ldexp(1 + std::fabs(std::fmod(x, 1.0f)), static_cast<int>(bits % 9) - 4);
      y = static_cast<float>(static_cast<int32_t>(bits >> 32)) * 0x1p-26f;
    }
    worst.See(error(x, y), x, y);
  }
  return worst;
}

TEST(UlpOfFloat, PowIsBounded) {
  const Worst worst = WorstOfPairs([](float x, float y) {
    return UlpError(math::pow(x, y), std::pow(static_cast<double>(x), static_cast<double>(y)));
  });
  std::cout << "pow: " << worst.error << " ULP\n";
  EXPECT_LE(worst.error, 0.501) << worst.at << "^" << worst.at2;
}

TEST(UlpOfFloat, Atan2IsBounded) {
  const Worst worst = WorstOfPairs([](float y, float x) {
    return UlpError(math::atan2(y, x), std::atan2(static_cast<double>(y), static_cast<double>(x)));
  });
  std::cout << "atan2: " << worst.error << " ULP\n";
  EXPECT_LE(worst.error, 0.9) << "at " << worst.at << ", " << worst.at2;
}

TEST(UlpOfFloat, HypotIsBounded) {
  const Worst worst = WorstOfPairs([](float x, float y) {
    return UlpError(math::hypot(x, y), std::hypot(static_cast<double>(x), static_cast<double>(y)));
  });
  std::cout << "hypot: " << worst.error << " ULP\n";
  EXPECT_LE(worst.error, 0.8) << "at " << worst.at << ", " << worst.at2;
}

TEST(UlpOfFloat, LogAddExpIsBounded) {
  const Worst worst = WorstOfPairs([](float x, float y) {
    const double a = x, b = y, larger = std::fmax(a, b);
    const double want = larger + std::log1p(std::exp(-std::fabs(a - b)));
    return LogAddExpError(math::logaddexp(x, y), std::isnan(a - b) ? a + b : want, x, y);
  });
  std::cout << "logaddexp: " << worst.error << " ULP\n";
  EXPECT_LE(worst.error, 0.95) << "at " << worst.at << ", " << worst.at2;
}

TEST(UlpOfFloat, FmodIsExact) {
  const Worst worst = WorstOfPairs([](float x, float y) {
    const float got = math::fmod(x, y), want = std::fmod(x, y);
    return SameBits(got, want) || (std::isnan(got) && std::isnan(want)) ? 0.0 : 1.0;
  });
  EXPECT_EQ(worst.error, 0) << "at " << worst.at << ", " << worst.at2;
}

TEST(UlpOfFloat, PowIntIsBoundedForMillions) {
  Worst worst;
  for (int n = -2000000; n <= 2000000; n += 37) {
    for (const float x : {0.9f, 0.999f, 0.99999f, 1.000001f, -0.9999f, 1.1f}) {
      worst.See(UlpError(math::pow(x, n), std::pow(static_cast<double>(x), n)), x, n);
    }
  }
  EXPECT_LE(worst.error, 0.501) << worst.at << "^" << worst.at2;
}

}  // namespace
}  // namespace packet_test
