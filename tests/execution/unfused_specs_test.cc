// SPDX-License-Identifier: Apache-2.0
// The shipped optimizers, run unfused, against the formulas of their papers written in double
// precision.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "optimizer_check.h"
#include "specs/optim/adadelta.h"
#include "specs/optim/adagrad.h"
#include "specs/optim/adam.h"
#include "specs/optim/adamax.h"
#include "specs/optim/adamw.h"
#include "specs/optim/ftrl.h"
#include "specs/optim/lion.h"
#include "specs/optim/rmsprop.h"
#include "specs/optim/sgd.h"
#include "specs/optim/signum.h"

namespace {

using namespace mshadow_test;

template <typename DType>
class Optimizer : public testing::Test {};
using AllTypes = testing::Types<float, double, mshadow::half::half_t, mshadow::bfloat::bf16_t>;
TYPED_TEST_SUITE(Optimizer, AllTypes);

/// AdamW, which has no double.
template <typename DType>
class FloatOptimizer : public testing::Test {};
using FloatTypes = testing::Types<float, mshadow::half::half_t, mshadow::bfloat::bf16_t>;
TYPED_TEST_SUITE(FloatOptimizer, FloatTypes);

double Clipped(double g) { return std::fmax(std::fmin(kScale * g, kClip), -kClip); }
double MxnetGrad(const Element &e, double g) { return Clipped(g) + decay * e.w; }
double Mxnet1Grad(const Element &e, double g) {
  return std::fmax(std::fmin(kScale * g + decay * e.w, kClip), -kClip);
}

TYPED_TEST(Optimizer, SGD) {
  using D = TypeParam;
  Check<D>(
      0, [](Problem<D> &p, int) { optim::SGD(p.weight(), p.grad(), kLr, kDecay); },
      [](Element *e, double g, int) { e->w -= lr * (g + decay * e->w); });
}

TYPED_TEST(Optimizer, SGDMomentum) {
  using D = TypeParam;
  constexpr float kDampening = 0.4f;
  Check<D>(
      1,
      [](Problem<D> &p, int t) {
        optim::SGDMomentum(p.weight(), p.state(0), p.grad(), kLr, kMu, kDampening, kDecay, t);
      },
      [](Element *e, double g, int t) {
        g += decay * e->w;
        e->s[0] = t == 1 ? g : mu * e->s[0] + (1.0 - kDampening) * g;
        e->w -= lr * e->s[0];
      });
}

TYPED_TEST(Optimizer, NAG) {
  using D = TypeParam;
  Check<D>(
      1, [](Problem<D> &p, int) { optim::NAG(p.weight(), p.state(0), p.grad(), kLr, kMu, kDecay); },
      [](Element *e, double g, int) {
        g += decay * e->w;
        e->s[0] = mu * e->s[0] + g;
        e->w -= lr * (g + mu * e->s[0]);
      });
}

TYPED_TEST(Optimizer, MxnetSGD) {
  using D = TypeParam;
  Check<D>(
      0,
      [](Problem<D> &p, int) { optim::MxnetSGD(p.weight(), p.grad(), kLr, kDecay, kScale, kClip); },
      [](Element *e, double g, int) { e->w -= lr * MxnetGrad(*e, g); });
}

TYPED_TEST(Optimizer, MxnetSGDWithoutClip) {
  using D = TypeParam;
  Check<D>(
      0,
      [](Problem<D> &p, int) { optim::MxnetSGD(p.weight(), p.grad(), kLr, kDecay, kScale, -1.0f); },
      [](Element *e, double g, int) { e->w -= lr * (kScale * g + decay * e->w); });
}

TYPED_TEST(Optimizer, MxnetSGDMomentum) {
  using D = TypeParam;
  Check<D>(
      1,
      [](Problem<D> &p, int) {
        optim::MxnetSGDMomentum(p.weight(), p.state(0), p.grad(), kLr, kMu, kDecay, kScale, kClip);
      },
      [](Element *e, double g, int) {
        e->s[0] = mu * e->s[0] - lr * MxnetGrad(*e, g);
        e->w += e->s[0];
      });
}

TYPED_TEST(Optimizer, MxnetNAG) {
  using D = TypeParam;
  Check<D>(
      1,
      [](Problem<D> &p, int) {
        optim::MxnetNAG(p.weight(), p.state(0), p.grad(), kLr, kMu, kDecay, kScale, kClip);
      },
      [](Element *e, double g, int) {
        const double d = lr * MxnetGrad(*e, g);
        e->s[0] = mu * e->s[0] - d;
        e->w += mu * e->s[0] - d;
      });
}

// The update that the rules of the Adam family share.
double AdamUpdate(const Element &e, int t) {
  return e.s[0] / Bias(beta1, t) / (std::sqrt(e.s[1] / Bias(beta2, t)) + eps);
}

TYPED_TEST(Optimizer, Adam) {
  using D = TypeParam;
  Check<D>(
      2,
      [](Problem<D> &p, int t) {
        optim::Adam(p.weight(), p.state(0), p.state(1), p.grad(), kLr, kBeta1, kBeta2, kEps, kDecay,
                    t);
      },
      [](Element *e, double g, int t) {
        Moments(e, g + decay * e->w);
        e->w -= lr * AdamUpdate(*e, t);
      });
}

TYPED_TEST(Optimizer, AdamEpsilonHat) {
  using D = TypeParam;
  Check<D>(
      2,
      [](Problem<D> &p, int t) {
        optim::AdamEpsilonHat(p.weight(), p.state(0), p.state(1), p.grad(), kLr, kBeta1, kBeta2,
                              kEps, kDecay, t);
      },
      [](Element *e, double g, int t) {
        Moments(e, g + decay * e->w);
        const double rate = lr * std::sqrt(Bias(beta2, t)) / Bias(beta1, t);
        e->w -= rate * e->s[0] / (std::sqrt(e->s[1]) + eps);
      });
}

TYPED_TEST(Optimizer, AMSGrad) {
  using D = TypeParam;
  Check<D>(
      3,
      [](Problem<D> &p, int t) {
        optim::AMSGrad(p.weight(), p.state(0), p.state(1), p.state(2), p.grad(), kLr, kBeta1,
                       kBeta2, kEps, kDecay, t);
      },
      [](Element *e, double g, int t) {
        Moments(e, g + decay * e->w);
        e->s[2] = std::fmax(e->s[2], e->s[1]);
        const double root = std::sqrt(e->s[2] / Bias(beta2, t)) + eps;
        e->w -= lr * e->s[0] / Bias(beta1, t) / root;
      });
}

TYPED_TEST(Optimizer, MxnetAdam) {
  using D = TypeParam;
  Check<D>(
      2,
      [](Problem<D> &p, int t) {
        optim::MxnetAdam(p.weight(), p.state(0), p.state(1), p.grad(), kLr, kBeta1, kBeta2, kEps,
                         kDecay, kScale, kClip, t);
      },
      [](Element *e, double g, int t) {
        Moments(e, MxnetGrad(*e, g));
        const double rate = lr * std::sqrt(Bias(beta2, t)) / Bias(beta1, t);
        e->w -= rate * e->s[0] / (std::sqrt(e->s[1]) + eps);
      });
}

TYPED_TEST(Optimizer, Mxnet1Adam) {
  using D = TypeParam;
  Check<D>(
      2,
      [](Problem<D> &p, int t) {
        optim::Mxnet1Adam(p.weight(), p.state(0), p.state(1), p.grad(), kLr, kBeta1, kBeta2, kEps,
                          kDecay, kScale, kClip, t);
      },
      [](Element *e, double g, int t) {
        Moments(e, Mxnet1Grad(*e, g));
        const double rate = lr * std::sqrt(Bias(beta2, t)) / Bias(beta1, t);
        e->w -= rate * e->s[0] / (std::sqrt(e->s[1]) + eps);
      });
}

TYPED_TEST(FloatOptimizer, AdamW) {
  using D = TypeParam;
  Check<D>(
      2,
      [](Problem<D> &p, int t) {
        optim::AdamW(p.weight(), p.state(0), p.state(1), p.grad(), kLr, kBeta1, kBeta2, kEps,
                     kDecay, t);
      },
      [](Element *e, double g, int t) {
        Moments(e, g);
        e->w *= 1.0 - lr * decay;
        e->w -= lr * AdamUpdate(*e, t);
      });
}

TYPED_TEST(Optimizer, AdamWInUpdate) {
  using D = TypeParam;
  Check<D>(
      2,
      [](Problem<D> &p, int t) {
        optim::AdamWInUpdate(p.weight(), p.state(0), p.state(1), p.grad(), kLr, kBeta1, kBeta2,
                             kEps, kDecay, t);
      },
      [](Element *e, double g, int t) {
        Moments(e, g);
        e->w -= lr * (AdamUpdate(*e, t) + decay * e->w);
      });
}

TYPED_TEST(Optimizer, AdamWAfter) {
  using D = TypeParam;
  Check<D>(
      2,
      [](Problem<D> &p, int t) {
        optim::AdamWAfter(p.weight(), p.state(0), p.state(1), p.grad(), kLr, kBeta1, kBeta2, kEps,
                          kDecay, t);
      },
      [](Element *e, double g, int t) {
        Moments(e, g);
        e->w -= lr * AdamUpdate(*e, t);
        e->w *= 1.0 - lr * decay;
      });
}

TYPED_TEST(Optimizer, MxnetAdamW) {
  using D = TypeParam;
  constexpr float kEta = 0.6f;
  Check<D>(
      2,
      [](Problem<D> &p, int) {
        optim::MxnetAdamW(p.weight(), p.state(0), p.state(1), p.grad(), kLr, kEta, kBeta1, kBeta2,
                          kEps, kDecay, kScale, kClip);
      },
      [](Element *e, double g, int) {
        Moments(e, Clipped(g));
        e->w -= kEta * (lr * e->s[0] / (std::sqrt(e->s[1]) + eps) + decay * e->w);
      });
}

// RMSProp's running means, of rate beta2: s[0] of the square, s[1] of the gradient.
void Square(Element *e, double g) { e->s[0] = beta2 * e->s[0] + (1.0 - beta2) * g * g; }
void Mean(Element *e, double g) { e->s[1] = beta2 * e->s[1] + (1.0 - beta2) * g; }
double Centered(const Element &e) { return std::fmax(e.s[0] - e.s[1] * e.s[1], 0.0); }

TYPED_TEST(Optimizer, RMSProp) {
  using D = TypeParam;
  Check<D>(
      1,
      [](Problem<D> &p, int) {
        optim::RMSProp(p.weight(), p.state(0), p.grad(), kLr, kBeta2, kEps, kDecay);
      },
      [](Element *e, double g, int) {
        g += decay * e->w;
        Square(e, g);
        e->w -= lr * g / (std::sqrt(e->s[0]) + eps);
      });
}

TYPED_TEST(Optimizer, RMSPropMomentum) {
  using D = TypeParam;
  Check<D>(
      2,
      [](Problem<D> &p, int) {
        optim::RMSPropMomentum(p.weight(), p.state(0), p.state(1), p.grad(), kLr, kBeta2, kMu, kEps,
                               kDecay);
      },
      [](Element *e, double g, int) {
        g += decay * e->w;
        Square(e, g);
        e->s[1] = mu * e->s[1] + g / (std::sqrt(e->s[0]) + eps);
        e->w -= lr * e->s[1];
      });
}

TYPED_TEST(Optimizer, RMSPropCentered) {
  using D = TypeParam;
  Check<D>(
      2,
      [](Problem<D> &p, int) {
        optim::RMSPropCentered(p.weight(), p.state(0), p.state(1), p.grad(), kLr, kBeta2, kEps,
                               kDecay);
      },
      [](Element *e, double g, int) {
        g += decay * e->w;
        Square(e, g);
        Mean(e, g);
        e->w -= lr * g / (std::sqrt(Centered(*e)) + eps);
      });
}

TYPED_TEST(Optimizer, RMSPropGraves) {
  using D = TypeParam;
  Check<D>(
      3,
      [](Problem<D> &p, int) {
        optim::RMSPropGraves(p.weight(), p.state(0), p.state(1), p.state(2), p.grad(), kLr, kBeta2,
                             kMu, kEps, kDecay);
      },
      [](Element *e, double g, int) {
        g += decay * e->w;
        Square(e, g);
        Mean(e, g);
        e->s[2] = mu * e->s[2] - lr * g / std::sqrt(Centered(*e) + eps);
        e->w += e->s[2];
      });
}

TYPED_TEST(Optimizer, MxnetRMSProp) {
  using D = TypeParam;
  constexpr float kLimit = 0.7f;
  Check<D>(
      1,
      [](Problem<D> &p, int) {
        optim::MxnetRMSProp(p.weight(), p.state(0), p.grad(), kLr, kBeta2, kEps, kDecay, kScale,
                            kClip, kLimit);
      },
      [](Element *e, double g, int) {
        g = MxnetGrad(*e, g);
        Square(e, g);
        const double w = e->w - lr * g / (std::sqrt(e->s[0]) + eps);
        e->w = std::fmax(std::fmin(w, kLimit), -kLimit);
      });
}

TYPED_TEST(Optimizer, Mxnet1RMSProp) {
  using D = TypeParam;
  constexpr float kLimit = 0.7f;
  Check<D>(
      1,
      [](Problem<D> &p, int) {
        optim::Mxnet1RMSProp(p.weight(), p.state(0), p.grad(), kLr, kBeta2, kEps, kDecay, kScale,
                             kClip, kLimit);
      },
      [](Element *e, double g, int) {
        g = Mxnet1Grad(*e, g);
        Square(e, g);
        const double w = e->w - lr * g / std::sqrt(e->s[0] + eps);
        e->w = std::fmax(std::fmin(w, kLimit), -kLimit);
      });
}

TYPED_TEST(Optimizer, MxnetRMSPropAlex) {
  using D = TypeParam;
  Check<D>(
      3,
      [](Problem<D> &p, int) {
        optim::MxnetRMSPropAlex(p.weight(), p.state(0), p.state(1), p.state(2), p.grad(), kLr,
                                kBeta2, kMu, kEps, kDecay, kScale, kClip);
      },
      [](Element *e, double g, int) {
        g = MxnetGrad(*e, g);
        Square(e, g);
        Mean(e, g);
        e->s[2] = mu * e->s[2] - lr * g / std::sqrt(Centered(*e) + eps);
        e->w += e->s[2];
      });
}

TYPED_TEST(Optimizer, Mxnet1RMSPropAlex) {
  using D = TypeParam;
  Check<D>(
      3,
      [](Problem<D> &p, int) {
        optim::Mxnet1RMSPropAlex(p.weight(), p.state(0), p.state(1), p.state(2), p.grad(), kLr,
                                 kBeta2, kMu, kEps, kDecay, kScale, kClip);
      },
      [](Element *e, double g, int) {
        g = Mxnet1Grad(*e, g);
        Square(e, g);
        Mean(e, g);
        e->s[2] = mu * e->s[2] - lr * g / std::sqrt(Centered(*e) + eps);
        e->w += e->s[2];
      });
}

TYPED_TEST(Optimizer, Adagrad) {
  using D = TypeParam;
  constexpr double kLrDecay = 0.1f;
  Check<D>(
      1,
      [](Problem<D> &p, int t) {
        optim::Adagrad(p.weight(), p.state(0), p.grad(), kLr, kLrDecay, kEps, kDecay, t);
      },
      [](Element *e, double g, int t) {
        g += decay * e->w;
        e->s[0] += g * g;
        e->w -= lr / (1.0 + (t - 1) * kLrDecay) * g / (std::sqrt(e->s[0]) + eps);
      });
}

TYPED_TEST(Optimizer, MxnetAdagrad) {
  using D = TypeParam;
  Check<D>(
      1,
      [](Problem<D> &p, int) {
        optim::MxnetAdagrad(p.weight(), p.state(0), p.grad(), kLr, kEps, kDecay, kScale, kClip);
      },
      [](Element *e, double g, int) {
        g = MxnetGrad(*e, g);
        e->s[0] += g * g;
        e->w -= lr * g / (std::sqrt(e->s[0]) + eps);
      });
}

TYPED_TEST(Optimizer, Mxnet1Adagrad) {
  using D = TypeParam;
  Check<D>(
      1,
      [](Problem<D> &p, int) {
        optim::Mxnet1Adagrad(p.weight(), p.state(0), p.grad(), kLr, kEps, kDecay, kScale, kClip);
      },
      [](Element *e, double g, int) {
        g = Clipped(g);
        e->s[0] += g * g;
        e->w -= lr * (g / std::sqrt(e->s[0] + eps) + decay * e->w);
      });
}

// Adadelta's step; s[0] of the gradient's square, s[1] of the step's.
double AdadeltaStep(Element *e, double g) {
  Square(e, g);
  const double d = std::sqrt(e->s[1] + eps) / std::sqrt(e->s[0] + eps) * g;
  e->s[1] = beta2 * e->s[1] + (1.0 - beta2) * d * d;
  return d;
}

TYPED_TEST(Optimizer, Adadelta) {
  using D = TypeParam;
  Check<D>(
      2,
      [](Problem<D> &p, int) {
        optim::Adadelta(p.weight(), p.state(0), p.state(1), p.grad(), kLr, kBeta2, kEps);
      },
      [](Element *e, double g, int) { e->w -= lr * AdadeltaStep(e, g); });
}

TYPED_TEST(Optimizer, MxnetAdadelta) {
  using D = TypeParam;
  Check<D>(
      2,
      [](Problem<D> &p, int) {
        optim::MxnetAdadelta(p.weight(), p.state(0), p.state(1), p.grad(), kLr, kBeta2, kEps,
                             kDecay, kScale, kClip);
      },
      [](Element *e, double g, int) { e->w -= lr * AdadeltaStep(e, MxnetGrad(*e, g)); });
}

TYPED_TEST(Optimizer, Mxnet1Adadelta) {
  using D = TypeParam;
  Check<D>(
      2,
      [](Problem<D> &p, int) {
        optim::Mxnet1Adadelta(p.weight(), p.state(0), p.state(1), p.grad(), kLr, kBeta2, kEps,
                              kDecay, kScale, kClip);
      },
      [](Element *e, double g, int) { e->w -= lr * AdadeltaStep(e, Clipped(g)) + decay * e->w; });
}

TYPED_TEST(Optimizer, AdaMax) {
  using D = TypeParam;
  Check<D>(
      2,
      [](Problem<D> &p, int t) {
        optim::AdaMax(p.weight(), p.state(0), p.state(1), p.grad(), kLr, kBeta1, kBeta2, kEps,
                      kDecay, t);
      },
      [](Element *e, double g, int t) {
        g += decay * e->w;
        e->s[0] = beta1 * e->s[0] + (1.0 - beta1) * g;
        e->s[1] = std::fmax(beta2 * e->s[1], std::fabs(g) + eps);
        e->w -= lr / Bias(beta1, t) * e->s[0] / e->s[1];
      });
}

TYPED_TEST(Optimizer, MxnetAdaMax) {
  using D = TypeParam;
  Check<D>(
      2,
      [](Problem<D> &p, int t) {
        optim::MxnetAdaMax(p.weight(), p.state(0), p.state(1), p.grad(), kLr, kBeta1, kBeta2, kEps,
                           kDecay, kScale, kClip, t);
      },
      [](Element *e, double g, int t) {
        g = MxnetGrad(*e, g);
        e->s[0] = beta1 * e->s[0] + (1.0 - beta1) * g;
        e->s[1] = std::fmax(beta2 * e->s[1], std::fabs(g));
        e->w -= lr / Bias(beta1, t) * e->s[0] / (e->s[1] + eps);
      });
}

TYPED_TEST(Optimizer, Mxnet1AdaMax) {
  using D = TypeParam;
  Check<D>(
      2,
      [](Problem<D> &p, int t) {
        optim::Mxnet1AdaMax(p.weight(), p.state(0), p.state(1), p.grad(), kLr, kBeta1, kBeta2, kEps,
                            kDecay, kScale, kClip, t);
      },
      [](Element *e, double g, int t) {
        g = Mxnet1Grad(*e, g);
        e->s[0] = beta1 * e->s[0] + (1.0 - beta1) * g;
        e->s[1] = std::fmax(beta2 * e->s[1], std::fabs(g));
        e->w -= lr / Bias(beta1, t) * e->s[0] / (e->s[1] + eps);
      });
}

// Follow the regularised leader with rate 0.5: s[0] is z, s[1] is n.
constexpr float kRate = 0.5f, kL1 = 0.4f;
void FollowTheLeader(Element *e, double g) {
  const double sigma = (std::sqrt(e->s[1] + g * g) - std::sqrt(e->s[1])) / kRate;
  e->s[0] += g - sigma * e->w;
  e->s[1] += g * g;
  const double rate = (beta1 + std::sqrt(e->s[1])) / kRate + decay;
  const double z = std::fabs(e->s[0]);
  e->w = z <= kL1 ? 0.0 : -(e->s[0] - Sign(e->s[0]) * kL1) / rate;
}

TYPED_TEST(Optimizer, Ftrl) {
  using D = TypeParam;
  Check<D>(
      2,
      [](Problem<D> &p, int) {
        optim::Ftrl(p.weight(), p.state(0), p.state(1), p.grad(), kRate, kBeta1, kL1, kDecay);
      },
      [](Element *e, double g, int) { FollowTheLeader(e, g); });
}

TYPED_TEST(Optimizer, MxnetFtrl) {
  using D = TypeParam;
  Check<D>(
      2,
      [](Problem<D> &p, int) {
        optim::MxnetFtrl(p.weight(), p.state(0), p.state(1), p.grad(), kRate, kL1, kBeta1, kDecay,
                         kScale, kClip);
      },
      [](Element *e, double g, int) { FollowTheLeader(e, Clipped(g)); });
}

TYPED_TEST(Optimizer, Lion) {
  using D = TypeParam;
  Check<D>(
      1,
      [](Problem<D> &p, int) {
        optim::Lion(p.weight(), p.state(0), p.grad(), kLr, kBeta1, kBeta2, kDecay);
      },
      [](Element *e, double g, int) {
        const double direction = Sign(beta1 * e->s[0] + (1.0 - beta1) * g);
        e->w -= lr * (direction + decay * e->w);
        e->s[0] = beta2 * e->s[0] + (1.0 - beta2) * g;
      });
}

TYPED_TEST(Optimizer, SignSGD) {
  using D = TypeParam;
  Check<D>(
      0, [](Problem<D> &p, int) { optim::SignSGD(p.weight(), p.grad(), kLr, kDecay); },
      [](Element *e, double g, int) { e->w = (1.0 - lr * decay) * e->w - lr * Sign(g); });
}

TYPED_TEST(Optimizer, Signum) {
  using D = TypeParam;
  constexpr float kDecoupled = 0.2f;
  Check<D>(
      1,
      [](Problem<D> &p, int) {
        optim::Signum(p.weight(), p.state(0), p.grad(), kLr, kMu, kDecay, kScale, kClip,
                      kDecoupled);
      },
      [](Element *e, double g, int) {
        e->s[0] = mu * e->s[0] - (1.0 - mu) * MxnetGrad(*e, g);
        e->w = (1.0 - lr * kDecoupled) * e->w + lr * Sign(e->s[0]);
      });
}

}  // namespace
