// SPDX-License-Identifier: Apache-2.0
// The rules of a step with mixed precision, run unfused, against their formulas in double
// precision: two tensors, gradients that are clipped or not, and steps that are not taken.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "optimizer_check.h"
#include "specs/optim/pipeline.h"

namespace {

using namespace mshadow_test;
using mshadow::Shape1;
using mshadow::bfloat::bf16_t;
using mshadow::half::half_t;
using Vector = Tensor<cpu, 1, float>;

constexpr float kLimit = 2.0f, kEma = 0.75f;

/// A tensor with all that belongs to it, and its reference in double.
template <typename GType>
struct Layer {
  std::vector<float> weight, mean, variance, average;
  std::vector<half_t> copy;
  std::vector<GType> grad;
  std::vector<double> w, m, v, a;

  explicit Layer(Values *values)
      : weight(kSize), mean(kSize), variance(kSize), copy(kSize), grad(kSize), m(kSize), v(kSize) {
    for (float &x : weight) x = values->Next();
    average = weight;
    w.assign(weight.begin(), weight.end());
    a = w;
  }

  template <typename T>
  static Matrix<T> Of(std::vector<T> *x) {
    return Matrix<T>(x->data(), Shape2(kRows, kCols));
  }
  double GradAt(int i) const { return InDouble(grad[static_cast<size_t>(i)]); }

  /// The reference: a step of AdamW for clip(factor grad).
  void Expect(double factor, bool taken, int t, float clip) {
    for (int i = 0; i < kSize && taken; ++i) {
      const double limit = clip, g = std::min(std::max(factor * GradAt(i), -limit), limit);
      m[i] = beta1 * m[i] + (1 - beta1) * g;
      v[i] = beta2 * v[i] + (1 - beta2) * g * g;
      const double root = std::sqrt(v[i] / Bias(beta2, t)) + eps;
      w[i] = (1 - lr * decay) * w[i] - lr * m[i] / Bias(beta1, t) / root;
      a[i] = kEma * a[i] + (1 - kEma) * w[i];
    }
    for (int i = 0; i < kSize; ++i) {
      const std::string what = "step " + std::to_string(t) + ", element " + std::to_string(i);
      ExpectNear(weight[i], w[i], 0, what + " of the weight");
      ExpectNear(mean[i], m[i], 0, what + " of the mean");
      ExpectNear(variance[i], v[i], 0, what + " of the variance");
      ExpectNear(average[i], a[i], 0, what + " of the average");
      EXPECT_EQ(static_cast<float>(copy[i]), static_cast<float>(half_t(weight[i]))) << what;
    }
    // The next step starts at what the rules left.
    w.assign(weight.begin(), weight.end()), m.assign(mean.begin(), mean.end());
    v.assign(variance.begin(), variance.end()), a.assign(average.begin(), average.end());
  }
};

template <typename GType>
class Pipeline : public testing::Test {
 public:
  Pipeline() : layers_{Layer<GType>(&values_), Layer<GType>(&values_)} {}

  static Vector Of(float *x) { return Vector(x, Shape1(1)); }

  void Step(float size, float clip) {
    for (Layer<GType> &layer : layers_) {
      for (GType &g : layer.grad) g = GType(size * scale_ * values_.Next());
    }
    Update(clip);
  }

  void Update(float clip) {
    float factor = 0, norm = 0, inv_bias1 = 0, inv_bias2 = 0;
    const float scale = scale_;
    double sum = 0;
    for (int k = 0; k < 2; ++k) {
      Layer<GType> &layer = layers_[k];
      optim::GradientSquares(Of(squares_ + k), Layer<GType>::Of(&layer.grad), Of(&scale_));
      for (int i = 0; i < kSize; ++i) sum += std::pow(layer.GradAt(i) / scale, 2);
    }
    optim::GradientFactor(Of(&factor), Of(&taken_), Of(&norm), Of(&scale_), Of(&streak_),
                          Of(&step_), Vector(squares_, Shape1(2)), kLimit, 2.0f, 0.5f, 3.0f);
    optim::AdamBias(Of(&inv_bias1), Of(&inv_bias2), Of(&step_), kBeta1, kBeta2);
    const bool taken = std::isfinite(sum);
    EXPECT_EQ(taken_, taken ? 1.0f : 0.0f);
    if (taken) {
      ExpectNear(norm, std::sqrt(sum), 0, "norm");
      ExpectNear(factor, std::min(1.0, kLimit / (std::sqrt(sum) + 1e-6)) / scale, 0, "factor");
    }
    for (Layer<GType> &layer : layers_) {
      const auto of = [](auto *x) { return Layer<GType>::Of(x); };
      optim::PipelineAdamW(of(&layer.weight), of(&layer.mean), of(&layer.variance),
                           of(&layer.average), of(&layer.copy), of(&layer.grad), Of(&factor),
                           Of(&taken_), Of(&inv_bias1), Of(&inv_bias2), kLr, kBeta1, kBeta2, kEps,
                           kDecay, clip, kEma);
      layer.Expect(factor, taken, static_cast<int>(step_), clip);
    }
  }

  Values values_;
  Layer<GType> layers_[2];
  float squares_[2] = {}, scale_ = 1024, streak_ = 0, step_ = 0, taken_ = 0;
};
using ElementTypes = testing::Types<float, half_t, bf16_t>;
TYPED_TEST_SUITE(Pipeline, ElementTypes);

TYPED_TEST(Pipeline, IsAdamWOfClippedGradients) {
  constexpr float kNone = 1e30f;
  this->Step(0.01f, kNone);
  EXPECT_EQ(this->step_, 1.0f);
  this->Step(3.0f, kNone);   // longer than the limit
  this->Step(3.0f, 0.125f);  // and elements, too
  EXPECT_EQ(this->scale_, 2048.0f) << "three steps were taken";
  EXPECT_EQ(this->streak_, 0.0f);
}

TYPED_TEST(Pipeline, SkipsStepsWithoutAGradient) {
  using GType = TypeParam;
  this->Step(0.5f, 1e30f);
  for (const float bad : {std::numeric_limits<float>::infinity(),
                          -std::numeric_limits<float>::infinity(), std::nanf("")}) {
    const float scale = this->scale_;
    this->layers_[1].grad[5] = GType(bad);
    this->Update(1e30f);
    EXPECT_EQ(this->scale_, scale / 2);
    EXPECT_EQ(this->step_, 1.0f);
    EXPECT_EQ(this->streak_, 0.0f);
  }
  this->Step(0.5f, 1e30f);
  EXPECT_EQ(this->step_, 2.0f);
  EXPECT_EQ(this->streak_, 1.0f);
}

}  // namespace
