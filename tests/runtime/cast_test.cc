// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <mshadow/detail/cast.h>

#include <cmath>
#include <limits>

namespace {
using namespace mshadow;
using half::half_t;

template <typename U, typename F>
void CheckEdges() {
  using L = std::numeric_limits<U>;
  const F end = std::ldexp(F{1}, L::digits);
  EXPECT_EQ(ScalarCast<U>(end), L::max());
  EXPECT_EQ(ScalarCast<U>(std::numeric_limits<F>::infinity()), L::max());
  EXPECT_EQ(ScalarCast<U>(-std::numeric_limits<F>::infinity()), L::min());
  EXPECT_EQ(ScalarCast<U>(std::numeric_limits<F>::quiet_NaN()), U{0});
  const F below = std::nextafter(end, F{0});
  EXPECT_EQ(ScalarCast<U>(below), static_cast<U>(below));
  if (L::is_signed) {
    EXPECT_EQ(ScalarCast<U>(-end), L::min());
    EXPECT_EQ(ScalarCast<U>(std::nextafter(-end, F{0})),
              static_cast<U>(std::nextafter(-end, F{0})));
    EXPECT_EQ(ScalarCast<U>(F(-2.5)), static_cast<U>(-2));
  } else {
    EXPECT_EQ(ScalarCast<U>(F(-2.5)), U{0});
  }
  EXPECT_EQ(ScalarCast<U>(F(-0.75)), U{0});
  EXPECT_EQ(ScalarCast<U>(F(2.75)), U{2});
}

TEST(ScalarCast, FloatToIntegerSaturates) {
  CheckEdges<int8_t, float>();
  CheckEdges<uint8_t, float>();
  CheckEdges<int32_t, float>();
  CheckEdges<int64_t, float>();
  CheckEdges<int8_t, double>();
  CheckEdges<uint8_t, double>();
  CheckEdges<int32_t, double>();
  CheckEdges<int64_t, double>();
  EXPECT_EQ(ScalarCast<int8_t>(half_t(1000.0f)), 127);
  EXPECT_EQ(ScalarCast<uint8_t>(bfloat::bf16_t(-3.0f)), 0);
}

TEST(ScalarCast, IntegersWrap) {
  EXPECT_EQ(ScalarCast<int8_t>(int32_t{200}), -56);
  EXPECT_EQ(ScalarCast<uint8_t>(int64_t{-1}), 255);
  EXPECT_EQ(ScalarCast<int32_t>((int64_t{1} << 32) + 5), 5);
}

TEST(ScalarCast, ToBoolComparesWithZero) {
  EXPECT_TRUE(ScalarCast<bool>(0.25f));
  EXPECT_FALSE(ScalarCast<bool>(-0.0));
  EXPECT_TRUE(ScalarCast<bool>(std::nan("")));
  EXPECT_TRUE(ScalarCast<bool>(int64_t{1} << 40));
  EXPECT_FALSE(ScalarCast<bool>(half_t(0.0f)));
  EXPECT_EQ(ScalarCast<float>(true), 1.0f);
  EXPECT_EQ(float(ScalarCast<half_t>(true)), 1.0f);
}

TEST(ScalarCast, ToNarrowFloatsRoundsOnce) {
  // 2049 + 2^-20 as a double: in float it is 2049, a tie that goes to 2048; rounded once it is
  // 2050.
  EXPECT_EQ(float(ScalarCast<half_t>(2049.0 + 0x1p-20)), 2050.0f);
  EXPECT_EQ(float(ScalarCast<half_t>(2049.0f)), 2048.0f);
  EXPECT_EQ(float(ScalarCast<half_t>(int64_t{100000})), std::numeric_limits<float>::infinity());
}

TEST(ScalarCast, IsTheIdentityOnItsOwnType) {
  EXPECT_EQ(ScalarCast<half_t>(half_t::Binary(0x7c01)).Binary(), 0x7c01);
  EXPECT_EQ(ScalarCast<int64_t>(std::numeric_limits<int64_t>::min()),
            std::numeric_limits<int64_t>::min());
}

}  // namespace
