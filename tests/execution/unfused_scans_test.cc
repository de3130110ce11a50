// SPDX-License-Identifier: Apache-2.0
// The shipped rules that scan rows, run unfused, against their formulas in double precision.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "random.h"
#include "specs/sequence/scan.h"

namespace {

using mshadow::cpu;
using mshadow::Tensor;

constexpr int kRows = 5, kCols = 37;

/// A matrix of numbers in [low, high), as its elements hold them.
template <typename DType>
struct Matrix {
  std::vector<DType> elements = std::vector<DType>(kRows * kCols, DType(0.0f));

  Matrix() = default;
  Matrix(uint64_t seed, double low, double high) {
    mshadow_test::SplitMix64 random(seed);
    for (DType &e : elements) e = DType(static_cast<float>(low + (high - low) * random.Unit()));
  }
  Tensor<cpu, 2, DType> tensor() { return {elements.data(), mshadow::Shape2(kRows, kCols)}; }
  double at(int y, int x) const { return static_cast<float>(elements[y * kCols + x]); }
};

template <typename DType>
class UnfusedScansTest : public testing::Test {
 protected:
  /// What rounding to DType may do to numbers up to 16.
  const double tolerance_ = 16 * (sizeof(DType) == 2 ? 1.0 / 256 : 1e-6);
};
using Types = testing::Types<float, mshadow::half::half_t, mshadow::bfloat::bf16_t>;
TYPED_TEST_SUITE(UnfusedScansTest, Types);

TYPED_TEST(UnfusedScansTest, ExponentialAverage) {
  Matrix<TypeParam> in(1, -4, 4), out;
  sequence::ExponentialAverage(out.tensor(), in.tensor(), 0.75f);
  for (int y = 0; y < kRows; ++y) {
    double average = 0;
    for (int x = 0; x < kCols; ++x) {
      average = 0.75 * average + 0.25 * in.at(y, x);
      EXPECT_NEAR(out.at(y, x), average, this->tolerance_) << y << " " << x;
    }
  }
}

TYPED_TEST(UnfusedScansTest, SelectiveScan) {
  Matrix<TypeParam> in(2, -2, 2), step(3, 0, 1), b(4, -1, 1), c(5, -1, 1), out;
  Matrix<float> state;
  std::vector<float> rate = {-0.1f, -0.5f, -1, -2, -8};
  sequence::SelectiveScan(out.tensor(), state.tensor(), in.tensor(), step.tensor(), b.tensor(),
                          c.tensor(), Tensor<cpu, 1, float>(rate.data(), mshadow::Shape1(kRows)));
  for (int y = 0; y < kRows; ++y) {
    double h = 0;
    for (int x = 0; x < kCols; ++x) {
      h = std::exp(step.at(y, x) * rate[y]) * h + step.at(y, x) * b.at(y, x) * in.at(y, x);
      EXPECT_NEAR(state.at(y, x), h, 1e-5) << y << " " << x;
      EXPECT_NEAR(out.at(y, x), c.at(y, x) * h, this->tolerance_) << y << " " << x;
    }
  }
}

TYPED_TEST(UnfusedScansTest, SampleCategorical) {
  Matrix<TypeParam> logits(6, -3, 3);
  std::vector<float> uniform = {0, 0.1f, 0.5f, 0.9f, 0.999f}, sample(kRows);
  sequence::SampleCategorical(Tensor<cpu, 1, float>(sample.data(), mshadow::Shape1(kRows)),
                              logits.tensor(),
                              Tensor<cpu, 1, float>(uniform.data(), mshadow::Shape1(kRows)));
  for (int y = 0; y < kRows; ++y) {
    double total = 0, sum = 0;
    for (int x = 0; x < kCols; ++x) total += std::exp(logits.at(y, x));
    int expected = 0;
    while (expected < kCols && (sum += std::exp(logits.at(y, expected))) <= uniform[y] * total) {
      ++expected;
    }
    EXPECT_EQ(sample[y], expected) << y;
  }
}

TYPED_TEST(UnfusedScansTest, AdvantageEstimate) {
  Matrix<TypeParam> reward(7, -1, 1), value(8, -1, 1), next(9, -1, 1), going, advantage;
  for (int i = 0; i < kRows * kCols; ++i) going.elements[i] = TypeParam(i % 13 == 12 ? 0.0f : 1.0f);
  sequence::AdvantageEstimate(advantage.tensor(), reward.tensor(), value.tensor(), next.tensor(),
                              going.tensor(), 0.9f, 0.8f);
  for (int y = 0; y < kRows; ++y) {
    double later = 0;
    for (int x = kCols; x-- > 0;) {
      const double goes = going.at(y, x);
      later =
          reward.at(y, x) + 0.9 * goes * next.at(y, x) - value.at(y, x) + 0.9 * 0.8 * goes * later;
      EXPECT_NEAR(advantage.at(y, x), later, this->tolerance_) << y << " " << x;
    }
  }
}

}  // namespace
