// SPDX-License-Identifier: Apache-2.0
// Quotients by a Divisor are those of a / b in every region: of numbers of every size, of those
// whose quotients are nearest to where roundings change, and beside what has to be divided.
#include <gtest/gtest.h>
#include <mshadow/packet/scalar.h>

// The rest of the file is compiled as emitted code is.
#include <mshadow/packet/begin_strict.h>

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "results.h"
#include "samples.h"

namespace packet_test {
namespace {

namespace baseline {
#include <mshadow/packet/baseline.inc>

#include "divisor_cases.inc"
}  // namespace baseline

#if MSHADOW_HAS_AVX2
#include <mshadow/packet/begin_avx2.inc>
namespace avx2 {
#include <mshadow/packet/avx2.inc>

#include "divisor_cases.inc"
}  // namespace avx2
#include <mshadow/packet/end_isa.inc>
#endif

#if MSHADOW_HAS_AVX512
#include <mshadow/packet/begin_avx512.inc>
namespace avx512 {
#include <mshadow/packet/avx512.inc>

#include "divisor_cases.inc"
}  // namespace avx512
#include <mshadow/packet/end_isa.inc>
#endif

constexpr int kBlock = 64;  ///< numbers of one kind side by side: packets of nothing else

template <typename T>
class Numbers {
 public:
  using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  static constexpr int kDigits = std::numeric_limits<T>::digits;

  /// Any digits, times a power of two below 2^exponents and above 2^-exponents.
  T Sized(int exponents) {
    const T digits =
        1 + static_cast<T>(random_() >> (64 - kDigits + 1)) / std::ldexp(T(1), kDigits - 1);
    const int power = static_cast<int>(random_() % (2 * exponents - 1)) - exponents + 1;
    return std::ldexp(random_() % 3 == 0 ? -digits : digits, power);
  }

  /// All ones, all zeros but the last digits, or any digits.
  T Divisor() {
    const Bits last = static_cast<Bits>(random_() % 64);
    const T low = 1 + static_cast<T>(last) * std::numeric_limits<T>::epsilon();
    const T high = 2 - static_cast<T>(last + 1) * std::numeric_limits<T>::epsilon();
    switch (random_() % 4) {
      case 0:
        return low;
      case 1:
        return high;
      case 2:
        return Sized(std::numeric_limits<T>::max_exponent);
      default:
        return std::fabs(Sized(30));
    }
  }

  /// The number nearest to (q + half a unit) b for some q in [1, 2), or one beside it.
  T BesideMidpoint(T b) {
    const long double unit = std::numeric_limits<T>::epsilon();
    const long double q = 1 + static_cast<long double>(random_() >> (64 - kDigits + 1)) * unit;
    const T nearest = static_cast<T>((q + unit / 2) * b);
    const int direction = static_cast<int>(random_() % 3) - 1;
    return direction == 0 ? nearest
                          : std::nextafter(nearest, static_cast<T>(direction) * T(HUGE_VAL));
  }

  /// Blocks of numbers for one divisor.
  std::vector<T> Dividends(T b) {
    std::vector<T> a;
    const auto block = [&](auto next) {
      for (int i = 0; i < kBlock; ++i) a.push_back(next(i));
    };
    block([&](int) { return Sized(2); });
    block([&](int) { return BesideMidpoint(b); });
    block([&](int) { return Sized(std::numeric_limits<T>::max_exponent); });
    block([&](int) { return Sized(std::numeric_limits<T>::max_exponent / 2); });
    block([&](int i) { return i % 3 == 0 ? Sized(2) : i % 3 == 1 ? T(0) : -T(0); });
    block([&](int i) {
      return i % 16 == 5 ? std::ldexp(Sized(60), 60 - std::numeric_limits<T>::max_exponent)
                         : Sized(2);
    });
    for (const T special : Specials<T>()) a.push_back(special);
    return a;
  }

 private:
  std::mt19937_64 random_{11};
};

template <typename T, typename Run>
void Check(Run run) {
  Numbers<T> numbers;
  std::vector<T> divisors = Specials<T>();
  for (int i = 0; i < 4000; ++i) divisors.push_back(numbers.Divisor());
  for (const T b : divisors) {
    const std::vector<T> a = numbers.Dividends(b), quotients = run(a, b);
    for (size_t i = 0; i < a.size(); ++i) {
      const T got = Canonical(quotients[i]), want = Canonical(a[i] / b);
      ASSERT_EQ(std::memcmp(&got, &want, sizeof(T)), 0)
          << std::hexfloat << a[i] << " / " << b << " is " << want << ", not " << got;
    }
  }
}

#define CHECK_REGION(region, T) \
  Check<T>([](const auto &a, T b) { return region::RunDivisor(a, b); })

TEST(Divisor, Baseline) {
  CHECK_REGION(baseline, float);
  CHECK_REGION(baseline, double);
}

#if MSHADOW_HAS_AVX2
TEST(Divisor, Avx2) {
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) {
    GTEST_SKIP() << "this CPU has no AVX2 and FMA";
  }
  CHECK_REGION(avx2, float);
  CHECK_REGION(avx2, double);
}
#endif

#if MSHADOW_HAS_AVX512
TEST(Divisor, Avx512) {
  if (!__builtin_cpu_supports("avx512bw") || !__builtin_cpu_supports("avx512vl") ||
      !__builtin_cpu_supports("avx512dq")) {
    GTEST_SKIP() << "this CPU has no AVX-512 (F, BW, VL, DQ)";
  }
  CHECK_REGION(avx512, float);
  CHECK_REGION(avx512, double);
}
#endif

}  // namespace
}  // namespace packet_test
