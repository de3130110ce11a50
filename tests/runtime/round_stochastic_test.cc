// SPDX-License-Identifier: Apache-2.0
// round_stochastic: which two numbers it chooses from, with which probabilities, and special
// values.
#include <mshadow/kernel.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "testing.h"

namespace {

using namespace mshadow;
using namespace mshadow::expr;

template <typename DType>
std::vector<double> Rounded(const std::vector<float> &values, const std::vector<float> &uniform) {
  const Shape<1> shape = Shape1(static_cast<index_t>(values.size()));
  TensorContainer<cpu, 1, float> in(shape), u(shape);
  TensorContainer<cpu, 1, DType> out(shape);
  for (index_t i = 0; i < shape[0]; ++i) {
    in[i] = values[static_cast<size_t>(i)];
    u[i] = uniform[static_cast<size_t>(i)];
  }
  out = round_stochastic<DType>(in, u);
  std::vector<double> result;
  for (index_t i = 0; i < shape[0]; ++i) result.push_back(static_cast<double>(out[i]));
  return result;
}

template <typename DType>
double RoundOne(float value, float u) {
  return Rounded<DType>({value}, {u})[0];
}

/// The distance of neighbouring numbers at x.
double StepAt(double x, int digits, int min_exponent) {
  const int exponent = x == 0 ? min_exponent : std::max(std::ilogb(x), min_exponent);
  return std::ldexp(1, exponent - digits + 1);
}

const float kBelowOne = std::nextafter(1.0f, 0.0f);

/// All numbers of the type stay as they are, whatever is drawn.
template <typename Narrow>
void ExpectNumbersStay() {
  for (int bits = 0; bits < 0x10000; ++bits) {
    const auto number = static_cast<float>(Narrow::Binary(static_cast<uint16_t>(bits)));
    if (std::isnan(number)) continue;
    for (const float u : {0.0f, 0.3f, kBelowOne}) {
      const auto rounded = static_cast<float>(RoundOne<Narrow>(number, u));
      ASSERT_EQ(std::memcmp(&rounded, &number, sizeof number), 0) << number << ' ' << u;
    }
  }
}
TEST(RoundStochastic, LeavesNumbersOfTheType) {
  ExpectNumbersStay<half::half_t>();
  ExpectNumbersStay<bfloat::bf16_t>();
  for (int n = -128; n < 128; ++n) {
    EXPECT_EQ(RoundOne<int8_t>(static_cast<float>(n), 0), n);
    EXPECT_EQ(RoundOne<int8_t>(static_cast<float>(n), kBelowOne), n);
  }
}

/// Floats of all magnitudes: the number away from 0 where u is below the distance.
template <typename DType>
void ExpectNeighbours(int digits, int min_exponent, double largest) {
  uint64_t state = 1;
  for (int i = 0; i < 200000; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const auto bits = static_cast<uint32_t>(state >> 32);
    float x;
    std::memcpy(&x, &bits, sizeof x);
    const float u = std::ldexp(static_cast<float>((state >> 8) & 0xffffffu), -24);
    if (!std::isfinite(x) || std::abs(x) > largest) continue;
    const double step = digits == 0 ? 1 : StepAt(x, digits, min_exponent);
    const double steps = std::abs(static_cast<double>(x)) / step, whole = std::trunc(steps);
    const double want = std::copysign((whole + (u < steps - whole ? 1 : 0)) * step, x);
    ASSERT_EQ(RoundOne<DType>(x, u), want) << x << ' ' << u;
  }
}
TEST(RoundStochastic, ChoosesByTheDistance) {
  ExpectNeighbours<half::half_t>(11, -14, 65504);
  ExpectNeighbours<bfloat::bf16_t>(8, -126, 0x1.fep127);
  ExpectNeighbours<int8_t>(0, 0, 127);
  ExpectNeighbours<int32_t>(0, 0, 1 << 30);
}

/// The mean of many results is the number, within 5 standard deviations of the mean.
template <typename DType>
void ExpectUnbiased(float value, double step) {
  constexpr index_t kDraws = 1 << 16;
  TensorContainer<cpu, 1, float> in(Shape1(kDraws), value);
  TensorContainer<cpu, 1, DType> out(in.shape_);
  out = round_stochastic<DType>(in, random_uniform<float>(in.shape_, 3, 4));
  double sum = 0;
  for (index_t i = 0; i < kDraws; ++i) sum += static_cast<double>(out[i]) - value;
  const double steps = std::abs(static_cast<double>(value)) / step;
  const double share = steps - std::trunc(steps);
  EXPECT_LT(std::abs(sum) / step, 5 * std::sqrt(kDraws * share * (1 - share)) + 1e-9) << value;
}
TEST(RoundStochastic, IsUnbiased) {
  for (const float value : {1.001f, -3.14159f, 1234.5f, 6.2e-5f, 1e-6f, -3.3e-8f}) {
    ExpectUnbiased<half::half_t>(value, StepAt(value, 11, -14));
  }
  for (const float value : {1.001f, -3.14159f, 1e30f, 1e-30f, 1e-39f, -3e-41f}) {
    ExpectUnbiased<bfloat::bf16_t>(value, StepAt(value, 8, -126));
  }
  for (const float value : {0.1f, -0.9f, 99.5f, -100.25f, 1e-3f}) ExpectUnbiased<int8_t>(value, 1);
}

TEST(RoundStochastic, SpecialValues) {
  const float inf = INFINITY, nan = std::nanf("");
  for (const float u : {0.0f, 0.5f, kBelowOne}) {
    EXPECT_EQ(RoundOne<half::half_t>(inf, u), inf);
    EXPECT_EQ(RoundOne<half::half_t>(-inf, u), -inf);
    EXPECT_TRUE(std::isnan(RoundOne<half::half_t>(nan, u)));
    EXPECT_EQ(RoundOne<bfloat::bf16_t>(inf, u), inf);
    EXPECT_EQ(RoundOne<bfloat::bf16_t>(-inf, u), -inf);
    EXPECT_TRUE(std::isnan(RoundOne<bfloat::bf16_t>(nan, u)));
    EXPECT_EQ(RoundOne<int8_t>(inf, u), 127);
    EXPECT_EQ(RoundOne<int8_t>(-inf, u), -128);
    EXPECT_EQ(RoundOne<int8_t>(nan, u), 0);
    EXPECT_EQ(RoundOne<int8_t>(1e30f, u), 127);
    EXPECT_EQ(RoundOne<uint8_t>(-0.5f, u), 0);
    EXPECT_EQ(RoundOne<half::half_t>(1e30f, u), inf);
    EXPECT_EQ(RoundOne<float>(0.1f, u), 0.1f);
    EXPECT_TRUE(std::signbit(RoundOne<half::half_t>(-0.0f, u)));
    EXPECT_TRUE(std::signbit(RoundOne<bfloat::bf16_t>(-0.0f, u)));
  }
  // Between the largest number and where the next one would be.
  EXPECT_EQ(RoundOne<half::half_t>(65528, 0.8f), 65504);
  EXPECT_EQ(RoundOne<half::half_t>(65528, 0.7f), inf);
  EXPECT_EQ(RoundOne<bfloat::bf16_t>(3.4e38f, 0.9f), 0x1.fep127);
  EXPECT_EQ(RoundOne<bfloat::bf16_t>(3.4e38f, 0.1f), inf);
  EXPECT_EQ(RoundOne<int8_t>(127.5f, 0.1f), 127);
  // A u that is no uniform number chooses one of the two as well.
  for (const float u : {1.0f, -1.0f, 1e30f, -inf, inf, nan}) {
    const double rounded = RoundOne<bfloat::bf16_t>(1.001f, u);
    EXPECT_TRUE(rounded == 1 || rounded == 1.0078125) << u;
  }
}

}  // namespace
