// SPDX-License-Identifier: Apache-2.0
// Arithmetic of the vector regions, bit for bit against the scalar region, and of the scalar region
// against the types' own operators.
#define MSHADOW_TEST_CASES "arithmetic_cases.inc"
#define MSHADOW_TEST_SUITE Arithmetic
#include <memory>

#include "regions.inc"

namespace packet_test {
namespace {

using mshadow::packet::scalar::Vec;

template <typename T>
void ExpectOwnOperators() {
  const Pairs<T> pairs;
  for (size_t i = 0; i < pairs.a.size(); ++i) {
    const T a = pairs.a[i], b = pairs.b[i];
    const Vec<T, 1> va(a), vb(b);
    const T sums[] = {a + b, a - b, a * b, a / b, -a};
    const T packets[] = {Lane(va + vb, 0), Lane(va - vb, 0), Lane(va * vb, 0), Lane(va / vb, 0),
                         Lane(-va, 0)};
    for (int k = 0; k < 5; ++k) {
      const T want = Canonical(sums[k]), got = Canonical(packets[k]);
      ASSERT_EQ(std::memcmp(&want, &got, sizeof(T)), 0)
          << "operation " << k << " of " << static_cast<double>(a) << " and "
          << static_cast<double>(b);
    }
    ASSERT_EQ((va < vb).v, a < b);
    ASSERT_EQ((va == vb).v, a == b);
  }
}

TEST(ScalarRegion, ComputesAsTheTypesDo) {
  ExpectOwnOperators<float>();
  ExpectOwnOperators<double>();
  ExpectOwnOperators<half_t>();
  ExpectOwnOperators<bf16_t>();
}

TEST(ScalarRegion, IntegersWrap) {
  using I8 = Vec<int8_t, 1>;
  using I32 = Vec<int32_t, 1>;
  EXPECT_EQ((I32(INT32_MAX) + I32(1)).v, INT32_MIN);
  EXPECT_EQ((I32(INT32_MIN) - I32(1)).v, INT32_MAX);
  EXPECT_EQ((-I32(INT32_MIN)).v, INT32_MIN);
  EXPECT_EQ((I32(65536) * I32(65536)).v, 0);
  EXPECT_EQ((I8(-128) / I8(-1)).v, -128);
  EXPECT_EQ((I8(-128) % I8(-1)).v, 0);
  EXPECT_EQ((I8(5) / I8(0)).v, 0) << "a division that a condition guards may run on every lane";
  EXPECT_EQ((I8(5) % I8(0)).v, 0);
  EXPECT_EQ((I32(-7) / I32(2)).v, -3);
  EXPECT_EQ((I32(-7) % I32(2)).v, -1);
  EXPECT_EQ((I32(-8) >> I32(1)).v, -4);
  EXPECT_EQ((I32(1) << I32(33)).v, 2) << "shift counts are taken modulo the width";
}

TEST(ScalarRegion, RoundsToIntegers) {
  using F = Vec<float, 1>;
  EXPECT_EQ(Floor(F(-1.5f)).v, -2.0f);
  EXPECT_EQ(Ceil(F(-1.5f)).v, -1.0f);
  EXPECT_EQ(Trunc(F(-1.5f)).v, -1.0f);
  EXPECT_EQ(Round(F(-2.5f)).v, -3.0f);
  EXPECT_EQ(Round(F(0.49999997f)).v, 0.0f);
  EXPECT_EQ(Round(F(8388609.0f)).v, 8388609.0f);
  EXPECT_TRUE(std::signbit(Ceil(F(-0.5f)).v));
  EXPECT_TRUE(std::signbit(Floor(F(-0.0f)).v));
  EXPECT_TRUE(std::isnan(Floor(F(NAN)).v));
  EXPECT_EQ(Trunc(F(-INFINITY)).v, -INFINITY);
}

TEST(ScalarRegion, MinAndMaxAreSelects) {
  using F = Vec<float, 1>;
  EXPECT_EQ(Min(F(1.0f), F(NAN)).v, 1.0f);
  EXPECT_TRUE(std::isnan(Min(F(NAN), F(1.0f)).v));
  EXPECT_TRUE(std::isnan(Max(F(NAN), F(1.0f)).v));
  EXPECT_FALSE(std::signbit(Min(F(0.0f), F(-0.0f)).v));
}

}  // namespace
}  // namespace packet_test
