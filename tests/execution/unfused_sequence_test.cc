// SPDX-License-Identifier: Apache-2.0
// The shipped rules over sequences, run unfused, against their formulas in double precision;
// backward rules against the forward rule, which is linear: <dy, f(x)> = <f'(dy), x>.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "random.h"
#include "specs/sequence/rotary.h"

namespace {

using mshadow::cpu;
using mshadow::Tensor;

constexpr int kRows = 5, kCols = 12;

/// A matrix of numbers in [-1, 1), as its elements hold them.
template <typename DType>
struct Matrix {
  std::vector<DType> elements = std::vector<DType>(kRows * kCols, DType(0.0f));

  Matrix() = default;
  explicit Matrix(uint64_t seed) {
    mshadow_test::SplitMix64 random(seed);
    for (DType &e : elements) e = DType(static_cast<float>(2 * random.Unit() - 1));
  }
  Tensor<cpu, 2, DType> tensor() { return {elements.data(), mshadow::Shape2(kRows, kCols)}; }
  double at(int y, int x) const { return static_cast<float>(elements[y * kCols + x]); }
};

template <typename DType>
double Product(const Matrix<DType> &a, const Matrix<DType> &b) {
  double sum = 0;
  for (int i = 0; i < kRows * kCols; ++i) sum += a.at(0, i) * b.at(0, i);
  return sum;
}

template <typename DType>
class UnfusedSequenceTest : public testing::Test {
 protected:
  /// What rounding to DType may do to a sum of two products of numbers up to 1.
  const double tolerance_ = 4 * (sizeof(DType) == 2 ? 1.0 / 128 : 1e-6);
};
using Types = testing::Types<float, mshadow::half::half_t, mshadow::bfloat::bf16_t>;
TYPED_TEST_SUITE(UnfusedSequenceTest, Types);

/// cos and sin of position times 10000^(-2 j / columns), the same for both halves.
void FillAngles(Matrix<float> *cosine, Matrix<float> *sine) {
  for (int y = 0; y < kRows; ++y) {
    for (int x = 0; x < kCols; ++x) {
      const double angle = y * std::pow(10000.0, -2.0 * (x % (kCols / 2)) / kCols);
      cosine->elements[y * kCols + x] = static_cast<float>(std::cos(angle));
      sine->elements[y * kCols + x] = static_cast<float>(std::sin(angle));
    }
  }
}

TYPED_TEST(UnfusedSequenceTest, RotaryEmbeddingTurnsPairs) {
  Matrix<TypeParam> in(1), out;
  Matrix<float> cosine, sine;
  FillAngles(&cosine, &sine);
  sequence::RotaryEmbedding(out.tensor(), in.tensor(), cosine.tensor(), sine.tensor());
  for (int y = 0; y < kRows; ++y) {
    for (int j = 0; j < kCols / 2; ++j) {
      const double a = in.at(y, j), b = in.at(y, j + kCols / 2);
      const double c = cosine.at(y, j), s = sine.at(y, j);
      EXPECT_NEAR(out.at(y, j), a * c - b * s, this->tolerance_) << y << " " << j;
      EXPECT_NEAR(out.at(y, j + kCols / 2), b * c + a * s, this->tolerance_) << y << " " << j;
    }
  }
}

TYPED_TEST(UnfusedSequenceTest, RotaryEmbeddingGradIsTheAdjoint) {
  Matrix<TypeParam> in(2), out, out_grad(3), in_grad;
  Matrix<float> cosine(4), sine(5);  // no angles: every factor counts
  sequence::RotaryEmbedding(out.tensor(), in.tensor(), cosine.tensor(), sine.tensor());
  sequence::RotaryEmbeddingGrad(in_grad.tensor(), out_grad.tensor(), cosine.tensor(),
                                sine.tensor());
  EXPECT_NEAR(Product(out_grad, out), Product(in_grad, in), kRows * kCols * this->tolerance_);
  EXPECT_GT(std::abs(Product(in_grad, in)), 1e-3);
}

}  // namespace
