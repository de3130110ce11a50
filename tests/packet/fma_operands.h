// SPDX-License-Identifier: Apache-2.0
/// \file fma_operands.h
/// Operands of a b + c: special ones, sums that are halfway between two numbers or nearly so, that
/// cancel, overflow, or are subnormal.
#ifndef MSHADOW_TESTS_PACKET_FMA_OPERANDS_H_
#define MSHADOW_TESTS_PACKET_FMA_OPERANDS_H_

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "samples.h"

namespace packet_test {

template <typename T>
struct Triples {
  std::vector<T> a, b, c;

  static const Triples &All() {
    static const Triples triples;
    return triples;
  }

 private:
  static constexpr int kDigits = std::numeric_limits<T>::digits;
  std::mt19937_64 random_{3};

  Triples() {
    const std::vector<T> specials = {T(0),
                                     T(-0.0),
                                     T(1),
                                     T(-1),
                                     T(INFINITY),
                                     T(-INFINITY),
                                     T(NAN),
                                     T(3),
                                     std::numeric_limits<T>::max(),
                                     std::numeric_limits<T>::min(),
                                     -std::numeric_limits<T>::denorm_min()};
    for (const T x : specials) {
      for (const T y : specials) {
        for (const T z : specials) Add(x, y, z);
      }
    }
    for (int i = 0; i < 200000; ++i) AddHard();
  }

  void Add(T x, T y, T z) {
    a.push_back(x);
    b.push_back(y);
    c.push_back(z);
  }

  /// Few digits make sums that are exact, or halfway between two numbers.
  T Number(int low, int high) {
    const int digits = 1 + static_cast<int>(random_() % kDigits);
    const T mantissa = T(1) + std::ldexp(static_cast<T>(random_() >> (64 - digits)), -digits);
    const int span = high - low + 1;
    return std::ldexp(random_() % 2 == 0 ? mantissa : -mantissa,
                      low + static_cast<int>(random_() % static_cast<unsigned>(span)));
  }

  void AddHard() {
    constexpr int kLeast = std::numeric_limits<T>::min_exponent - kDigits;
    constexpr int kMost = std::numeric_limits<T>::max_exponent;
    const bool anywhere = random_() % 4 == 0;
    const T x = anywhere ? Number(kLeast, kMost - 1) : Number(-3, 3);
    const T y = anywhere ? Number(kLeast, kMost - 1) : Number(-3, 3);
    const T product = x * y;
    const int place = product == 0 || std::isinf(product) ? kLeast : std::ilogb(product);
    switch (random_() % 5) {
      case 0:  // nearly cancels
        return Add(x, y, -product);
      case 1:
        return Add(x, y, std::nextafter(-product, T(random_() % 2)));
      case 2:  // one of them barely reaches the other's last place
        return Add(x, y, Number(place + kDigits - 2, place + kDigits + 2));
      case 3:
        return Add(x, y, Number(place - kDigits - 2, place - kDigits + 2));
      default:
        return Add(x, y, Number(place - 3, place + 3));
    }
  }
};

}  // namespace packet_test

#endif  // MSHADOW_TESTS_PACKET_FMA_OPERANDS_H_
