// SPDX-License-Identifier: Apache-2.0
// The shipped optimizers in PyTorch's order that have double and maximize, run unfused, against
// their formulas written in double precision. The older ones are in unfused_specs_test.cc as well,
// in the shorter types.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "optimizer_check.h"
#include "specs/optim/adadelta.h"
#include "specs/optim/adagrad.h"
#include "specs/optim/adam.h"
#include "specs/optim/adamax.h"
#include "specs/optim/averaging.h"
#include "specs/optim/nadam.h"
#include "specs/optim/rmsprop.h"
#include "specs/optim/rprop.h"
#include "specs/optim/sgd.h"

namespace {

using namespace mshadow_test;

template <typename DType>
class TorchOptimizer : public testing::Test {};
using AllTypes = testing::Types<float, double, mshadow::half::half_t, mshadow::bfloat::bf16_t>;
TYPED_TEST_SUITE(TorchOptimizer, AllTypes);

double NAdamMomentum(int t) { return beta1 * (1.0 - 0.5 * std::pow(0.96, 0.5 * t)); }

template <typename D>
void CheckNAdam(bool decoupled, bool maximize) {
  mshadow::Promoted<D> product = 1;
  const Tensor<cpu, 1, mshadow::Promoted<D>> mu_product(&product, mshadow::Shape1(1));
  Check<D>(
      2,
      [&](Problem<D> &p, int t) {
        optim::NAdam(p.weight(), p.state(0), p.state(1), mu_product, p.grad(), kLr, kBeta1, kBeta2,
                     kEps, kDecay, 0.5, decoupled, t, maximize);
      },
      [&](Element *e, double g, int t) {
        g = Decayed(e, g, decoupled, maximize);
        Moments(e, g);
        double all = 1;
        for (int i = 1; i <= t; ++i) all *= NAdamMomentum(i);
        const double mu = NAdamMomentum(t), next = NAdamMomentum(t + 1);
        const double root = std::sqrt(e->s[1] / Bias(beta2, t)) + eps;
        e->w -= lr * (1 - mu) / (1 - all) * g / root;
        e->w -= lr * next / (1 - all * next) * e->s[0] / root;
      });
}
TYPED_TEST(TorchOptimizer, NAdam) { CheckNAdam<TypeParam>(false, false); }
TYPED_TEST(TorchOptimizer, NAdamDecoupledAndMaximized) { CheckNAdam<TypeParam>(true, true); }

/// Liu et al. 2020, Algorithm 2: with this beta2 the first five steps are those of the mean alone.
template <typename D>
void CheckRAdam(bool decoupled, bool maximize) {
  Check<D>(
      2,
      [&](Problem<D> &p, int t) {
        optim::RAdam(p.weight(), p.state(0), p.state(1), p.grad(), kLr, kBeta1, kBeta2, kEps,
                     kDecay, decoupled, t, maximize);
      },
      [&](Element *e, double g, int t) {
        Moments(e, Decayed(e, g, decoupled, maximize));
        const double mean = e->s[0] / Bias(beta1, t);
        const double longest = 2 / (1 - beta2) - 1;
        const double length = longest - 2 * t * std::pow(beta2, t) / Bias(beta2, t);
        EXPECT_EQ(length > 5, t > 5);
        if (length <= 5) {
          e->w -= lr * mean;
          return;
        }
        const double rectified = std::sqrt((length - 4) * (length - 2) * longest /
                                           ((longest - 4) * (longest - 2) * length));
        e->w -= lr * mean * rectified * std::sqrt(Bias(beta2, t)) / (std::sqrt(e->s[1]) + eps);
      },
      8);
}
TYPED_TEST(TorchOptimizer, RAdam) { CheckRAdam<TypeParam>(false, false); }
TYPED_TEST(TorchOptimizer, RAdamDecoupledAndMaximized) { CheckRAdam<TypeParam>(true, true); }

/// Riedmiller & Braun 1993, with limits that step sizes reach.
template <typename D>
void CheckRprop(bool maximize) {
  constexpr float kMinus = 0.4f, kPlus = 1.3f, kMin = 0.004f, kMax = 0.03f;
  Check<D>(
      2,
      [&](Problem<D> &p, int t) {
        optim::Rprop(p.weight(), p.state(0), p.state(1), p.grad(), kLr, kMinus, kPlus, kMin, kMax,
                     t, maximize);
      },
      [&](Element *e, double g, int t) {
        if (maximize) g = -g;
        if (t == 1) e->s[1] = lr;
        const double product = Sign(g * e->s[0]);
        e->s[1] *= product > 0 ? kPlus : product < 0 ? kMinus : 1.0f;
        e->s[1] = std::min<double>(std::max<double>(e->s[1], kMin), kMax);
        e->s[0] = product < 0 ? 0 : g;
        e->w -= Sign(e->s[0]) * e->s[1];
      },
      8);
}
TYPED_TEST(TorchOptimizer, Rprop) { CheckRprop<TypeParam>(false); }
TYPED_TEST(TorchOptimizer, RpropMaximized) { CheckRprop<TypeParam>(true); }

/// Bottou 2010, section 2.1; the average is that of the weights as they are stored.
TYPED_TEST(TorchOptimizer, ASGD) {
  using D = TypeParam;
  constexpr float kLambda = 0.25f, kAlpha = 0.6f;
  double average[kSize] = {};
  Problem<D> p(1);
  Values values;
  for (int t = 1; t <= 6; ++t) {
    std::vector<double> want(kSize);
    for (int i = 0; i < kSize; ++i) {
      p.gradients[i] = D(3.0f * values.Next());
      const double w = InDouble(p.weights[i]),
                   eta = lr / std::pow(1 + kLambda * lr * (t - 1), kAlpha);
      want[i] = (1 - kLambda * eta) * w - eta * (-InDouble(p.gradients[i]) + decay * w);
    }
    optim::ASGD(p.weight(), p.state(0), p.grad(), kLr, kLambda, kAlpha, 2.0, kDecay, t, true);
    const double mu = 1 / std::max(1.0, t - 1 - 2.0);
    for (int i = 0; i < kSize; ++i) {
      ExpectNear(InDouble(p.weights[i]), want[i], HalfUlp<D>(), "weight", kRounding<D>);
      average[i] += mu * (InDouble(p.weights[i]) - average[i]);
      ExpectNear(p.storage[0][i], average[i], 0.0, "average", kRounding<D>);
    }
  }
}

// The older rules, in double and uphill: what unfused_specs_test.cc lacks.
TEST(Uphill, SGD) {
  Check<double>(
      0, [](Problem<double> &p, int) { optim::SGD(p.weight(), p.grad(), kLr, kDecay, true); },
      [](Element *e, double g, int) { e->w -= lr * (decay * e->w - g); });
}
TEST(Uphill, SGDMomentum) {
  Check<double>(
      1,
      [](Problem<double> &p, int t) {
        optim::SGDMomentum(p.weight(), p.state(0), p.grad(), kLr, kMu, 0.25, kDecay, t, true);
      },
      [](Element *e, double g, int t) {
        g = decay * e->w - g;
        e->s[0] = t == 1 ? g : mu * e->s[0] + 0.75 * g;
        e->w -= lr * e->s[0];
      });
}
TEST(Uphill, NAG) {
  Check<double>(
      1,
      [](Problem<double> &p, int) {
        optim::NAG(p.weight(), p.state(0), p.grad(), kLr, kMu, kDecay, true);
      },
      [](Element *e, double g, int) {
        g = decay * e->w - g;
        e->s[0] = mu * e->s[0] + g;
        e->w -= lr * (g + mu * e->s[0]);
      });
}
void CheckAdamUphill(bool largest, bool decoupled) {
  Check<double>(
      3,
      [&](Problem<double> &p, int t) {
        if (largest) {
          optim::AMSGrad(p.weight(), p.state(0), p.state(1), p.state(2), p.grad(), kLr, kBeta1,
                         kBeta2, kEps, kDecay, t, true, decoupled);
        } else {
          optim::Adam(p.weight(), p.state(0), p.state(1), p.grad(), kLr, kBeta1, kBeta2, kEps,
                      kDecay, t, true, decoupled);
        }
      },
      [&](Element *e, double g, int t) {
        Moments(e, Decayed(e, g, decoupled, true));
        if (largest) e->s[2] = std::max(e->s[2], e->s[1]);
        const double root = std::sqrt(e->s[largest ? 2 : 1] / Bias(beta2, t)) + eps;
        e->w -= lr * e->s[0] / Bias(beta1, t) / root;
      });
}
TEST(Uphill, Adam) { CheckAdamUphill(false, false); }
TEST(Uphill, AMSGrad) { CheckAdamUphill(true, false); }
TEST(Uphill, AdamWithDecoupledDecay) { CheckAdamUphill(false, true); }
TEST(Uphill, AMSGradWithDecoupledDecay) { CheckAdamUphill(true, true); }

TEST(Uphill, AdaMax) {
  Check<double>(
      2,
      [](Problem<double> &p, int t) {
        optim::AdaMax(p.weight(), p.state(0), p.state(1), p.grad(), kLr, kBeta1, kBeta2, kEps,
                      kDecay, t, true);
      },
      [](Element *e, double g, int t) {
        g = decay * e->w - g;
        e->s[0] = beta1 * e->s[0] + (1 - beta1) * g;
        e->s[1] = std::max(beta2 * e->s[1], std::fabs(g) + eps);
        e->w -= lr / Bias(beta1, t) * e->s[0] / e->s[1];
      });
}
TEST(Uphill, RMSProp) {
  for (const int form : {0, 1, 2, 3}) {  // 1 and 3 with momentum, 2 and 3 centered
    const bool has_momentum = form % 2 == 1, is_centered = form >= 2;
    Check<double>(
        3,
        [&](Problem<double> &p, int) {
          const auto w = p.weight(), v = p.state(0), m = p.state(1), b = p.state(2), g = p.grad();
          if (form == 0) optim::RMSProp(w, v, g, kLr, kBeta1, kEps, kDecay, true);
          if (form == 1) {
            optim::RMSPropMomentum(w, v, b, g, kLr, kBeta1, kMu, kEps, kDecay, true);
          }
          if (form == 2) optim::RMSPropCentered(w, v, m, g, kLr, kBeta1, kEps, kDecay, true);
          if (form == 3) {
            optim::RMSPropCenteredMomentum(w, v, m, b, g, kLr, kBeta1, kMu, kEps, kDecay, true);
          }
        },
        [&](Element *e, double g, int) {
          g = decay * e->w - g;
          e->s[0] = beta1 * e->s[0] + (1 - beta1) * g * g;
          if (is_centered) e->s[1] = beta1 * e->s[1] + (1 - beta1) * g;
          const double step = g / (std::sqrt(e->s[0] - e->s[1] * e->s[1]) + eps);
          if (has_momentum) e->s[2] = mu * e->s[2] + step;
          e->w -= lr * (has_momentum ? e->s[2] : step);
        });
  }
}
TEST(Uphill, Adagrad) {
  Check<double>(
      1,
      [](Problem<double> &p, int t) {
        optim::Adagrad(p.weight(), p.state(0), p.grad(), kLr, 0.25, kEps, kDecay, t, true);
      },
      [](Element *e, double g, int t) {
        g = decay * e->w - g;
        e->s[0] += g * g;
        e->w -= lr / (1 + (t - 1) * 0.25) * g / (std::sqrt(e->s[0]) + eps);
      });
}
TEST(Uphill, Adadelta) {
  Check<double>(
      2,
      [](Problem<double> &p, int) {
        optim::Adadelta(p.weight(), p.state(0), p.state(1), p.grad(), kLr, kMu, kEps, true);
      },
      [](Element *e, double g, int) {
        e->s[0] = mu * e->s[0] + (1 - mu) * g * g;
        const double d = std::sqrt(e->s[1] + eps) / std::sqrt(e->s[0] + eps) * -g;
        e->s[1] = mu * e->s[1] + (1 - mu) * d * d;
        e->w -= lr * d;
      });
}

}  // namespace
