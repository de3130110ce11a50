// SPDX-License-Identifier: Apache-2.0
// The rules of a step with mixed precision, run unfused, against their formulas in double
// precision: each optimizer with two tensors, gradients that are clipped or not, and steps that are
// not taken.
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

/// What the second pass reads from memory, an element each.
struct Shared {
  float factor = 0, taken = 0, inv_bias1 = 0, inv_bias2 = 0;

  static Vector Of(float *x) { return Vector(x, Shape1(1)); }
};

/// A tensor with all that belongs to it. An optimizer with one state leaves the second one alone.
template <typename GType>
struct Layer {
  std::vector<float> weight, states[2], average;
  std::vector<half_t> copy;
  std::vector<GType> grad;

  explicit Layer(Values *values) : weight(kSize), copy(kSize), grad(kSize) {
    for (float &x : weight) x = values->Next();
    for (std::vector<float> &state : states) state.assign(kSize, 0.0f);
    average = weight;
  }

  template <typename T>
  static Matrix<T> Of(std::vector<T> &x) {
    return Matrix<T>(x.data(), Shape2(kRows, kCols));
  }
};

/// The optimizers: the rule of the second pass, and what it does to an element, in double.
struct SGDMomentum {
  template <typename GType>
  static void Run(Layer<GType> *l, Shared *s, float clip) {
    optim::PipelineSGDMomentum(l->Of(l->weight), l->Of(l->states[0]), l->Of(l->average),
                               l->Of(l->copy), l->Of(l->grad), s->Of(&s->factor), s->Of(&s->taken),
                               kLr, kMu, kDecay, clip, kEma);
  }
  static void Expect(Element *e, double g, int) {
    e->s[0] = mu * e->s[0] + g + decay * e->w;
    e->w -= lr * e->s[0];
  }
};

struct Adam {
  template <typename GType>
  static void Run(Layer<GType> *l, Shared *s, float clip) {
    optim::PipelineAdam(l->Of(l->weight), l->Of(l->states[0]), l->Of(l->states[1]),
                        l->Of(l->average), l->Of(l->copy), l->Of(l->grad), s->Of(&s->factor),
                        s->Of(&s->taken), s->Of(&s->inv_bias1), s->Of(&s->inv_bias2), kLr, kBeta1,
                        kBeta2, kEps, kDecay, clip, kEma);
  }
  static void Expect(Element *e, double g, int t) {
    Moments(e, g + decay * e->w);
    e->w -= lr * (e->s[0] / Bias(beta1, t)) / (std::sqrt(e->s[1] / Bias(beta2, t)) + eps);
  }
};

struct AdamW {
  template <typename GType>
  static void Run(Layer<GType> *l, Shared *s, float clip) {
    optim::PipelineAdamW(l->Of(l->weight), l->Of(l->states[0]), l->Of(l->states[1]),
                         l->Of(l->average), l->Of(l->copy), l->Of(l->grad), s->Of(&s->factor),
                         s->Of(&s->taken), s->Of(&s->inv_bias1), s->Of(&s->inv_bias2), kLr, kBeta1,
                         kBeta2, kEps, kDecay, clip, kEma);
  }
  static void Expect(Element *e, double g, int t) {
    Moments(e, g);
    e->w *= 1.0 - lr * decay;
    e->w -= lr * (e->s[0] / Bias(beta1, t)) / (std::sqrt(e->s[1] / Bias(beta2, t)) + eps);
  }
};

struct Lion {
  template <typename GType>
  static void Run(Layer<GType> *l, Shared *s, float clip) {
    optim::PipelineLion(l->Of(l->weight), l->Of(l->states[0]), l->Of(l->average), l->Of(l->copy),
                        l->Of(l->grad), s->Of(&s->factor), s->Of(&s->taken), kLr, kBeta1, kBeta2,
                        kDecay, clip, kEma);
  }
  static void Expect(Element *e, double g, int) {
    e->w -= lr * (Sign(beta1 * e->s[0] + (1.0 - beta1) * g) + decay * e->w);
    e->s[0] = beta2 * e->s[0] + (1.0 - beta2) * g;
  }
};

template <typename OptimizerType, typename Type>
struct Case {
  using Optimizer = OptimizerType;
  using GType = Type;
};

template <typename Types>
class Pipeline : public testing::Test {
 public:
  using GType = typename Types::GType;

  Pipeline() : layers_{Layer<GType>(&values_), Layer<GType>(&values_)} {}

  void Step(float size, float clip) {
    for (Layer<GType> &layer : layers_) {
      for (GType &g : layer.grad) g = GType(size * scale_ * values_.Next());
    }
    Update(clip);
  }

  void Update(float clip) {
    Shared shared;
    FirstPass(&shared);
    optim::AdamBias(Shared::Of(&shared.inv_bias1), Shared::Of(&shared.inv_bias2),
                    Shared::Of(&step_), kBeta1, kBeta2);
    for (Layer<GType> &layer : layers_) {
      const Layer<GType> before = layer;
      Types::Optimizer::Run(&layer, &shared, clip);
      for (size_t i = 0; i < kSize; ++i) Compare(before, layer, i, shared, clip);
    }
  }

 private:
  /// Finds the factor of the gradients, and compares it with the definition.
  void FirstPass(Shared *shared) {
    float norm = 0;
    const float scale = scale_;
    double sum = 0;
    for (int k = 0; k < 2; ++k) {
      Layer<GType> &layer = layers_[k];
      optim::GradientSquares(Shared::Of(squares_ + k), layer.Of(layer.grad), Shared::Of(&scale_));
      for (const GType g : layer.grad) sum += std::pow(InDouble(g) / scale, 2);
    }
    optim::GradientFactor(Shared::Of(&shared->factor), Shared::Of(&shared->taken),
                          Shared::Of(&norm), Shared::Of(&scale_), Shared::Of(&streak_),
                          Shared::Of(&step_), Vector(squares_, Shape1(2)), kLimit, 2.0f, 0.5f,
                          3.0f);
    EXPECT_EQ(shared->taken, std::isfinite(sum) ? 1.0f : 0.0f);
    if (std::isfinite(sum)) {
      ExpectNear(norm, std::sqrt(sum), 0, "norm");
      const double factor = std::min(1.0, kLimit / (std::sqrt(sum) + 1e-6)) / scale;
      ExpectNear(shared->factor, factor, 0, "factor");
    }
  }

  /// Compares element i of a layer with a step in double from what it was before.
  void Compare(const Layer<GType> &before, const Layer<GType> &layer, size_t i,
               const Shared &shared, float clip) const {
    const std::string what =
        "step " + std::to_string(step_) + ", element " + std::to_string(i) + " of the ";
    Element e = {before.weight[i], {before.states[0][i], before.states[1][i]}};
    double average = before.average[i];
    if (shared.taken != 0.0f) {
      const double g = shared.factor * InDouble(layer.grad[i]), limit = clip;
      Types::Optimizer::Expect(&e, std::min(std::max(g, -limit), limit), static_cast<int>(step_));
      average = kEma * average + (1 - kEma) * e.w;
      ExpectNear(layer.weight[i], e.w, 0, what + "weight");
      ExpectNear(layer.states[0][i], e.s[0], 0, what + "first state");
      ExpectNear(layer.states[1][i], e.s[1], 0, what + "second state");
      ExpectNear(layer.average[i], average, 0, what + "average");
    } else {
      EXPECT_EQ(layer.weight[i], before.weight[i]) << what << "weight";
      EXPECT_EQ(layer.states[0][i], before.states[0][i]) << what << "first state";
      EXPECT_EQ(layer.states[1][i], before.states[1][i]) << what << "second state";
      EXPECT_EQ(layer.average[i], before.average[i]) << what << "average";
    }
    EXPECT_EQ(static_cast<float>(layer.copy[i]), static_cast<float>(half_t(layer.weight[i])))
        << what << "copy";
  }

  Values values_;

 protected:
  Layer<GType> layers_[2];
  float squares_[2] = {}, scale_ = 1024, streak_ = 0, step_ = 0;
};
using Cases =
    testing::Types<Case<SGDMomentum, float>, Case<SGDMomentum, half_t>, Case<SGDMomentum, bf16_t>,
                   Case<Adam, float>, Case<Adam, half_t>, Case<Adam, bf16_t>, Case<AdamW, float>,
                   Case<AdamW, half_t>, Case<AdamW, bf16_t>, Case<Lion, float>, Case<Lion, half_t>,
                   Case<Lion, bf16_t>>;
TYPED_TEST_SUITE(Pipeline, Cases);

TYPED_TEST(Pipeline, UpdatesByClippedGradients) {
  constexpr float kNone = 1e30f;
  this->Step(0.01f, kNone);
  EXPECT_EQ(this->step_, 1.0f);
  this->Step(3.0f, kNone);   // longer than the limit
  this->Step(3.0f, 0.125f);  // and elements, too
  EXPECT_EQ(this->scale_, 2048.0f) << "three steps were taken";
  EXPECT_EQ(this->streak_, 0.0f);
}

TYPED_TEST(Pipeline, SkipsStepsWithoutAGradient) {
  using GType = typename TypeParam::GType;
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
