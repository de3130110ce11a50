// SPDX-License-Identifier: Apache-2.0
// The shipped optimizers that measure whole tensors, run unfused, against the formulas of their
// papers written in double precision; and what formulas of optimizers leave open.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "optimizer_check.h"
#include "specs/optim/adam.h"
#include "specs/optim/adamax.h"
#include "specs/optim/adamw.h"
#include "specs/optim/clip_norm.h"
#include "specs/optim/lamb.h"
#include "specs/optim/lars.h"
#include "specs/optim/lion.h"
#include "specs/optim/novograd.h"
#include "specs/optim/rmsprop.h"

namespace {

using namespace mshadow_test;
using Doubles = std::vector<double>;

double Norm(const Doubles &x) {
  double sum = 0;
  for (double e : x) sum += e * e;
  return std::sqrt(sum);
}

/// A tensor's elements in double.
template <typename DType>
Doubles AllInDouble(const std::vector<DType> &x) {
  Doubles y(x.size());
  std::transform(x.begin(), x.end(), y.begin(), [](DType e) { return InDouble(e); });
  return y;
}

template <typename DType>
void ExpectAll(const std::vector<DType> &got, const Doubles &want, const std::string &what) {
  for (size_t i = 0; i < want.size(); ++i) {
    ExpectNear(InDouble(got[i]), want[i], HalfUlp<DType>(), what + ", element " + std::to_string(i),
               kRounding<DType>);
  }
}

template <typename DType>
class Norms : public testing::Test {
 public:
  void NextGradients() {
    for (DType &g : problem.gradients) g = ThreeTimes<DType>(values.Next());
    problem.gradients[0] = DType(0.0f);
    w = AllInDouble(problem.weights), g = AllInDouble(problem.gradients);
    for (int k = 0; k < 2; ++k) s[k] = AllInDouble(problem.storage[k]);
  }
  /// That the rule left what the reference says.
  void Expect(const Doubles &weight, const Doubles &state, int t) {
    ExpectAll(problem.weights, weight, "weight, step " + std::to_string(t));
    ExpectAll(problem.storage[0], state, "state, step " + std::to_string(t));
  }

  Problem<DType> problem{2};
  Values values;
  Doubles w, g, s[2];  ///< before a step
};
using ElementTypes = testing::Types<float, double, mshadow::half::half_t, mshadow::bfloat::bf16_t>;
TYPED_TEST_SUITE(Norms, ElementTypes);

/// You et al. 2020, Algorithm 2, with phi the limits 0.5 and `upper`.
template <typename Test>
void CheckLamb(Test *test, float upper) {
  for (int t = 1; t <= kSteps; ++t) {
    test->NextGradients();
    Doubles mean(kSize), update(kSize), want(kSize);
    for (int i = 0; i < kSize; ++i) {
      mean[i] = beta1 * test->s[0][i] + (1 - beta1) * test->g[i];
      const double v = beta2 * test->s[1][i] + (1 - beta2) * test->g[i] * test->g[i];
      update[i] =
          mean[i] / Bias(beta1, t) / (std::sqrt(v / Bias(beta2, t)) + eps) + decay * test->w[i];
    }
    const double length = std::min(std::max(Norm(test->w), 0.5), static_cast<double>(upper));
    for (int i = 0; i < kSize; ++i) want[i] = test->w[i] - lr * length / Norm(update) * update[i];
    auto &p = test->problem;
    optim::Lamb(p.weight(), p.state(0), p.state(1), p.grad(), kLr, kBeta1, kBeta2, kEps, kDecay,
                0.5f, upper, t);
    test->Expect(want, mean, t);
  }
}
TYPED_TEST(Norms, Lamb) { CheckLamb(this, 100.0f); }
TYPED_TEST(Norms, LambOfLimitedWeights) { CheckLamb(this, 2.0f); }

/// You, Gitman and Ginsburg 2017, Algorithm 1, with MXNet's epsilon.
TYPED_TEST(Norms, Lars) {
  constexpr float kEta = 0.4f;
  for (int t = 1; t <= kSteps; ++t) {
    this->NextGradients();
    const double length = Norm(this->w);
    const double rate = lr * kEta * length / (Norm(this->g) + decay * length + eps);
    Doubles momentum(kSize), want(kSize);
    for (int i = 0; i < kSize; ++i) {
      momentum[i] = mu * this->s[0][i] + rate * (this->g[i] + decay * this->w[i]);
      want[i] = this->w[i] - momentum[i];
    }
    auto &p = this->problem;
    optim::Lars(p.weight(), p.state(0), p.grad(), kLr, kMu, kEta, kEps, kDecay);
    this->Expect(want, momentum, t);
  }
}

/// Ginsburg et al. 2019, Algorithm 1.
TYPED_TEST(Norms, NovoGrad) {
  using State = mshadow::Promoted<TypeParam>;
  State variance = 0;
  const Tensor<cpu, 1, State> second(&variance, mshadow::Shape1(1));
  for (int t = 1; t <= kSteps; ++t) {
    this->NextGradients();
    const double square = Norm(this->g) * Norm(this->g);
    const double v = t == 1 ? square : beta2 * variance + (1 - beta2) * square;
    Doubles mean(kSize), want(kSize);
    for (int i = 0; i < kSize; ++i) {
      mean[i] = beta1 * this->s[0][i] + this->g[i] / (std::sqrt(v) + eps) + decay * this->w[i];
      want[i] = this->w[i] - lr * mean[i];
    }
    auto &p = this->problem;
    optim::NovoGrad(p.weight(), p.state(0), second, p.grad(), kLr, kBeta1, kBeta2, kEps, kDecay, t);
    ExpectNear(variance, v, 0, "variance, step " + std::to_string(t), kRounding<TypeParam>);
    this->Expect(want, mean, t);
  }
}

/// Pascanu, Mikolov and Bengio 2013: two gradients, longer and shorter than the limit.
TYPED_TEST(Norms, ClipByNorm) {
  using State = mshadow::Promoted<TypeParam>;
  for (const float limit : {2.5f, 1000.0f}) {
    this->NextGradients();
    auto &p = this->problem;
    State total = 7;
    const Tensor<cpu, 1, State> sum(&total, mshadow::Shape1(1));
    optim::AddSquaredNorm(sum, p.grad());
    const double want = 7 + Norm(this->g) * Norm(this->g);
    ExpectNear(total, want, 0, "total", kRounding<TypeParam>);
    Doubles clipped = this->g;
    for (double &g : clipped) g *= std::min(1.0, limit / (std::sqrt(want) + 1e-6));
    optim::ClipByNorm(p.grad(), sum, limit);
    ExpectAll(p.gradients, clipped, "gradient");
  }
}

/// A weight or a gradient without a length: the ratio of the norms is 1, as in MXNet.
TEST(NormsEdges, OfNothing) {
  Problem<float> p(2);
  std::fill(p.weights.begin(), p.weights.end(), 0.0f);
  std::fill(p.gradients.begin(), p.gradients.end(), 2.0f);
  optim::Lars(p.weight(), p.state(0), p.grad(), 0.5f, 0.9f, 0.001f, 1e-9f, 0.1f);
  EXPECT_EQ(p.weights[0], -1.0f);
  Problem<float> q(2);
  std::fill(q.weights.begin(), q.weights.end(), 0.0f);
  std::fill(q.gradients.begin(), q.gradients.end(), 2.0f);
  optim::Lamb(q.weight(), q.state(0), q.state(1), q.grad(), 0.5f, 0.9f, 0.999f, 0.0f, 0.0f, 0.0f);
  EXPECT_NEAR(q.weights[0], -0.5, 1e-6);
}

/// Constant gradients of 1, and no epsilon: the corrected moments are 1, and each step is one of
/// the learning rate. In float 1 - 0.99999^t has two digits left.
TEST(BiasCorrection, KeepsTheDigits) {
  using Rule = std::function<void(Problem<float> &, float beta, int t)>;
  const Rule rules[] = {
      [](auto &p, float b, int t) {
        optim::Adam(p.weight(), p.state(0), p.state(1), p.grad(), 1, 0.9f, b, 0, 0, t);
      },
      [](auto &p, float b, int t) {
        optim::AdamEpsilonHat(p.weight(), p.state(0), p.state(1), p.grad(), 1, 0.9f, b, 0, 0, t);
      },
      [](auto &p, float b, int t) {
        optim::AMSGrad(p.weight(), p.state(0), p.state(1), p.state(2), p.grad(), 1, 0.9f, b, 0, 0,
                       t);
      },
      [](auto &p, float b, int t) {
        optim::MxnetAdam(p.weight(), p.state(0), p.state(1), p.grad(), 1, 0.9f, b, 0, 0, 1, -1, t);
      },
      [](auto &p, float b, int t) {
        optim::Mxnet1Adam(p.weight(), p.state(0), p.state(1), p.grad(), 1, 0.9f, b, 0, 0, 1, -1, t);
      },
      [](auto &p, float b, int t) {
        optim::AdamW(p.weight(), p.state(0), p.state(1), p.grad(), 1, 0.9f, b, 0, 0, t);
      },
      [](auto &p, float b, int t) {
        optim::AdamWInUpdate(p.weight(), p.state(0), p.state(1), p.grad(), 1, 0.9f, b, 0, 0, t);
      },
      [](auto &p, float b, int t) {
        optim::AdamWAfter(p.weight(), p.state(0), p.state(1), p.grad(), 1, 0.9f, b, 0, 0, t);
      },
      [](auto &p, float b, int t) {  // Adam's other moment
        optim::AdaMax(p.weight(), p.state(0), p.state(1), p.grad(), 1, b, 0.999f, 0, 0, t);
      },
  };
  for (const Rule &rule : rules) {
    for (const float beta : {0.999f, 0.9999f, 0.99999f}) {
      Problem<float> p(3);
      p.weights[0] = 0;
      p.gradients[0] = 1;
      for (int t = 1; t <= 5; ++t) {
        rule(p, beta, t);
        EXPECT_NEAR(p.weights[0], -t, t * 4e-7) << "rule " << &rule - rules << ", beta " << beta;
      }
    }
  }
}

TEST(OptimizerEdges, LionLeavesWeightsWithoutGradient) {
  Problem<float> p(1);
  const std::vector<float> before = p.weights;
  optim::Lion(p.weight(), p.state(0), p.grad());
  EXPECT_EQ(p.weights, before);
}

TEST(OptimizerEdges, CenteredRMSPropSurvivesAConstantGradient) {
  Problem<float> p(2);
  for (float &g : p.gradients) g = 1.7f;
  for (int t = 0; t < 5000; ++t) {
    optim::RMSPropCentered(p.weight(), p.state(0), p.state(1), p.grad(), 1e-6f);
  }
  for (float w : p.weights) ASSERT_TRUE(std::isfinite(w));
}

/// A step that is no number of an update would divide by 0.
TEST(OptimizerEdges, StepsAreFromOneOn) {
  Problem<float> p(2);
  const std::vector<float> before = p.weights;
  for (const int step : {0, -7, static_cast<int>(int64_t{1} << 40)}) {
    try {
      optim::Lamb(p.weight(), p.state(0), p.state(1), p.grad(), 1, 0.9f, 0.999f, 0, 0, 0, 10, step);
      ADD_FAILURE() << "step " << step;
    } catch (const mshadow::Error &error) {
      EXPECT_EQ(
          std::string(error.what()),
          "Lamb: argument 'step': expected a step of at least 1, got " + std::to_string(step));
    }
  }
  EXPECT_EQ(p.weights, before);
}

}  // namespace
