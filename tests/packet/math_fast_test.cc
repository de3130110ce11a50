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

#define MSHADOW_TEST_FUNCTIONS(row)                                                        \
  row(Expm1) row(Log2) row(Log10) row(Sin) row(Cos) row(Tan) row(Atan) row(Asin) row(Acos) \
      row(Sinh) row(Cosh) row(Atanh)

template <typename T>
using FastFunctions = std::map<std::string, void (*)(const std::vector<T> &, std::vector<T> *)>;

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

template <typename E>
std::map<std::string, E (*)(E)> ExactFunctions() {
  return {{"Expm1", std::expm1}, {"Log2", std::log2}, {"Log10", std::log10}, {"Sin", std::sin},
          {"Cos", std::cos},     {"Tan", std::tan},   {"Atan", std::atan},   {"Asin", std::asin},
          {"Acos", std::acos},   {"Sinh", std::sinh}, {"Cosh", std::cosh},   {"Atanh", std::atanh},
          {"Sine", std::sin},    {"Cosine", std::cos}};
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

/// Blocks of doubles: some of random bits, the others of moderate size.
struct Doubles {
  int blocks;
  std::mt19937_64 random{1};

  bool Next(std::vector<double> *in) {
    if (blocks-- == 0) return false;
    for (double &x : *in) {
      const uint64_t bits = random();
      std::memcpy(&x, &bits, sizeof bits);
      if (bits % 4 != 0) {
        const double digits = 1 + static_cast<double>(bits >> 12) * 0x1p-52;
        x = std::ldexp(bits & 4 ? digits : -digits, static_cast<int>(bits >> 3 & 15) - 8);
      }
    }
    return true;
  }
};

template <typename T, typename Arguments>
void ExpectBound(const char *region, const FastFunctions<T> &functions, const Arguments &all,
                 bool is_approximate = true) {
  using E = std::conditional_t<std::is_same_v<T, float>, double, long double>;
  for (const auto &[name, exact] : ExactFunctions<E>()) {
    Worst worst;
    const auto see = [&worst, &functions, name = name, exact = exact](const std::vector<T> &in) {
      std::vector<T> out(in.size());
      functions.at(name)(in, &out);
      for (size_t i = 0; i < in.size(); ++i) {
        const E want = exact(in[i]);
        if (out[i] == static_cast<T>(want) && want != 0) continue;
        worst.See(UlpError(out[i], want), static_cast<double>(in[i]));
      }
    };
    see(Specials<T>());
    Arguments arguments = all;
    std::vector<T> in(4096);
    while (arguments.Next(&in)) see(in);
    std::cout << region << ", " << 8 * sizeof(T) << " bits, " << name << ": " << worst.error
              << " ULP at " << worst.at << "\n";
    EXPECT_LE(worst.error, kBound) << region << ", " << name << " at " << worst.at;
    EXPECT_EQ(worst.error > 1, is_approximate) << region << ", " << name;
  }
}

TEST(FastFunctions, Baseline) {
  ExpectBound("baseline", baseline::Functions<float>(), Floats{100003}, false);
  ExpectBound("baseline", baseline::Functions<double>(), Doubles{1}, false);
}

#if MSHADOW_HAS_AVX2
TEST(FastFunctions, Avx2) {
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) {
    GTEST_SKIP() << "this CPU has no AVX2 and FMA";
  }
  const uint64_t step = std::getenv("MSHADOW_TEST_FULL") ? 61 : 1009;
  ExpectBound("AVX2", avx2::Functions<float>(), Floats{step});
  ExpectBound("AVX2", avx2::Functions<double>(), Doubles{30});
}
#endif

#if MSHADOW_HAS_AVX512
TEST(FastFunctions, Avx512) {
  if (!__builtin_cpu_supports("avx512bw") || !__builtin_cpu_supports("avx512vl") ||
      !__builtin_cpu_supports("avx512dq")) {
    GTEST_SKIP() << "this CPU has no AVX-512 (F, BW, VL, DQ)";
  }
  ExpectBound("AVX-512", avx512::Functions<float>(), Floats{1009});
  ExpectBound("AVX-512", avx512::Functions<double>(), Doubles{30});
}
#endif

}  // namespace
}  // namespace packet_test
