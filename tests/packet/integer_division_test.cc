// SPDX-License-Identifier: Apache-2.0
// Quotients and remainders of integers, bit for bit those of the scalar region, which divides: of
// multiples of the divisor and of their neighbours, where a product with a reciprocal that is too
// small or too large is cut off to the wrong integer.
#define MSHADOW_TEST_CASES "integer_division_cases.inc"
#define MSHADOW_TEST_SUITE IntegerDivision
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <type_traits>

#include "samples.h"

namespace packet_test {

/// Divisors, and numbers that are hard to divide by them; the same in every run.
template <typename T>
class HardDividends {
 public:
  std::vector<T> Divisors() const {
    std::vector<T> divisors = Specials<T>();
    for (const int b : {5, 6, 9, 10, 11, 12, 60, 99}) divisors.push_back(static_cast<T>(b));
    for (const T b : Randoms<T>(200)) {
      divisors.push_back(b);
      divisors.push_back(static_cast<T>(b >> (4 * sizeof(T))));
    }
    return divisors;
  }

  /// Multiples of b and their neighbours: those for which floats are wide enough, so that whole
  /// packets take that path, then up to the largest number; then any numbers.
  std::vector<T> Of(T b) const {
    std::vector<T> dividends;
    if constexpr (sizeof(T) == 4) AddShort(b, &dividends);
    const T most = b == 0 ? T(0) : static_cast<T>(std::numeric_limits<T>::max() / b);
    for (const T random : Randoms<T>(40)) {
      for (const T factor : {random, static_cast<T>(most - random % 8)}) {
        const auto multiple = static_cast<T>(uint64_t(factor) * uint64_t(b));
        for (const uint64_t beside : {~uint64_t{0}, uint64_t{0}, uint64_t{1}}) {
          dividends.push_back(static_cast<T>(uint64_t(multiple) + beside));
        }
      }
    }
    for (const T any : Specials<T>()) dividends.push_back(any);
    return dividends;
  }

 private:
  static void AddShort(T b, std::vector<T> *dividends) {
    constexpr int64_t kEnd = 1 << 21;
    const int64_t size = std::abs(int64_t(b)), most = size == 0 ? 0 : (kEnd - 2) / size;
    for (const T random : Randoms<T>(96)) {
      const int64_t multiple = static_cast<int64_t>(uint64_t(random) % (most + 1)) * size;
      const int64_t sign = random % 2 == 0 || !std::is_signed_v<T> ? 1 : -1;
      const int64_t least = std::is_signed_v<T> ? -kEnd : 0;
      for (const int64_t beside : {-1, 0, 1}) {
        dividends->push_back(static_cast<T>(std::max(least, sign * multiple + beside)));
      }
    }
    for (int i = 0; i < 64; ++i) dividends->push_back(static_cast<T>(kEnd - 1));
    for (int i = 0; i < 64; ++i) dividends->push_back(static_cast<T>(-kEnd));
  }
};

}  // namespace packet_test

#include "regions.inc"
