// SPDX-License-Identifier: Apache-2.0
// Conversions of the 16-bit floats: all their values, and floats and doubles around every value and
// every middle between two, against rounding by arithmetic in double.
#include <gtest/gtest.h>
#include <mshadow/bfloat.h>
#include <mshadow/half.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>

namespace {

using mshadow::bfloat::bf16_t;
using mshadow::half::half_t;

template <typename T>
struct Format;
template <>
struct Format<half_t> {
  static constexpr int kDigits = 11, kMinExponent = -14;
  static constexpr double kMax = 65504;
};
template <>
struct Format<bf16_t> {
  static constexpr int kDigits = 8, kMinExponent = -126;
  static constexpr double kMax = 0x1.fep127;
};

/// Rounded to nearest even by the format's definition.
template <typename T>
double Rounded(double value) {
  if (!std::isfinite(value) || value == 0) return value;
  int exponent;
  std::frexp(value, &exponent);
  const int place = std::max(exponent - 1, Format<T>::kMinExponent) - (Format<T>::kDigits - 1);
  const double rounded = std::ldexp(std::nearbyint(std::ldexp(value, -place)), place);
  return std::fabs(rounded) > Format<T>::kMax ? std::copysign(INFINITY, value) : rounded;
}

template <typename T>
void ExpectRounded(double value) {
  const double got = static_cast<float>(T(value)), want = Rounded<T>(value);
  ASSERT_TRUE(got == want && std::signbit(got) == std::signbit(want))
      << value << " becomes " << got << ", not " << want;
}

template <typename T>
class NarrowFloat : public testing::Test {};
using NarrowFloats = testing::Types<half_t, bf16_t>;
TYPED_TEST_SUITE(NarrowFloat, NarrowFloats);

TYPED_TEST(NarrowFloat, AllValuesSurviveFloat) {
  for (unsigned bits = 0; bits < 65536; ++bits) {
    const TypeParam value = TypeParam::Binary(static_cast<unsigned short>(bits));
    const float wide = static_cast<float>(value);
    if (std::isnan(wide)) {
      EXPECT_TRUE(std::isnan(static_cast<float>(TypeParam(wide)))) << std::hex << bits;
    } else {
      EXPECT_EQ(TypeParam(wide).Binary(), bits);
      EXPECT_EQ(Rounded<TypeParam>(wide), wide);
    }
  }
}

TYPED_TEST(NarrowFloat, RoundsToNearestEven) {
  for (unsigned bits = 0; bits < 65535; ++bits) {
    const double a = static_cast<float>(TypeParam::Binary(static_cast<unsigned short>(bits)));
    const double b = static_cast<float>(TypeParam::Binary(static_cast<unsigned short>(bits + 1)));
    if (!std::isfinite(a) || !std::isfinite(b)) continue;
    const double middle = (a + b) / 2;
    for (const double value : {a, middle, std::nextafter(middle, a), std::nextafter(middle, b)}) {
      ExpectRounded<TypeParam>(value);
    }
    for (const float end : {static_cast<float>(a), static_cast<float>(b)}) {
      const float value = std::nextafter(static_cast<float>(middle), end);
      ASSERT_EQ(static_cast<float>(TypeParam(value)), Rounded<TypeParam>(value)) << value;
    }
  }
}

TYPED_TEST(NarrowFloat, RoundsEveryKindOfFloat) {
  for (uint64_t bits = 0; bits <= UINT32_MAX; bits += 4099) {
    const uint32_t low = static_cast<uint32_t>(bits);
    float value;
    std::memcpy(&value, &low, sizeof(value));
    if (!std::isnan(value)) ExpectRounded<TypeParam>(value);
  }
}

TYPED_TEST(NarrowFloat, KeepsNaNQuietAndSigned) {
  for (const uint32_t bits : {0x7f800001u, 0xff800001u, 0x7fffffffu, 0xffc00000u, 0x7fc12345u}) {
    float value;
    std::memcpy(&value, &bits, sizeof(value));
    const TypeParam narrow(value);
    const float wide = static_cast<float>(narrow);
    EXPECT_TRUE(std::isnan(wide)) << std::hex << bits;
    EXPECT_EQ(narrow.Binary() >> 15, bits >> 31);
    uint32_t back;
    std::memcpy(&back, &wide, sizeof(back));
    EXPECT_NE(back & 0x400000u, 0u) << "signalling: " << std::hex << bits;
  }
}

TYPED_TEST(NarrowFloat, MixesAsDocumented) {
  using T = TypeParam;
  static_assert(std::is_same<decltype(T() + T()), T>::value, "rounds");
  static_assert(std::is_same<decltype(T() * 2.0f), T>::value, "rounds beside a number, too");
  static_assert(std::is_same<decltype(2 - T()), T>::value, "rounds beside a number, too");
  static_assert(std::is_same<decltype(T() / 2.0), T>::value, "rounds beside a number, too");
  static_assert(std::is_same<decltype(half_t() * bf16_t()), float>::value,
                "one kind beside the other is float's");
  static_assert(std::is_convertible<float, T>::value && std::is_convertible<int64_t, T>::value,
                "every number converts");
  static_assert(sizeof(T) == 2 && std::is_trivially_copyable<T>::value, "is two bytes");
  T value(1.5f);
  value += 0.25;
  value *= T(2.0f);
  value -= 1;
  value /= 5;
  EXPECT_EQ(static_cast<float>(value), 0.5f);
  value = 3;
  const T from_double = 1 + 0x1p-11 + 0x1p-40, list[] = {1.5f, 2, 0.25};
  const float up = sizeof(T) == 2 && T::Binary(0x3c00) == T(1) ? 1 + 0x1p-10f : 1.0f;  // of half_t
  EXPECT_EQ(static_cast<float>(from_double), up);
  EXPECT_EQ(static_cast<float>(list[0] * list[1] / list[2]), 12.0f);
  EXPECT_EQ(static_cast<float>(std::max<T>(list[2], 0.5f)), 0.5f);
  EXPECT_TRUE(value == 3.0f && value > T(2.0f) && value <= 3 && -value < 0);
  static_assert(T(1).Binary() == T(1.0).Binary(), "converts in constant expressions");
}

TEST(NarrowFloat, OperationsRoundOnce) {
  EXPECT_EQ(static_cast<float>(half_t(1.0f) + half_t(0x1p-11f)), 1.0f);
  EXPECT_EQ(static_cast<float>(half_t(1.0f) + half_t(0x1.8p-11f)), 0x1.004p0f);
  EXPECT_EQ(static_cast<float>(half_t(60000.0f) + half_t(60000.0f)), INFINITY);
  EXPECT_EQ(static_cast<float>(bf16_t(256.0f) + bf16_t(1.0f)), 256.0f);
}

}  // namespace
