// SPDX-License-Identifier: Apache-2.0
// What --numerics=fast approximates: every result within 3 ULP of the true value and of its class,
// in every region, and no lane's bits depend on its neighbours.
#include <gtest/gtest.h>
#include <mshadow/packet/scalar.h>

// The rest of the file is compiled as emitted code is.
#include <mshadow/packet/begin_strict.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <iostream>
#include <numeric>
#include <random>
#include <vector>

#include "samples.h"
#include "ulp.h"

namespace packet_test {
namespace {

/// Of each pair: a / b, a / sqrt(b), sqrt(b), 1 / sqrt(b).
template <typename T>
struct FastResults : std::array<std::vector<T>, 4> {
  explicit FastResults(size_t n) {
    for (std::vector<T> &values : *this) values.resize(n);
  }
};

namespace baseline {
#include <mshadow/packet/baseline.inc>

#include "fast_cases.inc"
}  // namespace baseline

#if MSHADOW_HAS_AVX2
#include <mshadow/packet/begin_avx2.inc>
namespace avx2 {
#include <mshadow/packet/avx2.inc>

#include "fast_cases.inc"
}  // namespace avx2
#include <mshadow/packet/end_isa.inc>
#endif

#if MSHADOW_HAS_AVX512
#include <mshadow/packet/begin_avx512.inc>
namespace avx512 {
#include <mshadow/packet/avx512.inc>

#include "fast_cases.inc"
}  // namespace avx512
#include <mshadow/packet/end_isa.inc>
#endif

const char *const kNames[] = {"a / b", "a / sqrt(b)", "sqrt(b)", "1 / sqrt(b)"};
constexpr double kBound = 3;

template <typename T>
std::array<long double, 4> Exact(T a, T b) {
  const long double x = a, y = b, root = std::sqrt(y);
  return {x / y, x / root, root, 1 / root};
}

/// Pairs of special values, of random bits, and of random sizes whose quotients are numbers.
template <typename T>
Pairs<T> Operands() {
  Pairs<T> pairs;
  std::mt19937_64 random(7);
  for (int i = 0; i < 300000; ++i) {
    const auto size = [&](int exponents) {
      const double digits = 1 + static_cast<double>(random() >> 11) * 0x1p-53;
      return static_cast<T>(
          std::ldexp(digits, static_cast<int>(random() % exponents) - exponents / 2));
    };
    const int exponents = i % 3 == 0 ? 4 : std::numeric_limits<T>::max_exponent;
    pairs.a.push_back(i % 5 == 0 ? -size(exponents) : size(exponents));
    pairs.b.push_back(size(i % 7 == 0 ? 2 * std::numeric_limits<T>::max_exponent : exponents));
  }
  return pairs;
}

/// Where the true value is so near to overflow that the bound reaches beyond, either is right.
template <typename T>
double Error(T got, long double want) {
  constexpr long double kMax = std::numeric_limits<T>::max();
  const long double size = std::fabs(want);
  const bool near_overflow =
      size >= kMax * (1 - 4 * std::numeric_limits<T>::epsilon()) && size < kMax * 1.001L;
  const bool is_large = std::fabs(got) >= kMax * (1 - 8 * std::numeric_limits<T>::epsilon());
  return near_overflow && is_large ? 0 : UlpError(got, want);
}

/// The same pairs in another order give every pair the same bits.
template <typename T, typename Run>
void ExpectNoNeighbours(Run run, const Pairs<T> &pairs, const FastResults<T> &results) {
  std::vector<size_t> order(pairs.a.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::shuffle(order.begin(), order.end(), std::mt19937_64(3));
  std::vector<T> a, b;
  for (const size_t i : order) {
    a.push_back(pairs.a[i]);
    b.push_back(pairs.b[i]);
  }
  const FastResults<T> shuffled = run(a, b);
  for (int k = 0; k < 4; ++k) {
    for (size_t i = 0; i < order.size(); ++i) {
      const T x = shuffled[k][i], y = results[k][order[i]];
      if (std::isnan(x) && std::isnan(y)) continue;
      ASSERT_EQ(std::memcmp(&x, &y, sizeof(T)), 0)
          << kNames[k] << " of " << a[i] << " and " << b[i] << ": " << x << " or " << y;
    }
  }
}

/// \returns how many results of each kind are not the correctly rounded ones.
template <typename T, typename Run>
std::array<int, 4> Check(const char *region, Run run) {
  const Pairs<T> pairs = Operands<T>();
  const FastResults<T> results = run(pairs.a, pairs.b);
  Worst worst[4];
  std::array<int, 4> inexact = {};
  for (size_t i = 0; i < pairs.a.size(); ++i) {
    const std::array<long double, 4> exact = Exact(pairs.a[i], pairs.b[i]);
    for (int k = 0; k < 4; ++k) {
      const double error = Error(results[k][i], exact[k]);
      worst[k].See(error, pairs.a[i], pairs.b[i]);
      inexact[k] += error > 0.501;
    }
  }
  for (int k = 0; k < 4; ++k) {
    std::cout << region << ", " << 8 * sizeof(T) << " bits, " << kNames[k] << ": " << worst[k].error
              << " ULP\n";
    EXPECT_LE(worst[k].error, kBound)
        << kNames[k] << " of " << worst[k].at << " and " << worst[k].at2;
  }
  ExpectNoNeighbours(run, pairs, results);
  return inexact;
}

#define CHECK_REGION(region, T) \
  Check<T>(#region, [](const auto &a, const auto &b) { return region::RunFast(a, b); })

TEST(Fast, Baseline) {
  for (const auto &inexact : {CHECK_REGION(baseline, float), CHECK_REGION(baseline, double)}) {
    EXPECT_EQ(inexact[0], 0);
    EXPECT_EQ(inexact[2], 0);
  }
}

#if MSHADOW_HAS_AVX2
TEST(Fast, Avx2) {
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) {
    GTEST_SKIP() << "this CPU has no AVX2 and FMA";
  }
  const std::array<int, 4> inexact = CHECK_REGION(avx2, float);
  EXPECT_EQ(inexact[0], 0) << "divides exactly: an approximation would gain nothing";
  EXPECT_GT(inexact[2], 0) << "approximates nothing";
  EXPECT_EQ(CHECK_REGION(avx2, double)[2], 0) << "there is no estimate for doubles";
}
#endif

#if MSHADOW_HAS_AVX512
TEST(Fast, Avx512) {
  if (!__builtin_cpu_supports("avx512bw") || !__builtin_cpu_supports("avx512vl") ||
      !__builtin_cpu_supports("avx512dq")) {
    GTEST_SKIP() << "this CPU has no AVX-512 (F, BW, VL, DQ)";
  }
  for (const auto &inexact : {CHECK_REGION(avx512, float), CHECK_REGION(avx512, double)}) {
    for (int k = 0; k < 4; ++k) EXPECT_GT(inexact[k], 0) << kNames[k] << ": approximates nothing";
  }
}
#endif

}  // namespace
}  // namespace packet_test
