// SPDX-License-Identifier: Apache-2.0
/// \file samples.h
/// Values worth trying: special ones of every type, and random ones, the same in every run.
#ifndef MSHADOW_TESTS_PACKET_SAMPLES_H_
#define MSHADOW_TESTS_PACKET_SAMPLES_H_

#include <mshadow/bfloat.h>
#include <mshadow/half.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

namespace packet_test {

using mshadow::bfloat::bf16_t;
using mshadow::half::half_t;

/// Zeros, edges of formats, of rounding and of integers, and what elementary functions find hard.
// clang-format off
inline constexpr double kSpecialSizes[] = {
    0, 0.3, 0.5, 1, 1.5, 2, 2.5, 3, 5.5,
    // Edges of binary16, bfloat16, float, double: rounding, subnormals, overflow.
    0x1p-24, 0x1p-25, 0x1.8p-25, 0x1p-14, 0x1.ffcp-15, 65504, 65519, 65520, 65536,
    0x1p-126, 0x1p-133, 0x1p-134, 0x1.fcp-127, 0x1p-149, 0x1.8p-149, 0x1p-1022, 0x1p-1074,
    0x1.fep127, 0x1.ffp127, 0x1.fffffep127, 0x1p128, 0x1.fffffffffffffp1023,
    0x1.01p0, 0x1.008p0, 0x1.018p0, 0x1.001p0, 0x1.0010000000001p0,
    // Edges of integers, and of the integers that floats hold.
    127, 127.5, 128, 255, 255.5, 256, 32767, 32768, 65535, 2147483520, 2147483647, 0x1p31,
    4294967040, 0x1p32, 0x1.fffffffffffffp62, 0x1p63, 0x1p64,
    0x1p22 + 0.5, 0x1p23, 0x1.000002p23, 0x1p24, 0x1.000002p24, 0x1p51 + 0.5, 0x1p52, 0x1p53,
    // Ends of exponentials.
    88.72, 103.9, 709.78, 745.1};
// clang-format on

inline std::vector<double> SpecialNumbers() {
  std::vector<double> values = {std::numeric_limits<double>::quiet_NaN(),
                                std::numeric_limits<double>::infinity(),
                                -std::numeric_limits<double>::infinity()};
  for (const double size : kSpecialSizes) {
    values.push_back(size);
    values.push_back(-size);
  }
  return values;
}

template <typename T>
inline constexpr bool kIsInteger = std::is_integral<T>::value;

template <typename T>
std::vector<T> Specials() {
  if constexpr (kIsInteger<T>) {
    const T max = std::numeric_limits<T>::max(), min = std::numeric_limits<T>::min();
    std::vector<T> values = {0, 1, 2, 3, 7, 8, 31, 32, 63, 64, 100, max, min};
    for (const T value : std::vector<T>(values)) {
      values.push_back(static_cast<T>(0 - static_cast<uint64_t>(value)));
      values.push_back(static_cast<T>(static_cast<uint64_t>(value) + 1));
    }
    for (unsigned shift = 8; shift < 8 * sizeof(T); ++shift) {
      const uint64_t power = uint64_t{1} << shift;
      for (const uint64_t value : {power - 1, power, power + 1}) {
        values.push_back(static_cast<T>(value));
        values.push_back(static_cast<T>(0 - value));
      }
    }
    return values;
  } else {
    std::vector<T> values;
    for (const double value : SpecialNumbers()) values.push_back(T(value));
    return values;
  }
}

/// Random bits, and for floats numbers of moderate size.
template <typename T>
std::vector<T> Randoms(size_t count) {
  std::mt19937_64 random(sizeof(T) + 10 * kIsInteger<T>);
  std::vector<T> values;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t bits = random();
    T value;
    std::memcpy(static_cast<void *>(&value), &bits, sizeof(T));
    if (!kIsInteger<T> && i % 2 == 1) {
      value = T(static_cast<double>(static_cast<int64_t>(bits)) * 0x1p-60);
    }
    values.push_back(value);
  }
  return values;
}

template <typename T>
std::vector<T> Samples(size_t randoms = 500) {
  std::vector<T> values = Specials<T>();
  for (const T value : Randoms<T>(randoms)) values.push_back(value);
  return values;
}

/// Two operands: every pair of special values, then random ones.
template <typename T>
struct Pairs {
  std::vector<T> a, b;

  Pairs() {
    const std::vector<T> specials = Specials<T>(), randoms = Randoms<T>(1001);
    for (const T x : specials) {
      for (const T y : specials) {
        a.push_back(x);
        b.push_back(y);
      }
    }
    for (size_t i = 0; i + 1 < randoms.size(); ++i) {
      a.push_back(randoms[i]);
      b.push_back(randoms[i + 1]);
    }
  }
};

}  // namespace packet_test

#endif  // MSHADOW_TESTS_PACKET_SAMPLES_H_
