// SPDX-License-Identifier: Apache-2.0
/// \file values.h
/// Data for the tests that compare bits: half ordinary numbers over many magnitudes, half the cases
/// that break things (NaN, infinities, both zeros, subnormals, the edges of each type).
#ifndef MSHADOW_TESTS_EXECUTION_VALUES_H_
#define MSHADOW_TESTS_EXECUTION_VALUES_H_

#include <mshadow/tensor.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "random.h"

namespace mshadow_test {

/// kMixed: everything. kTame: moderate positive and negative numbers, for oracles that need finite
/// intermediate values.
enum class Data { kMixed, kTame };

inline double SpecialFloat(SplitMix64 *random) {
  static const double specials[] = {0.0,
                                    -0.0,
                                    1.0,
                                    -1.0,
                                    std::numeric_limits<double>::quiet_NaN(),
                                    std::numeric_limits<double>::infinity(),
                                    -std::numeric_limits<double>::infinity(),
                                    0x1p-149,    // least f32
                                    -0x1p-140,   // subnormal f32
                                    0x1p-126,    // least normal f32
                                    0x1p-24,     // least f16
                                    -0x1.8p-15,  // subnormal f16
                                    65504.0,     // greatest f16
                                    65520.0,     // rounds to infinity in f16
                                    0x1.fffffep+127,
                                    -0x1.fffffep+127,
                                    0x1p-1074,
                                    0x1.fffffffffffffp+1023,
                                    88.72,
                                    -88.73,
                                    -103.9,
                                    0.5,
                                    16777217.0,
                                    -2147483649.0};
  return specials[random->Below(sizeof(specials) / sizeof(specials[0]))];
}

inline double OrdinaryFloat(SplitMix64 *random) {
  // Exact on every machine, which a logarithmic distribution by libm's exp2 is not.
  const double magnitude = std::ldexp(1.0 + random->Unit(), random->Below(24) - 16);
  return random->Chance(50) ? magnitude : -magnitude;
}

/// One value of type T.
template <typename T>
T RandomValue(Data data, SplitMix64 *random) {
  if constexpr (std::is_same_v<T, bool>) {
    return random->Chance(50);
  } else if constexpr (std::is_integral_v<T>) {
    if (data == Data::kTame || random->Chance(50)) return static_cast<T>(random->Below(100));
    if (random->Chance(20))
      return random->Chance(50) ? std::numeric_limits<T>::max() : std::numeric_limits<T>::min();
    // Magnitudes whose products and sums do not leave the range C++ defines for int.
    return static_cast<T>(random->Below(2001) - 1000);
  } else {
    const double value =
        data == Data::kMixed && random->Chance(30) ? SpecialFloat(random) : OrdinaryFloat(random);
    if constexpr (std::is_same_v<T, double>) return value;
    return T(static_cast<float>(value));
  }
}

/// Equal bits, where every NaN is equal to every other.
template <typename T>
bool SameBits(const T &a, const T &b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (a != a || b != b) return a != a && b != b;
  } else if constexpr (!std::is_integral_v<T>) {
    const float fa = static_cast<float>(a), fb = static_cast<float>(b);
    if (fa != fa || fb != fb) return fa != fa && fb != fb;
  }
  return __builtin_memcmp(&a, &b, sizeof(T)) == 0;
}

}  // namespace mshadow_test

#endif  // MSHADOW_TESTS_EXECUTION_VALUES_H_
