// SPDX-License-Identifier: Apache-2.0
// The optimizers whose tensors have types of their own, run unfused, against their formulas in
// double precision.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "optimizer_check.h"
#include "specs/optim/mixed.h"

namespace {

using namespace mshadow_test;
using mshadow::bfloat::bf16_t;
using mshadow::half::half_t;

template <typename W, typename M, typename C, typename G>
struct Mix {
  using Weight = W;
  using Mean = M;
  using Copy = C;
  using Grad = G;
};

template <typename Types>
class Mixed : public testing::Test {
 public:
  using WType = typename Types::Weight;
  using MType = typename Types::Mean;
  using CType = typename Types::Copy;
  using GType = typename Types::Grad;

  Mixed() : weights(kSize), variances(kSize), means(kSize), copies(kSize), grads(kSize) {
    for (WType &w : weights) w = values_.Next();
  }

  template <typename T>
  static Matrix<T> Of(std::vector<T> &x) {
    return Matrix<T>(x.data(), Shape2(kRows, kCols));
  }

  /// Runs `rule` and `reference` for some steps. Each step is compared by itself.
  void Check(const std::function<void(int t)> &rule, const Reference &reference) {
    for (int t = 1; t <= kSteps; ++t) {
      for (GType &g : grads) g = GType(3.0f * values_.Next());
      std::vector<Element> expected(kSize);
      for (int i = 0; i < kSize; ++i) {
        expected[i] = {weights[i], {InDouble(means[i]), variances[i]}};
        reference(&expected[i], InDouble(grads[i]), t);
      }
      rule(t);
      for (int i = 0; i < kSize; ++i) Compare(i, expected[i], t);
    }
  }

  std::vector<WType> weights, variances;
  std::vector<MType> means;
  std::vector<CType> copies;
  std::vector<GType> grads;

 private:
  void Compare(int i, const Element &expected, int t) const {
    const std::string at = ", element " + std::to_string(i) + ", step " + std::to_string(t);
    constexpr double kWide = kRounding<WType>;
    ExpectNear(weights[i], expected.w, 0, "weight" + at, kWide);
    ExpectNear(InDouble(means[i]), expected.s[0], HalfUlp<MType>(), "mean" + at, kWide);
    ExpectNear(variances[i], expected.s[1], 0, "variance" + at, kWide);
    EXPECT_EQ(InDouble(copies[i]), InDouble(CType(weights[i]))) << at;
  }

  Values values_;
};

using Mixes = testing::Types<Mix<float, float, bf16_t, bf16_t>, Mix<float, bf16_t, bf16_t, bf16_t>,
                             Mix<float, float, half_t, half_t>>;
TYPED_TEST_SUITE(Mixed, Mixes);

TYPED_TEST(Mixed, SGDMomentum) {
  auto &m = *this;
  m.Check(
      [&](int) {
        optim::MixedSGDMomentum(m.Of(m.weights), m.Of(m.means), m.Of(m.copies), m.Of(m.grads), kLr,
                                kMu, kDecay);
      },
      [](Element *e, double g, int) {
        e->s[0] = mu * e->s[0] + g + decay * e->w;
        e->w -= lr * e->s[0];
      });
}

TYPED_TEST(Mixed, Adam) {
  auto &m = *this;
  m.Check(
      [&](int t) {
        optim::MixedAdam(m.Of(m.weights), m.Of(m.means), m.Of(m.variances), m.Of(m.copies),
                         m.Of(m.grads), kLr, kBeta1, kBeta2, kEps, kDecay, t);
      },
      [](Element *e, double g, int t) {
        Moments(e, g + decay * e->w);
        e->w -= lr * (e->s[0] / Bias(beta1, t)) / (std::sqrt(e->s[1] / Bias(beta2, t)) + eps);
      });
}

TYPED_TEST(Mixed, Lion) {
  auto &m = *this;
  m.Check(
      [&](int) {
        optim::MixedLion(m.Of(m.weights), m.Of(m.means), m.Of(m.copies), m.Of(m.grads), kLr, kBeta1,
                         kBeta2, kDecay);
      },
      [](Element *e, double g, int) {
        e->w -= lr * (Sign(beta1 * e->s[0] + (1.0 - beta1) * g) + decay * e->w);
        e->s[0] = beta2 * e->s[0] + (1.0 - beta2) * g;
      });
}

template <typename Types>
class MixedAdamW : public Mixed<Types> {};
using AdamWMixes =
    testing::Types<Mix<float, float, bf16_t, bf16_t>, Mix<float, bf16_t, bf16_t, bf16_t>,
                   Mix<float, float, bf16_t, float>, Mix<float, float, half_t, half_t>,
                   Mix<double, double, float, float>>;
TYPED_TEST_SUITE(MixedAdamW, AdamWMixes);

TYPED_TEST(MixedAdamW, DecaysTheWeight) {
  auto &m = *this;
  m.Check(
      [&](int t) {
        optim::MixedAdamW(m.Of(m.weights), m.Of(m.means), m.Of(m.variances), m.Of(m.copies),
                          m.Of(m.grads), kLr, kBeta1, kBeta2, kEps, kDecay, t);
      },
      [](Element *e, double g, int t) {
        Moments(e, g);
        e->w *= 1.0 - lr * decay;
        e->w -= lr * (e->s[0] / Bias(beta1, t)) / (std::sqrt(e->s[1] / Bias(beta2, t)) + eps);
      });
}

/// One tensor of StochasticAdamW.
struct Stochastic {
  std::vector<float> weights = std::vector<float>(kSize);
  std::vector<bf16_t> means = std::vector<bf16_t>(kSize), variances = means, copies = means,
                      grads = means;

  void Step(float rate, float b2, int step, int64_t seed) {
    const auto of = [](auto &x) {
      using T = typename std::decay_t<decltype(x)>::value_type;
      return Matrix<T>(x.data(), Shape2(kRows, kCols));
    };
    optim::StochasticAdamW(of(weights), of(means), of(variances), of(copies), of(grads), rate,
                           kBeta1, b2, kEps, kDecay, step, seed);
  }
};

TEST(StochasticAdamW, RoundsTheVarianceToANeighbour) {
  Stochastic tensor;
  Values values;
  for (float &w : tensor.weights) w = values.Next();
  int up = 0, down = 0;
  for (int t = 1; t <= kSteps; ++t) {
    for (bf16_t &g : tensor.grads) g = bf16_t(3.0f * values.Next());
    const Stochastic before = tensor;
    tensor.Step(kLr, kBeta2, t, 11);
    for (size_t i = 0; i < kSize; ++i) {
      Element e = {before.weights[i], {InDouble(before.means[i]), InDouble(before.variances[i])}};
      Moments(&e, InDouble(tensor.grads[i]));
      e.w *= 1.0 - lr * decay;
      e.w -= lr * (e.s[0] / Bias(beta1, t)) / (std::sqrt(e.s[1] / Bias(beta2, t)) + eps);
      const std::string at = ", element " + std::to_string(i) + ", step " + std::to_string(t);
      ExpectNear(tensor.weights[i], e.w, 0, "weight" + at);
      ExpectNear(InDouble(tensor.means[i]), e.s[0], HalfUlp<bf16_t>(), "mean" + at);
      ExpectNear(InDouble(tensor.variances[i]), e.s[1], 2 * HalfUlp<bf16_t>(), "variance" + at);
      EXPECT_EQ(InDouble(tensor.copies[i]), InDouble(bf16_t(tensor.weights[i]))) << at;
      (InDouble(tensor.variances[i]) > e.s[1] ? up : down) += 1;
    }
  }
  EXPECT_GT(up, kSteps * kSize / 3);
  EXPECT_GT(down, kSteps * kSize / 3);
}

/// With a constant gradient the variance goes to its square, by steps that a bf16_t cannot hold.
TEST(StochasticAdamW, LosesNoSmallChange) {
  constexpr float kNear1 = 0.999f;
  constexpr int kManySteps = 1000;
  Stochastic tensor;
  for (bf16_t &v : tensor.variances) v = bf16_t(1.0f);
  for (bf16_t &g : tensor.grads) g = bf16_t(2.0f);
  bf16_t nearest(1.0f);
  for (int t = 1; t <= kManySteps; ++t) {
    tensor.Step(0.0f, kNear1, t, 5);
    nearest = bf16_t(kNear1 * static_cast<float>(nearest) + (1.0f - kNear1) * 4.0f);
  }
  double mean = 0;
  for (const bf16_t v : tensor.variances) mean += InDouble(v) / kSize;
  EXPECT_NEAR(mean, 4.0 - 3.0 * std::pow(static_cast<double>(kNear1), kManySteps), 0.05);
  EXPECT_EQ(static_cast<float>(nearest), 1.0f) << "rounded to nearest, it does not change";
}

TEST(StochasticAdamW, HasOtherNumbersInEachStepAndForEachSeed) {
  const auto variances = [](int step, int64_t seed) {
    Stochastic tensor;
    for (bf16_t &g : tensor.grads) g = bf16_t(1.7f);
    tensor.Step(kLr, kBeta2, step, seed);
    std::vector<double> result;
    for (const bf16_t v : tensor.variances) result.push_back(InDouble(v));
    return result;
  };
  EXPECT_EQ(variances(1, 3), variances(1, 3));
  EXPECT_NE(variances(1, 3), variances(2, 3));
  EXPECT_NE(variances(1, 3), variances(1, 4));
}

}  // namespace
