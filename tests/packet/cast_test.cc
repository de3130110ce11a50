// SPDX-License-Identifier: Apache-2.0
// Casts of the vector regions, bit for bit against the scalar region, and of the scalar region
// against ScalarCast and against the contract.
#define MSHADOW_TEST_CASES "cast_cases.inc"
#define MSHADOW_TEST_SUITE Casts
#include <mshadow/detail/cast.h>

#include <memory>

#include "regions.inc"

namespace packet_test {
namespace {

using mshadow::packet::scalar::Vec;

template <typename U, typename T>
U Scalar(T value) {
  return Lane(mshadow::packet::scalar::Cast<U>(Vec<T, 1>(value)), 0);
}

template <typename T, typename U>
void ExpectScalarCast() {
  for (const T value : Samples<T>()) {
    const U want = Canonical(mshadow::ScalarCast<U>(value)), got = Canonical(Scalar<U>(value));
    ASSERT_EQ(std::memcmp(&want, &got, sizeof(U)), 0)
        << "of " << static_cast<double>(value) << ": ScalarCast gives " << static_cast<double>(want)
        << ", Cast gives " << static_cast<double>(got);
  }
}

template <typename T, typename... U>
void ExpectScalarCasts() {
  (ExpectScalarCast<T, U>(), ...);
}
template <typename... T>
void ExpectAllScalarCasts() {
  (ExpectScalarCasts<T, T...>(), ...);
}

TEST(ScalarCasts, AreTheRuntimesCasts) {
  ExpectAllScalarCasts<float, double, half_t, bf16_t, int8_t, uint8_t, int16_t, uint16_t, int32_t,
                       uint32_t, int64_t, uint64_t>();
}

TEST(ScalarCasts, FloatToIntegerTruncatesAndSaturates) {
  EXPECT_EQ(Scalar<int8_t>(-1.9f), -1);
  EXPECT_EQ(Scalar<int8_t>(200.0f), 127);
  EXPECT_EQ(Scalar<int8_t>(-200.0f), -128);
  EXPECT_EQ(Scalar<uint8_t>(-0.5f), 0);
  EXPECT_EQ(Scalar<uint8_t>(255.9f), 255);
  EXPECT_EQ(Scalar<int32_t>(0x1p31f), INT32_MAX);
  EXPECT_EQ(Scalar<int32_t>(-0x1p31f), INT32_MIN);
  EXPECT_EQ(Scalar<int32_t>(NAN), 0);
  EXPECT_EQ(Scalar<int64_t>(INFINITY), INT64_MAX);
  EXPECT_EQ(Scalar<uint64_t>(0x1p64), UINT64_MAX);
  EXPECT_EQ(Scalar<uint64_t>(-INFINITY), 0u);
  EXPECT_EQ(Scalar<int32_t>(half_t(INFINITY)), INT32_MAX);
}

TEST(ScalarCasts, NarrowFloatsRoundOnce) {
  // Just above and at the middle of two values of binary16: float would lose the difference.
  EXPECT_EQ(Scalar<half_t>(1 + 0x1p-11 + 0x1p-40).Binary(), 0x3c01);
  EXPECT_EQ(Scalar<half_t>(1 + 0x1p-11).Binary(), 0x3c00);
  EXPECT_EQ(Scalar<bf16_t>(int64_t{0x4040000000000001}).Binary(), 0x5e81);
  EXPECT_EQ(Scalar<bf16_t>(int64_t{-0x4040000000000001}).Binary(), 0xde81);
  EXPECT_EQ(Scalar<bf16_t>(int64_t{0x4040000000000000}).Binary(), 0x5e80);
  EXPECT_EQ(Scalar<bf16_t>(UINT64_MAX).Binary(), 0x5f80);
  EXPECT_EQ(Scalar<bf16_t>(int32_t{0x01010001}).Binary(), 0x4b81);
}

TEST(ScalarCasts, IntegersWrapAndTruthIsNotZero) {
  EXPECT_EQ(Scalar<int8_t>(300), 44);
  EXPECT_EQ(Scalar<uint16_t>(-1), 65535);
  EXPECT_TRUE(mshadow::packet::scalar::Cast<bool>(Vec<float, 1>(NAN)).v);
  EXPECT_FALSE(mshadow::packet::scalar::Cast<bool>(Vec<float, 1>(-0.0f)).v);
}

}  // namespace
}  // namespace packet_test
