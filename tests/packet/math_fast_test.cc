// SPDX-License-Identifier: Apache-2.0
// The elementary functions of --numerics=fast: within 4 ULP, and the special values of the strict
// ones, in every region. Over every 1009th float; with MSHADOW_TEST_FULL (scripts/test --full) over
// every 61st. Of the baseline, which has the strict functions, over few.
#include <gtest/gtest.h>
#include <mshadow/packet/scalar.h>

// The rest of the file is compiled as emitted code is.
#include <mshadow/packet/begin_strict.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "samples.h"
#include "ulp.h"

namespace packet_test {
namespace {

#define MSHADOW_TEST_FUNCTIONS(row)                                                                \
  row(Expm1) row(Log2) row(Log10) row(Sin) row(Cos) row(Tan) row(Atan) row(Asin) row(Acos)         \
      row(Sinh) row(Cosh) row(Atanh) row(Log1p) row(Asinh) row(Acosh) row(Erfc) row(Cbrt) row(Log) \
          row(Sigmoid) row(Softplus)
#define MSHADOW_TEST_FUNCTIONS_OF_TWO(row) row(Atan2) row(Hypot)

template <typename T>
using FastFunctions = std::map<std::string, void (*)(const std::vector<T> &, std::vector<T> *)>;
template <typename T>
using FastFunctionsOfTwo =
    std::map<std::string,
             void (*)(const std::vector<T> &, const std::vector<T> &, std::vector<T> *)>;

namespace baseline {
#include <mshadow/packet/baseline.inc>

#include "math_fast_cases.inc"
}  // namespace baseline

#if MSHADOW_HAS_AVX2
#include <mshadow/packet/begin_avx2.inc>
namespace avx2 {
#include <mshadow/packet/avx2.inc>

#include "math_fast_cases.inc"
}  // namespace avx2
#include <mshadow/packet/end_isa.inc>
#endif

#if MSHADOW_HAS_AVX512
#include <mshadow/packet/begin_avx512.inc>
namespace avx512 {
#include <mshadow/packet/avx512.inc>

#include "math_fast_cases.inc"
}  // namespace avx512
#include <mshadow/packet/end_isa.inc>
#endif

constexpr double kBound = 4;

/// Neither form loses digits on its side.
template <typename E>
E Sigmoid(E x) {
  return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x));
}
template <typename E>
E Softplus(E x) {
  return (x > 0 ? x : 0) + std::log1p(std::exp(-std::fabs(x)));
}

template <typename E>
std::map<std::string, E (*)(E)> ExactFunctions() {
  return {{"Expm1", std::expm1},    {"Log2", std::log2},   {"Log10", std::log10},
          {"Sin", std::sin},        {"Cos", std::cos},     {"Tan", std::tan},
          {"Atan", std::atan},      {"Asin", std::asin},   {"Acos", std::acos},
          {"Sinh", std::sinh},      {"Cosh", std::cosh},   {"Atanh", std::atanh},
          {"Sine", std::sin},       {"Cosine", std::cos},  {"Log1p", std::log1p},
          {"Asinh", std::asinh},    {"Acosh", std::acosh}, {"Erfc", std::erfc},
          {"Cbrt", std::cbrt},      {"Log", std::log},     {"Sigmoid", Sigmoid<E>},
          {"Softplus", Softplus<E>}};
}
template <typename E>
std::map<std::string, E (*)(E, E)> ExactFunctionsOfTwo() {
  return {{"Atan2", std::atan2}, {"Hypot", std::hypot}};
}

/// Those whose fast form is the strict one, or within 1 ULP as well.
template <typename T>
bool IsWithin1(const std::string &function) {
  if constexpr (std::is_same_v<T, float>) return function == "Log";
  return function == "Cbrt" || function == "Erfc";
}

/// Blocks of floats: every step-th.
struct Floats {
  uint64_t step, next = 0;

  bool Next(std::vector<float> *in) {
    if (next > UINT32_MAX) return false;
    for (float &x : *in) {
      const uint32_t bits = static_cast<uint32_t>(std::min<uint64_t>(next, UINT32_MAX));
      std::memcpy(&x, &bits, sizeof bits);
      next += step;
    }
    return true;
  }
};

/// Blocks of numbers: some of random bits, the others of moderate size.
template <typename T>
struct Some {
  int blocks;
  std::mt19937_64 random{1};

  bool Next(std::vector<T> *in) {
    if (blocks-- == 0) return false;
    for (T &x : *in) {
      const uint64_t bits = random();
      std::memcpy(&x, &bits, sizeof x);
      if (bits % 4 != 0) {
        const double digits = 1 + static_cast<double>(bits >> 12) * 0x1p-52;
        x = static_cast<T>(
            std::ldexp(bits & 4 ? digits : -digits, static_cast<int>(bits >> 3 & 15) - 8));
      }
    }
    return true;
  }
};

/// What is promised of a function's worst error.
void ExpectBound(const Worst &worst, const std::string &what, bool is_approximate) {
  std::cout << what << ": " << worst.error << " ULP at " << worst.at << "\n";
  EXPECT_LE(worst.error, kBound) << what << " at " << worst.at << ", " << worst.at2;
  EXPECT_EQ(worst.error > 1, is_approximate) << what;
}

template <typename T>
using ExactOf = std::conditional_t<std::is_same_v<T, float>, double, long double>;

/// The error of out[i] beside the exact result.
template <typename T>
void See(T got, ExactOf<T> want, T x, T y, Worst *worst) {
  if (got == static_cast<T>(want) && want != 0) return;
  worst->See(UlpError(got, want), static_cast<double>(x), static_cast<double>(y));
}

template <typename T, typename Arguments>
void ExpectBounds(const std::string &region, const FastFunctions<T> &functions,
                  const Arguments &all, bool is_approximate = true) {
  for (const auto &[name, exact] : ExactFunctions<ExactOf<T>>()) {
    Worst worst;
    const auto see = [&worst, &functions, name = name, exact = exact](const std::vector<T> &in) {
      std::vector<T> out(in.size());
      functions.at(name)(in, &out);
      for (size_t i = 0; i < in.size(); ++i) See<T>(out[i], exact(in[i]), in[i], T(0), &worst);
    };
    see(Specials<T>());
    Arguments arguments = all;
    std::vector<T> in(4096);
    while (arguments.Next(&in)) see(in);
    ExpectBound(worst, region + ", " + name, is_approximate && !IsWithin1<T>(name));
  }
}

/// Pairs of special numbers, of any two, and of near ones.
template <typename T>
void ExpectBoundsOfPairs(const std::string &region, const FastFunctionsOfTwo<T> &functions,
                         int blocks, bool is_approximate = true) {
  for (const auto &[name, exact] : ExactFunctionsOfTwo<ExactOf<T>>()) {
    Worst worst;
    const auto see = [&worst, &functions, name = name, exact = exact](const std::vector<T> &a,
                                                                      const std::vector<T> &b) {
      std::vector<T> out(a.size());
      functions.at(name)(a, b, &out);
      for (size_t i = 0; i < a.size(); ++i) See<T>(out[i], exact(a[i], b[i]), a[i], b[i], &worst);
    };
    const std::vector<T> specials = Specials<T>();
    for (const T x : specials) see(std::vector<T>(specials.size(), x), specials);
    Some<T> first{blocks}, second{blocks, std::mt19937_64(2)};
    std::vector<T> a(4096), b(4096);
    while (first.Next(&a) && second.Next(&b)) {
      see(a, b);
      for (size_t i = 0; i < a.size(); ++i) {
        b[i] = a[i] * (1 + static_cast<T>(i) / 4096);
      }
      see(a, b);
    }
    ExpectBound(worst, region + ", " + name, is_approximate);
  }
}

TEST(FastFunctions, Baseline) {
  ExpectBounds("baseline, float", baseline::Functions<float>(), Floats{100003}, false);
  ExpectBounds("baseline, double", baseline::Functions<double>(), Some<double>{1}, false);
  ExpectBoundsOfPairs("baseline, float", baseline::FunctionsOfTwo<float>(), 1, false);
  ExpectBoundsOfPairs("baseline, double", baseline::FunctionsOfTwo<double>(), 1, false);
}

#if MSHADOW_HAS_AVX2
TEST(FastFunctions, Avx2) {
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) {
    GTEST_SKIP() << "this CPU has no AVX2 and FMA";
  }
  const uint64_t step = std::getenv("MSHADOW_TEST_FULL") ? 61 : 1009;
  ExpectBounds("AVX2, float", avx2::Functions<float>(), Floats{step});
  ExpectBounds("AVX2, double", avx2::Functions<double>(), Some<double>{30});
  ExpectBoundsOfPairs("AVX2, float", avx2::FunctionsOfTwo<float>(), 100);
  ExpectBoundsOfPairs("AVX2, double", avx2::FunctionsOfTwo<double>(), 30);
}
#endif

#if MSHADOW_HAS_AVX512
TEST(FastFunctions, Avx512) {
  if (!__builtin_cpu_supports("avx512bw") || !__builtin_cpu_supports("avx512vl") ||
      !__builtin_cpu_supports("avx512dq")) {
    GTEST_SKIP() << "this CPU has no AVX-512 (F, BW, VL, DQ)";
  }
  ExpectBounds("AVX-512, float", avx512::Functions<float>(), Floats{1009});
  ExpectBounds("AVX-512, double", avx512::Functions<double>(), Some<double>{30});
  ExpectBoundsOfPairs("AVX-512, float", avx512::FunctionsOfTwo<float>(), 100);
  ExpectBoundsOfPairs("AVX-512, double", avx512::FunctionsOfTwo<double>(), 30);
}
#endif

}  // namespace
}  // namespace packet_test
