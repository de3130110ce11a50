// SPDX-License-Identifier: Apache-2.0
// The shipped optimizers that came after Adam and its forms, run unfused, against the formulas of
// their papers written in double precision.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "optimizer_check.h"
#include "specs/optim/adabelief.h"
#include "specs/optim/adagrad.h"
#include "specs/optim/adam.h"
#include "specs/optim/adan.h"
#include "specs/optim/ademamix.h"
#include "specs/optim/averaging.h"
#include "specs/optim/ftrl.h"
#include "specs/optim/rmsprop.h"
#include "specs/optim/sgd.h"
#include "specs/optim/sophia.h"

namespace {

using namespace mshadow_test;

template <typename DType>
class NewerOptimizer : public testing::Test {};
using AllTypes = testing::Types<float, double, mshadow::half::half_t, mshadow::bfloat::bf16_t>;
TYPED_TEST_SUITE(NewerOptimizer, AllTypes);

/// Zhuang et al. 2020, Algorithm 2.
template <typename D>
void CheckAdaBelief(bool decoupled) {
  constexpr float kRoot = 0.002f;
  Check<D>(
      2,
      [&](Problem<D> &p, int t) {
        optim::AdaBelief(p.weight(), p.state(0), p.state(1), p.grad(), kLr, kBeta1, kBeta2, kEps,
                         kRoot, kDecay, decoupled, t);
      },
      [&](Element *e, double g, int t) {
        g = Decayed(e, g, decoupled, false);
        e->s[0] = beta1 * e->s[0] + (1 - beta1) * g;
        e->s[1] = beta2 * e->s[1] + (1 - beta2) * (g - e->s[0]) * (g - e->s[0]) + kRoot;
        e->w -= lr * e->s[0] / Bias(beta1, t) / (std::sqrt(e->s[1] / Bias(beta2, t)) + eps);
      });
}
TYPED_TEST(NewerOptimizer, AdaBelief) { CheckAdaBelief<TypeParam>(false); }
TYPED_TEST(NewerOptimizer, AdaBeliefDecoupled) { CheckAdaBelief<TypeParam>(true); }

/// Zaheer et al. 2018, Algorithm 2.
TYPED_TEST(NewerOptimizer, Yogi) {
  using D = TypeParam;
  Check<D>(
      2,
      [](Problem<D> &p, int t) {
        optim::Yogi(p.weight(), p.state(0), p.state(1), p.grad(), kLr, kBeta1, kBeta2, kEps, kDecay,
                    t);
      },
      [](Element *e, double g, int t) {
        g += decay * e->w;
        e->s[0] = beta1 * e->s[0] + (1 - beta1) * g;
        e->s[1] -= (1 - beta2) * Sign(e->s[1] - g * g) * g * g;
        e->w -= lr * e->s[0] / Bias(beta1, t) / (std::sqrt(e->s[1] / Bias(beta2, t)) + eps);
      });
}

/// Xie et al. 2022, Algorithm 1, with the authors' betas; state 3 is the last gradient.
TYPED_TEST(NewerOptimizer, Adan) {
  using D = TypeParam;
  constexpr float kBeta3 = 0.93f;
  Check<D>(
      4,
      [](Problem<D> &p, int t) {
        optim::Adan(p.weight(), p.state(0), p.state(1), p.state(2), p.state(3), p.grad(), kLr,
                    kBeta1, kBeta2, kBeta3, kEps, kDecay, t);
      },
      [](Element *e, double g, int t) {
        const double change = t == 1 ? 0 : g - e->s[3], beta3 = kBeta3;
        e->s[0] = beta1 * e->s[0] + (1 - beta1) * g;
        e->s[1] = beta2 * e->s[1] + (1 - beta2) * change;
        e->s[2] = beta3 * e->s[2] + (1 - beta3) * std::pow(g + beta2 * change, 2);
        e->s[3] = g;
        const double ahead = e->s[0] / Bias(beta1, t) + beta2 * e->s[1] / Bias(beta2, t);
        const double eta = lr / (std::sqrt(e->s[2] / Bias(beta3, t)) + eps);
        e->w = (e->w - eta * ahead) / (1 + lr * decay);
      });
}

/// Pagliardini et al. 2024, Algorithm 1, whose schedules end within these steps.
TYPED_TEST(NewerOptimizer, AdEMAMix) {
  using D = TypeParam;
  constexpr float kBeta3 = 0.99f, kAlpha = 4.0f;
  for (const int warmup : {0, 5}) {
    Check<D>(
        3,
        [&](Problem<D> &p, int t) {
          optim::AdEMAMix(p.weight(), p.state(0), p.state(1), p.state(2), p.grad(), kLr, kBeta1,
                          kBeta2, kBeta3, kAlpha, kEps, kDecay, warmup, t);
        },
        [&](Element *e, double g, int t) {
          const double part = warmup == 0 ? 1 : std::min(1.0, static_cast<double>(t) / warmup);
          // Half lives, which grow linearly: ln(1/2) / ln(beta) - 1.
          const double fast = std::log(0.5) / std::log(beta1);
          const double slow = std::log(0.5) / std::log(static_cast<double>(kBeta3));
          const double b = std::pow(0.5, 1 / ((1 - part) * fast + part * slow));
          e->s[0] = beta1 * e->s[0] + (1 - beta1) * g;
          e->s[1] = b * e->s[1] + (1 - b) * g;
          e->s[2] = beta2 * e->s[2] + (1 - beta2) * g * g;
          const double mean = e->s[0] / Bias(beta1, t) + kAlpha * part * e->s[1];
          const double root = std::sqrt(e->s[2] / Bias(beta2, t)) + eps;
          e->w -= lr * (mean / root + decay * e->w);
        },
        7);
  }
}

/// Defazio et al. 2024, (3) to (5): the three sequences, of which a rule keeps y and z.
struct ScheduleFree {
  double sum = 0;
  double rate(int t, int warmup) const { return t < warmup ? lr * t / warmup : lr; }
  /// What step t does to y (w) and z, state `k`, in the direction d.
  void Step(Element *e, int k, double d, int t, int warmup) const {
    double squares = 0;
    for (int i = 1; i <= t; ++i) squares += rate(i, warmup) * rate(i, warmup);
    const double share = rate(t, warmup) * rate(t, warmup) / squares;
    const double z = t == 1 ? e->w : e->s[k];
    const double x = (e->w - (1 - beta1) * z) / beta1;
    e->s[k] = z - rate(t, warmup) * d;
    const double average = (1 - share) * x + share * e->s[k];
    e->w = (1 - beta1) * e->s[k] + beta1 * average;
  }
};

TYPED_TEST(NewerOptimizer, ScheduleFreeSGD) {
  using D = TypeParam;
  for (const int warmup : {0, 3}) {
    Check<D>(
        1,
        [&](Problem<D> &p, int t) {
          optim::ScheduleFreeSGD(p.weight(), p.state(0), p.grad(), kLr, kBeta1, kDecay, warmup, t);
        },
        [&](Element *e, double g, int t) {
          ScheduleFree().Step(e, 0, g + decay * e->w, t, warmup);
        },
        6);
  }
}

TYPED_TEST(NewerOptimizer, ScheduleFreeAdamW) {
  using D = TypeParam;
  for (const int warmup : {0, 3}) {
    Check<D>(
        2,
        [&](Problem<D> &p, int t) {
          optim::ScheduleFreeAdamW(p.weight(), p.state(0), p.state(1), p.grad(), kLr, kBeta1,
                                   kBeta2, kEps, kDecay, warmup, t);
        },
        [&](Element *e, double g, int t) {
          e->s[1] = beta2 * e->s[1] + (1 - beta2) * g * g;
          const double d = g / (std::sqrt(e->s[1] / Bias(beta2, t)) + eps) + decay * e->w;
          ScheduleFree().Step(e, 0, d, t, warmup);
        },
        6);
  }
}

/// y = (1 - momentum) z + momentum x, as the rule's x gives it back.
TYPED_TEST(NewerOptimizer, ScheduleFreeWeights) {
  using D = TypeParam;
  Problem<D> p(1);
  Values values;
  for (auto &z : p.storage[0]) z = values.Next();
  optim::ScheduleFreeWeights(p.grad(), p.weight(), p.state(0), kBeta1);
  for (int i = 0; i < kSize; ++i) {
    const double x = (InDouble(p.weights[i]) - (1 - beta1) * p.storage[0][i]) / beta1;
    ExpectNear(InDouble(p.gradients[i]), x, HalfUlp<D>(), "x", kRounding<D>);
  }
}

/// Liu et al. 2023, Algorithms 2 and 3; state 1 is the Hessian, which some steps leave.
TYPED_TEST(NewerOptimizer, Sophia) {
  using D = TypeParam;
  constexpr float kRho = 0.5f, kBatch = 4.0f;
  Check<D>(
      2,
      [](Problem<D> &p, int t) {
        if (t % 2 == 1) optim::SophiaHessian(p.state(1), p.grad(), kBeta2);
        optim::SophiaG(p.weight(), p.state(0), p.state(1), p.grad(), kLr, kBeta1, kRho, kBatch,
                       kEps, kDecay);
      },
      [](Element *e, double g, int t) {
        if (t % 2 == 1) e->s[1] = beta2 * e->s[1] + (1 - beta2) * g * g;
        e->s[0] = beta1 * e->s[0] + (1 - beta1) * g;
        const double ratio = std::fabs(e->s[0]) / (kRho * kBatch * e->s[1] + eps);
        e->w -= lr * decay * e->w;
        e->w -= lr * Sign(e->s[0]) * std::min(ratio, 1.0);
      });
}

/// Zheng and Kwok 2017, Algorithm 1; states are d, v and z.
TYPED_TEST(NewerOptimizer, Ftml) {
  using D = TypeParam;
  Check<D>(
      3,
      [](Problem<D> &p, int t) {
        optim::Ftml(p.weight(), p.state(0), p.state(1), p.state(2), p.grad(), kLr, kBeta1, kBeta2,
                    kEps, kDecay, t);
      },
      [](Element *e, double g, int t) {
        g += decay * e->w;
        e->s[1] = beta2 * e->s[1] + (1 - beta2) * g * g;
        const double d = Bias(beta1, t) / lr * (std::sqrt(e->s[1] / Bias(beta2, t)) + eps);
        const double sigma = d - beta1 * e->s[0];
        e->s[2] = beta1 * e->s[2] + (1 - beta1) * g - sigma * e->w;
        e->s[0] = d;
        e->w = -e->s[2] / d;
      });
}

/// Welling and Teh 2011, (4): half a step of the gradient, and noise of the variance of the step.
TYPED_TEST(NewerOptimizer, SGLD) {
  using D = TypeParam;
  Check<D>(
      1,
      [](Problem<D> &p, int) {
        Values noise;
        for (auto &x : p.storage[0]) x = 2 * noise.Next();
        optim::SGLD(p.weight(), p.grad(), p.state(0), kLr, kDecay);
      },
      [noise = Values(), left = 0](Element *e, double g, int) mutable {
        if (left-- == 0) noise = Values(), left = kSize - 1;
        e->s[0] = 2 * noise.Next();
        e->w -= lr / 2 * (g + decay * e->w);
        e->w += std::sqrt(lr) * e->s[0];
      });
}

/// apex, csrc/multi_tensor_sgd_kernel.cu with wd_after_momentum.
TYPED_TEST(NewerOptimizer, ApexSGDDecayAfter) {
  using D = TypeParam;
  constexpr float kDampening = 0.4f;
  for (const bool nesterov : {false, true}) {
    Check<D>(
        1,
        [&](Problem<D> &p, int t) {
          optim::ApexSGDDecayAfter(p.weight(), p.state(0), p.grad(), kLr, kMu, kDampening, kDecay,
                                   nesterov, t);
        },
        [&](Element *e, double g, int t) {
          e->s[0] = t == 1 ? g : mu * e->s[0] + (1.0 - kDampening) * g;
          double d = nesterov ? g + mu * e->s[0] : e->s[0];
          d += decay * e->w;
          e->w -= lr * d;
        });
  }
}

/// cxxnet, nag_updater-inl.hpp.
TYPED_TEST(NewerOptimizer, CxxnetNAG) {
  using D = TypeParam;
  Check<D>(
      1,
      [](Problem<D> &p, int) {
        optim::CxxnetNAG(p.weight(), p.state(0), p.grad(), kLr, kMu, kDecay);
      },
      [](Element *e, double g, int) {
        const double old = e->s[0];
        e->s[0] = mu * old - lr * (g + decay * e->w);
        e->w += (1 + mu) * e->s[0] - mu * old;
      });
}

/// cxxnet, adam_updater-inl.hpp: with the sign that its decay has.
TYPED_TEST(NewerOptimizer, CxxnetAdam) {
  using D = TypeParam;
  constexpr float kShare1 = 0.15f, kShare2 = 0.03f;
  Check<D>(
      2,
      [](Problem<D> &p, int t) {
        optim::CxxnetAdam(p.weight(), p.state(0), p.state(1), p.grad(), kLr, kShare1, kShare2, kEps,
                          kDecay, t);
      },
      [](Element *e, double g, int t) {
        const double share1 = kShare1, share2 = kShare2;
        g -= decay * e->w;
        e->s[0] += share1 * (g - e->s[0]);
        e->s[1] += share2 * (g * g - e->s[1]);
        const double rate = lr * std::sqrt(Bias(1 - share2, t)) / Bias(1 - share1, t);
        e->w -= rate * e->s[0] / (std::sqrt(e->s[1]) + eps);
      });
}

/// tf.keras' optimizer Adagrad.
TYPED_TEST(NewerOptimizer, TensorFlowAdagrad) {
  using D = TypeParam;
  Check<D>(
      1,
      [](Problem<D> &p, int) {
        optim::TensorFlowAdagrad(p.weight(), p.state(0), p.grad(), kLr, kEps);
      },
      [](Element *e, double g, int) {
        e->s[0] += g * g;
        e->w -= lr * g / std::sqrt(e->s[0] + eps);
      });
}

/// TensorFlow's ApplyRMSProp and ApplyCenteredRMSProp; the last state is the mean of the gradient.
TYPED_TEST(NewerOptimizer, TensorFlowRMSProp) {
  using D = TypeParam;
  for (const bool centered : {false, true}) {
    Check<D>(
        centered ? 3 : 2,
        [&](Problem<D> &p, int) {
          if (centered) {
            optim::TensorFlowRMSPropCentered(p.weight(), p.state(0), p.state(2), p.state(1),
                                             p.grad(), kLr, kBeta1, kMu, kEps);
          } else {
            optim::TensorFlowRMSProp(p.weight(), p.state(0), p.state(1), p.grad(), kLr, kBeta1, kMu,
                                     kEps);
          }
        },
        [&](Element *e, double g, int) {
          e->s[0] += (g * g - e->s[0]) * (1 - beta1);
          double denominator = e->s[0] + eps;
          if (centered) {
            e->s[2] += (g - e->s[2]) * (1 - beta1);
            denominator -= e->s[2] * e->s[2];
          }
          e->s[1] = mu * e->s[1] + lr * g / std::sqrt(denominator);
          e->w -= e->s[1];
        });
  }
}

/// TensorFlow's ApplyFtrlV2, from an accumulator that is not 0.
TYPED_TEST(NewerOptimizer, TensorFlowFtrl) {
  using D = TypeParam;
  constexpr float kPower = -0.4f, kL1 = 0.3f, kL2 = 0.2f, kShrinkage = 0.05f, kBeta = 0.5f;
  Check<D>(
      2,
      [](Problem<D> &p, int t) {
        if (t == 1) p.storage[1].assign(kSize, 0.1f);
        optim::TensorFlowFtrl(p.weight(), p.state(0), p.state(1), p.grad(), kLr, kPower, kL1, kL2,
                              kShrinkage, kBeta);
      },
      [](Element *e, double g, int t) {
        if (t == 1) e->s[1] = 0.1f;
        const double shrunk = g + 2 * static_cast<double>(kShrinkage) * e->w, power = -kPower;
        const double sum = e->s[1] + g * g;
        e->s[0] += shrunk - (std::pow(sum, power) - std::pow(e->s[1], power)) / lr * e->w;
        e->s[1] = sum;
        const double quadratic = (std::pow(sum, power) + kBeta) / lr + 2 * static_cast<double>(kL2);
        const double beyond = std::fabs(e->s[0]) - kL1;
        e->w = beyond > 0 ? -Sign(e->s[0]) * beyond / quadratic : 0;
      });
}

}  // namespace
