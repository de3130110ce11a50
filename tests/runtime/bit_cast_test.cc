// SPDX-License-Identifier: Apache-2.0
// bit_cast: the same bits, whatever they mean, of every pair of types of one size.
#include <mshadow/kernel.h>

#include <cstring>
#include <limits>
#include <vector>

#include "testing.h"

namespace {

using namespace mshadow;
using namespace mshadow::expr;

/// Bit patterns of all kinds: zeros, subnormal numbers, infinities, NaNs, and many others.
template <typename T>
std::vector<T> Patterns() {
  std::vector<T> patterns;
  uint64_t state = 1;
  for (int i = 0; i < 3000; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const uint64_t bits = i < 1000 ? state >> 3 : (state >> 40) << (i % 48);
    T value;
    std::memcpy(&value, &bits, sizeof value);
    patterns.push_back(value);
  }
  return patterns;
}

template <typename To, typename From>
void ExpectSameBits() {
  std::vector<From> values = Patterns<From>();
  const Shape<2> shape = Shape2(30, static_cast<index_t>(values.size() / 30));
  TensorContainer<cpu, 2, To> out(shape);
  const Tensor<cpu, 2, From> in(values.data(), shape);
  out = bit_cast<To>(in);
  for (index_t y = 0; y < shape[0]; ++y) {
    for (index_t x = 0; x < shape[1]; ++x) {
      ASSERT_EQ(std::memcmp(&out[y][x], &in[y][x], sizeof(To)), 0) << y << ' ' << x;
    }
  }
}
TEST(BitCast, KeepsAllBits) {
  ExpectSameBits<int16_t, half::half_t>();
  ExpectSameBits<half::half_t, int16_t>();
  ExpectSameBits<uint16_t, bfloat::bf16_t>();
  ExpectSameBits<bfloat::bf16_t, half::half_t>();
  ExpectSameBits<int32_t, float>();
  ExpectSameBits<float, int32_t>();
  ExpectSameBits<int64_t, double>();
  ExpectSameBits<double, int64_t>();
  ExpectSameBits<uint8_t, int8_t>();
}

TEST(BitCast, IsAnOperandAsAnyOther) {
  TensorContainer<cpu, 1> in(Shape1(3));
  in[0] = 1.0f, in[1] = 0.0f, in[2] = -std::numeric_limits<float>::infinity();
  TensorContainer<cpu, 1, int32_t> bits(Shape1(3));
  bits = bit_cast<int32_t>(in + in) - 1;
  EXPECT_EQ(bits[0], 0x3fffffff);
  EXPECT_EQ(bits[1], -1);
  EXPECT_EQ(bits[2], static_cast<int32_t>(0xff7fffff));
  bits = bit_cast<int32_t>(scalar(1.0f));
  EXPECT_EQ(bits[2], 0x3f800000);
  TensorContainer<cpu, 2> twice(Shape2(2, 3));
  twice = bit_cast<float>(broadcast<1>(bits, twice.shape_));
  EXPECT_EQ(twice[1][2], 1.0f);
}

TEST(BitCast, TakesOneShape) {
  TensorContainer<cpu, 1> in(Shape1(3));
  TensorContainer<cpu, 1, int32_t> out(Shape1(4));
  EXPECT_THROW(out = bit_cast<int32_t>(in), Error);
}

}  // namespace
