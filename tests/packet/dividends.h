// SPDX-License-Identifier: Apache-2.0
/// \file dividends.h
/// Divisors, and numbers that are hard to divide by them; the same in every run.
#ifndef MSHADOW_TESTS_PACKET_DIVIDENDS_H_
#define MSHADOW_TESTS_PACKET_DIVIDENDS_H_

#include <cmath>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include "samples.h"

namespace packet_test {

inline constexpr int kBlock = 64;  ///< numbers of one kind side by side: packets of nothing else

template <typename T>
class Dividends {
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

  /// Special ones, then some thousand of all kinds.
  std::vector<T> Divisors() {
    std::vector<T> divisors = Specials<T>();
    for (int i = 0; i < 4000; ++i) divisors.push_back(Divisor());
    return divisors;
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
  std::vector<T> Of(T b) {
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

}  // namespace packet_test

#endif  // MSHADOW_TESTS_PACKET_DIVIDENDS_H_
