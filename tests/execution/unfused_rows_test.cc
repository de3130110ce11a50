// SPDX-License-Identifier: Apache-2.0
// The shipped rules that reduce rows, run unfused, against their formulas in double precision;
// backward rules against the difference quotient of the forward formula.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

#include "optimizer_check.h"
#include "specs/activation/softmax.h"
#include "specs/loss/softmax_cross_entropy.h"
#include "specs/loss/sparse_softmax_cross_entropy.h"
#include "specs/loss/top_one.h"
#include "specs/normalize/layer_norm.h"
#include "specs/normalize/rms_norm.h"
#include "values.h"

namespace {

using namespace mshadow_test;
using Doubles = std::vector<double>;
/// What a rule makes of a row.
using RowFunction = std::function<Doubles(const Doubles &)>;

constexpr int kRows = 4;

/// A matrix, or a vector as a matrix of one row, and its numbers in double.
template <typename DType>
struct Data {
  int rows, cols;
  std::vector<DType> elements;

  Data(int height, int width) : rows(height), cols(width), elements(height * width, DType(0.0f)) {}

  Data &Fill(uint64_t seed, double low, double high) {
    SplitMix64 random(seed);
    for (DType &e : elements) {
      e = DType(static_cast<float>(low + (high - low) * random.Unit()));
    }
    return *this;
  }
  mshadow::Tensor<mshadow::cpu, 2, DType> matrix() {
    return {elements.data(), mshadow::Shape2(rows, cols)};
  }
  mshadow::Tensor<mshadow::cpu, 1, DType> vector() {
    return {elements.data(), mshadow::Shape1(cols)};
  }
  Doubles row(int y) const {
    Doubles values;
    for (int x = 0; x < cols; ++x) {
      values.push_back(mshadow::ScalarCast<double>(elements[y * cols + x]));
    }
    return values;
  }
};

double Sum(const Doubles &v) { return std::accumulate(v.begin(), v.end(), 0.0); }
double Dot(const Doubles &a, const Doubles &b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}
template <typename F>
Doubles Map(const Doubles &v, F f) {
  Doubles result;
  for (size_t i = 0; i < v.size(); ++i) result.push_back(f(v[i], i));
  return result;
}

double LogSumExp(const Doubles &x) {
  return std::log(Sum(Map(x, [](double v, size_t) { return std::exp(v); })));
}
Doubles LogSoftmax(const Doubles &x) {
  return Map(x, [all = LogSumExp(x)](double v, size_t) { return v - all; });
}
Doubles Softmax(const Doubles &x) {
  return Map(LogSoftmax(x), [](double v, size_t) { return std::exp(v); });
}
double Loss(const Doubles &x, const Doubles &label) { return -Dot(label, LogSoftmax(x)); }

Doubles LayerNorm(const Doubles &x, const Doubles &gain, const Doubles &bias) {
  const double n = static_cast<double>(x.size()), mean = Sum(x) / n;
  const Doubles centred = Map(x, [mean](double v, size_t) { return v - mean; });
  const double inv_std = 1.0 / std::sqrt(Dot(centred, centred) / n + 1e-5);
  return Map(centred, [&](double v, size_t i) { return v * inv_std * gain[i] + bias[i]; });
}
Doubles RmsNorm(const Doubles &x, const Doubles &gain) {
  const double inv_rms = 1.0 / std::sqrt(Dot(x, x) / static_cast<double>(x.size()) + 1e-5);
  return Map(x, [&](double v, size_t i) { return v * inv_rms * gain[i]; });
}
Doubles L2Normalize(const Doubles &x) {
  const double length = std::sqrt(Dot(x, x) + 1e-10);
  return Map(x, [length](double v, size_t) { return v / length; });
}

/// d/dx sum(dy f(x)), by difference quotient.
Doubles Backward(const RowFunction &f, const Doubles &x, const Doubles &dy) {
  constexpr double h = 1e-5;
  return Map(x, [&](double v, size_t i) {
    Doubles above = x, below = x;
    above[i] = v + h;
    below[i] = v - h;
    return (Dot(dy, f(above)) - Dot(dy, f(below))) / (2 * h);
  });
}

template <typename DType>
void ExpectRow(const Data<DType> &got, int y, const Doubles &want, double slack) {
  const Doubles row = got.row(y);
  for (size_t x = 0; x < want.size(); ++x) {
    EXPECT_NEAR(row[x], want[x], slack * (1.0 + std::fabs(want[x]))) << "(" << y << "," << x << ")";
  }
}

template <typename DType>
class Rows : public testing::Test {
 protected:
  static constexpr int kCols = 1100;  // several leaves
  static constexpr double kExact = std::is_same<DType, double>::value ? 1e-12 : 4e-6;
  /// A result that was rounded to DType once.
  const double slack = kExact + HalfUlp<DType>();
  Data<DType> in = Data<DType>(kRows, kCols).Fill(1, -4, 4);
  Data<DType> out{kRows, kCols};
};
using ElementTypes = testing::Types<float, double, mshadow::half::half_t, mshadow::bfloat::bf16_t>;
TYPED_TEST_SUITE(Rows, ElementTypes);

TYPED_TEST(Rows, Softmax) {
  activation::Softmax(this->out.matrix(), this->in.matrix());
  for (int y = 0; y < kRows; ++y) {
    ExpectRow(this->out, y, Softmax(this->in.row(y)), this->slack);
  }
  activation::LogSoftmax(this->out.matrix(), this->in.matrix());
  for (int y = 0; y < kRows; ++y) {
    ExpectRow(this->out, y, LogSoftmax(this->in.row(y)), this->slack);
  }
  Data<TypeParam> log_sums(1, kRows);
  activation::LogSumExp(log_sums.vector(), this->in.matrix());
  Doubles want;
  for (int y = 0; y < kRows; ++y) want.push_back(LogSumExp(this->in.row(y)));
  ExpectRow(log_sums, 0, want, this->slack);
}

TYPED_TEST(Rows, L2Normalize) {
  normalize::L2Normalize(this->out.matrix(), this->in.matrix());
  for (int y = 0; y < kRows; ++y) {
    ExpectRow(this->out, y, L2Normalize(this->in.row(y)), this->slack);
  }
}

/// Gradients are looked at over short rows, where each matters.
template <typename DType>
class RowGradients : public testing::Test {
 protected:
  static constexpr int kCols = 9;
  /// Outputs that a backward rule reads were rounded to DType.
  const double slack = 1e-5 + 8 * HalfUlp<DType>();
  Data<DType> in = Data<DType>(kRows, kCols).Fill(2, -2, 2);
  Data<DType> grad = Data<DType>(kRows, kCols).Fill(3, -1, 1);
  Data<DType> gain = Data<DType>(1, kCols).Fill(4, 0.5, 1.5);
  Data<DType> bias = Data<DType>(1, kCols).Fill(5, -1, 1);
  Data<DType> out{kRows, kCols}, in_grad{kRows, kCols};
  Data<float> mean{1, kRows}, scale{1, kRows};

  void Expect(const RowFunction &f) {
    for (int y = 0; y < kRows; ++y) {
      ExpectRow(in_grad, y, Backward(f, in.row(y), grad.row(y)), slack);
    }
  }
};
using Types = testing::Types<float, mshadow::half::half_t, mshadow::bfloat::bf16_t>;
TYPED_TEST_SUITE(RowGradients, Types);

TYPED_TEST(RowGradients, Softmax) {
  activation::Softmax(this->out.matrix(), this->in.matrix());
  activation::SoftmaxGrad(this->in_grad.matrix(), this->grad.matrix(), this->out.matrix());
  this->Expect(Softmax);
  activation::LogSoftmax(this->out.matrix(), this->in.matrix());
  activation::LogSoftmaxGrad(this->in_grad.matrix(), this->grad.matrix(), this->out.matrix());
  this->Expect(LogSoftmax);
}

TYPED_TEST(RowGradients, LayerNorm) {
  const Doubles gain = this->gain.row(0), bias = this->bias.row(0);
  normalize::LayerNorm(this->out.matrix(), this->mean.vector(), this->scale.vector(),
                       this->in.matrix(), this->gain.vector(), this->bias.vector());
  for (int y = 0; y < kRows; ++y) {
    ExpectRow(this->out, y, LayerNorm(this->in.row(y), gain, bias), this->slack);
  }
  normalize::LayerNormGrad(this->in_grad.matrix(), this->grad.matrix(), this->in.matrix(),
                           this->mean.vector(), this->scale.vector(), this->gain.vector());
  this->Expect([&](const Doubles &x) { return LayerNorm(x, gain, bias); });
}

TYPED_TEST(RowGradients, RmsNorm) {
  const Doubles gain = this->gain.row(0);
  normalize::RmsNorm(this->out.matrix(), this->scale.vector(), this->in.matrix(),
                     this->gain.vector());
  for (int y = 0; y < kRows; ++y) {
    ExpectRow(this->out, y, RmsNorm(this->in.row(y), gain), this->slack);
  }
  normalize::RmsNormGrad(this->in_grad.matrix(), this->grad.matrix(), this->in.matrix(),
                         this->scale.vector(), this->gain.vector());
  this->Expect([&](const Doubles &x) { return RmsNorm(x, gain); });
}

TYPED_TEST(RowGradients, SoftmaxCrossEntropy) {
  Data<TypeParam> label(kRows, this->kCols);
  for (int y = 0; y < kRows; ++y) label.elements[y * this->kCols + 2 * y] = TypeParam(1.0f);
  Data<float> losses(1, kRows), train_losses(1, kRows);
  Data<TypeParam> train_grad(kRows, this->kCols);
  loss::SoftmaxCrossEntropy(losses.vector(), this->in.matrix(), label.matrix());
  loss::SoftmaxCrossEntropyGrad(this->in_grad.matrix(), this->in.matrix(), label.matrix(), 0.25f);
  loss::SoftmaxCrossEntropyTrain(train_losses.vector(), train_grad.matrix(), this->in.matrix(),
                                 label.matrix(), 0.25f);
  Doubles want;
  for (int y = 0; y < kRows; ++y) {
    const Doubles target = label.row(y);
    want.push_back(Loss(this->in.row(y), target));
    const auto f = [&](const Doubles &x) { return Doubles{Loss(x, target)}; };
    ExpectRow(this->in_grad, y, Backward(f, this->in.row(y), {0.25}), this->slack);
    ExpectRow(train_grad, y, this->in_grad.row(y), 1e-6);
  }
  ExpectRow(losses, 0, want, 1e-5);
  EXPECT_EQ(losses.row(0), train_losses.row(0));
}

/// The same for numbers of classes, with the bits of one-hot labels.
TYPED_TEST(RowGradients, SparseSoftmaxCrossEntropy) {
  using IType = std::conditional_t<
      std::is_same_v<TypeParam, float>, float,
      std::conditional_t<std::is_same_v<TypeParam, mshadow::half::half_t>, int32_t, int64_t>>;
  Data<TypeParam> one_hot(kRows, this->kCols);
  Data<IType> label(1, kRows);
  for (int y = 0; y < kRows; ++y) {
    one_hot.elements[y * this->kCols + 2 * y] = TypeParam(1.0f);
    label.elements[y] = static_cast<IType>(2 * y);
  }
  Data<float> want(1, kRows), losses(1, kRows), train_losses(1, kRows);
  Data<TypeParam> want_grad(kRows, this->kCols), train_grad(kRows, this->kCols);
  loss::SoftmaxCrossEntropyTrain(want.vector(), want_grad.matrix(), this->in.matrix(),
                                 one_hot.matrix(), 0.25f);
  loss::SparseSoftmaxCrossEntropy(losses.vector(), this->in.matrix(), label.vector());
  loss::SparseSoftmaxCrossEntropyGrad(this->in_grad.matrix(), this->in.matrix(), label.vector(),
                                      0.25f);
  loss::SparseSoftmaxCrossEntropyTrain(train_losses.vector(), train_grad.matrix(),
                                       this->in.matrix(), label.vector(), 0.25f);
  EXPECT_EQ(losses.row(0), want.row(0));
  EXPECT_EQ(train_losses.row(0), want.row(0));
  for (int y = 0; y < kRows; ++y) {
    EXPECT_EQ(this->in_grad.row(y), want_grad.row(y));
    EXPECT_EQ(train_grad.row(y), want_grad.row(y));
  }
}

/// Equal values, NaNs, labels that are no classes.
TEST(RowEdges, CountTopOne) {
  Data<float> in(5, 3), count(1, 1);
  Data<int32_t> label(1, 5);
  in.elements = {1, 2, 2, 3, 3, 0, NAN, 5, NAN, -1, -2, -3, 7, 8, 9};
  label.elements = {1, 1, 0, 3, 2};
  count.elements = {10};
  loss::CountTopOne(count.vector(), in.matrix(), label.vector());
  EXPECT_EQ(count.elements[0], 13);  // rows 0, 2 and 4
}

/// Inputs whose exponentials overflow, a row of one value, a label that is no label.
TEST(RowEdges, Softmax) {
  Data<float> in(2, 3), out(2, 3);
  in.elements = {1000.0f, 1000.0f, -1000.0f, -INFINITY, 2.0f, -INFINITY};
  activation::Softmax(out.matrix(), in.matrix());
  EXPECT_EQ(out.elements, (std::vector<float>{0.5f, 0.5f, 0.0f, 0.0f, 1.0f, 0.0f}));
}

/// Rows with infinities, whose differences are no numbers.
TEST(RowEdges, LogSumExp) {
  Data<float> in(4, 3), out(1, 4);
  in.elements = {-INFINITY, -INFINITY, -INFINITY, 1.0f, INFINITY, -INFINITY,
                 -INFINITY, 2.0f,      -INFINITY, 1.0f, NAN,      INFINITY};
  activation::LogSumExp(out.vector(), in.matrix());
  EXPECT_EQ(out.elements[0], -INFINITY);
  EXPECT_EQ(out.elements[1], INFINITY);
  EXPECT_EQ(out.elements[2], 2.0f);
  EXPECT_TRUE(std::isnan(out.elements[3]));
}

}  // namespace
