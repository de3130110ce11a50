// SPDX-License-Identifier: Apache-2.0
// The optimizers with mixed types that call the rule of one type, run unfused: they give the bits
// of that rule with the gradient converted before. The formulas of those rules are tested where
// these are.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "optimizer_check.h"
#include "specs/optim/mixed.h"
#include "specs/optim/mixed_adam.h"
#include "specs/optim/mixed_layers.h"

namespace {

using namespace mshadow_test;
using mshadow::Shape1;

/// The same problem twice: for the rule with mixed types, with what that has beside it, and for the
/// rule of one type.
template <typename Narrow>
struct Mixed {
  Problem<float> mixed, plain;
  std::vector<Narrow> copies = std::vector<Narrow>(kSize);
  std::vector<Narrow> grads = copies;
  std::vector<Narrow> last_grads = copies;

  explicit Mixed(int num_states) : mixed(num_states), plain(num_states) {}
  static Matrix<Narrow> Of(std::vector<Narrow> &x) {
    return Matrix<Narrow>(x.data(), Shape2(kRows, kCols));
  }
  Matrix<float> weight() { return mixed.weight(); }
  Matrix<float> state(int i) { return mixed.state(i); }
  Matrix<Narrow> copy() { return Of(copies); }
  Matrix<Narrow> grad() { return Of(grads); }
  Matrix<Narrow> last_grad() { return Of(last_grads); }
};

/// A vector as a tensor: values of rows or of columns, or one value.
Tensor<cpu, 1, float> Of(std::vector<float> *x) {
  return Tensor<cpu, 1, float>(x->data(), Shape1(x->size()));
}

template <typename Narrow>
class MixedCalls : public testing::Test {
 public:
  using Both = Mixed<Narrow>;
  using Plain = Problem<float>;

  /// Runs both rules for some steps. All states begin with `initial`.
  static void Check(int num_states, const std::function<void(Both &p, int t)> &rule,
                    const std::function<void(Plain &p, int t)> &plain, float initial = 0.0f) {
    Both both(num_states);
    for (Plain *problem : {&both.mixed, &both.plain}) {
      for (int i = 0; i < num_states; ++i) problem->storage[i].assign(kSize, initial);
    }
    Values values;
    for (int t = 1; t <= kSteps; ++t) {
      for (int i = 0; i < kSize; ++i) {
        both.grads[i] = Narrow(3.0f * values.Next());
        both.plain.gradients[i] = static_cast<float>(both.grads[i]);
      }
      const std::vector<float> before = both.mixed.weights;
      rule(both, t);
      plain(both.plain, t);
      EXPECT_NE(both.mixed.weights, before) << "step " << t;
      EXPECT_EQ(both.mixed.weights, both.plain.weights) << "step " << t;
      for (int i = 0; i < num_states; ++i) {
        EXPECT_EQ(both.mixed.storage[i], both.plain.storage[i]) << "state " << i << ", step " << t;
      }
      for (int i = 0; i < kSize; ++i) {
        EXPECT_EQ(InDouble(both.copies[i]), InDouble(Narrow(both.mixed.weights[i]))) << i;
      }
    }
  }
};

using NarrowTypes = testing::Types<mshadow::bfloat::bf16_t, mshadow::half::half_t>;
TYPED_TEST_SUITE(MixedCalls, NarrowTypes);

// Names of the fixture in the tests, which are templates.
#define USE_FIXTURE                        \
  using Both = typename TestFixture::Both; \
  using Plain = typename TestFixture::Plain

TYPED_TEST(MixedCalls, NAG) {
  USE_FIXTURE;
  TestFixture::Check(
      1,
      [](Both &p, int) {
        optim::MixedNAG(p.weight(), p.state(0), p.copy(), p.grad(), kLr, kMu, kDecay);
      },
      [](Plain &p, int) { optim::NAG(p.weight(), p.state(0), p.grad(), kLr, kMu, kDecay); });
}

TYPED_TEST(MixedCalls, AMSGrad) {
  USE_FIXTURE;
  for (const bool decoupled : {false, true}) {
    TestFixture::Check(
        3,
        [&](Both &p, int t) {
          optim::MixedAMSGrad(p.weight(), p.state(0), p.state(1), p.state(2), p.copy(), p.grad(),
                              kLr, kBeta1, kBeta2, kEps, kDecay, decoupled, t);
        },
        [&](Plain &p, int t) {
          optim::AMSGrad(p.weight(), p.state(0), p.state(1), p.state(2), p.grad(), kLr, kBeta1,
                         kBeta2, kEps, kDecay, t, false, decoupled);
        });
  }
}

TYPED_TEST(MixedCalls, AdaMax) {
  USE_FIXTURE;
  TestFixture::Check(
      2,
      [](Both &p, int t) {
        optim::MixedAdaMax(p.weight(), p.state(0), p.state(1), p.copy(), p.grad(), kLr, kBeta1,
                           kBeta2, kEps, kDecay, t);
      },
      [](Plain &p, int t) {
        optim::AdaMax(p.weight(), p.state(0), p.state(1), p.grad(), kLr, kBeta1, kBeta2, kEps,
                      kDecay, t);
      });
}

TYPED_TEST(MixedCalls, NAdam) {
  USE_FIXTURE;
  constexpr float kPsi = 0.01f;
  for (const bool decoupled : {false, true}) {
    std::vector<float> product{1.0f}, plain_product{1.0f};
    TestFixture::Check(
        2,
        [&](Both &p, int t) {
          optim::MixedNAdam(p.weight(), p.state(0), p.state(1), Of(&product), p.copy(), p.grad(),
                            kLr, kBeta1, kBeta2, kEps, kDecay, kPsi, decoupled, t);
        },
        [&](Plain &p, int t) {
          optim::NAdam(p.weight(), p.state(0), p.state(1), Of(&plain_product), p.grad(), kLr,
                       kBeta1, kBeta2, kEps, kDecay, kPsi, decoupled, t);
        });
    EXPECT_EQ(product, plain_product);
    EXPECT_LT(product[0], 1.0f);
  }
}

TYPED_TEST(MixedCalls, RAdam) {
  USE_FIXTURE;
  for (const bool decoupled : {false, true}) {
    TestFixture::Check(
        2,
        [&](Both &p, int t) {
          optim::MixedRAdam(p.weight(), p.state(0), p.state(1), p.copy(), p.grad(), kLr, kBeta1,
                            kBeta2, kEps, kDecay, decoupled, 2 * t);
        },
        [&](Plain &p, int t) {
          optim::RAdam(p.weight(), p.state(0), p.state(1), p.grad(), kLr, kBeta1, kBeta2, kEps,
                       kDecay, decoupled, 2 * t);
        });
  }
}

TYPED_TEST(MixedCalls, Adan) {
  USE_FIXTURE;
  constexpr float kBeta3 = 0.93f;
  TestFixture::Check(
      3,
      [](Both &p, int t) {
        optim::MixedAdan(p.weight(), p.state(0), p.state(1), p.state(2), p.last_grad(), p.copy(),
                         p.grad(), kLr, kBeta1, kBeta2, kBeta3, kEps, kDecay, t);
        for (int i = 0; i < kSize; ++i) {
          EXPECT_EQ(InDouble(p.last_grads[i]), InDouble(p.grads[i])) << i;
        }
      },
      [last = std::vector<float>(kSize)](Plain &p, int t) mutable {
        optim::Adan(p.weight(), p.state(0), p.state(1), p.state(2),
                    Matrix<float>(last.data(), Shape2(kRows, kCols)), p.grad(), kLr, kBeta1, kBeta2,
                    kBeta3, kEps, kDecay, t);
      });
}

TYPED_TEST(MixedCalls, AdEMAMix) {
  USE_FIXTURE;
  constexpr float kBeta3 = 0.99f, kAlpha = 4.0f;
  constexpr int kWarmup = 3;
  TestFixture::Check(
      3,
      [](Both &p, int t) {
        optim::MixedAdEMAMix(p.weight(), p.state(0), p.state(1), p.state(2), p.copy(), p.grad(),
                             kLr, kBeta1, kBeta2, kBeta3, kAlpha, kEps, kDecay, kWarmup, t);
      },
      [](Plain &p, int t) {
        optim::AdEMAMix(p.weight(), p.state(0), p.state(1), p.state(2), p.grad(), kLr, kBeta1,
                        kBeta2, kBeta3, kAlpha, kEps, kDecay, kWarmup, t);
      });
}

TYPED_TEST(MixedCalls, ScheduleFreeAdamW) {
  USE_FIXTURE;
  constexpr int kWarmup = 2;
  TestFixture::Check(
      2,
      [](Both &p, int t) {
        optim::MixedScheduleFreeAdamW(p.weight(), p.state(0), p.state(1), p.copy(), p.grad(), kLr,
                                      kBeta1, kBeta2, kEps, kDecay, kWarmup, t);
      },
      [](Plain &p, int t) {
        optim::ScheduleFreeAdamW(p.weight(), p.state(0), p.state(1), p.grad(), kLr, kBeta1, kBeta2,
                                 kEps, kDecay, kWarmup, t);
      });
}

TYPED_TEST(MixedCalls, SophiaG) {
  USE_FIXTURE;
  constexpr float kRho = 0.5f, kBatch = 8.0f;
  TestFixture::Check(
      2,
      [](Both &p, int) {
        optim::MixedSophiaG(p.weight(), p.state(0), p.state(1), p.copy(), p.grad(), kLr, kBeta1,
                            kRho, kBatch, kEps, kDecay);
      },
      [](Plain &p, int) {
        optim::SophiaG(p.weight(), p.state(0), p.state(1), p.grad(), kLr, kBeta1, kRho, kBatch,
                       kEps, kDecay);
      },
      0.125f);
}

TYPED_TEST(MixedCalls, Adagrad) {
  USE_FIXTURE;
  TestFixture::Check(
      1,
      [](Both &p, int t) {
        optim::MixedAdagrad(p.weight(), p.state(0), p.copy(), p.grad(), kLr, kMu, kEps, kDecay, t);
      },
      [](Plain &p, int t) {
        optim::Adagrad(p.weight(), p.state(0), p.grad(), kLr, kMu, kEps, kDecay, t);
      });
}

TYPED_TEST(MixedCalls, RMSProp) {
  USE_FIXTURE;
  TestFixture::Check(
      1,
      [](Both &p, int) {
        optim::MixedRMSProp(p.weight(), p.state(0), p.copy(), p.grad(), kLr, kBeta2, kEps, kDecay);
      },
      [](Plain &p, int) {
        optim::RMSProp(p.weight(), p.state(0), p.grad(), kLr, kBeta2, kEps, kDecay);
      });
}

TYPED_TEST(MixedCalls, RMSPropMomentum) {
  USE_FIXTURE;
  TestFixture::Check(
      2,
      [](Both &p, int) {
        optim::MixedRMSPropMomentum(p.weight(), p.state(0), p.state(1), p.copy(), p.grad(), kLr,
                                    kBeta2, kMu, kEps, kDecay);
      },
      [](Plain &p, int) {
        optim::RMSPropMomentum(p.weight(), p.state(0), p.state(1), p.grad(), kLr, kBeta2, kMu, kEps,
                               kDecay);
      });
}

TYPED_TEST(MixedCalls, Adadelta) {
  USE_FIXTURE;
  TestFixture::Check(
      2,
      [](Both &p, int) {
        optim::MixedAdadelta(p.weight(), p.state(0), p.state(1), p.copy(), p.grad(), kLr, kBeta2,
                             kEps);
      },
      [](Plain &p, int) {
        optim::Adadelta(p.weight(), p.state(0), p.state(1), p.grad(), kLr, kBeta2, kEps);
      });
}

TYPED_TEST(MixedCalls, Lamb) {
  USE_FIXTURE;
  TestFixture::Check(
      2,
      [](Both &p, int t) {
        optim::MixedLamb(p.weight(), p.state(0), p.state(1), p.copy(), p.grad(), kLr, kBeta1,
                         kBeta2, kEps, kDecay, 0.5f, 3.0f, t);
      },
      [](Plain &p, int t) {
        optim::Lamb(p.weight(), p.state(0), p.state(1), p.grad(), kLr, kBeta1, kBeta2, kEps, kDecay,
                    0.5f, 3.0f, t);
      });
}

TYPED_TEST(MixedCalls, Lars) {
  USE_FIXTURE;
  TestFixture::Check(
      1,
      [](Both &p, int) {
        optim::MixedLars(p.weight(), p.state(0), p.copy(), p.grad(), kLr, kMu, kScale, kEps,
                         kDecay);
      },
      [](Plain &p, int) {
        optim::Lars(p.weight(), p.state(0), p.grad(), kLr, kMu, kScale, kEps, kDecay);
      });
}

TYPED_TEST(MixedCalls, Lans) {
  USE_FIXTURE;
  TestFixture::Check(
      2,
      [](Both &p, int t) {
        optim::MixedLans(p.weight(), p.state(0), p.state(1), p.copy(), p.grad(), kLr, kBeta1,
                         kBeta2, kEps, kDecay, 0.5f, 3.0f, t);
      },
      [](Plain &p, int t) {
        optim::Lans(p.weight(), p.state(0), p.state(1), p.grad(), kLr, kBeta1, kBeta2, kEps, kDecay,
                    0.5f, 3.0f, t);
      });
}

TYPED_TEST(MixedCalls, NovoGrad) {
  USE_FIXTURE;
  std::vector<float> variance(1), plain_variance(1);
  TestFixture::Check(
      1,
      [&](Both &p, int t) {
        optim::MixedNovoGrad(p.weight(), p.state(0), Of(&variance), p.copy(), p.grad(), kLr, kBeta1,
                             kBeta2, kEps, kDecay, t);
      },
      [&](Plain &p, int t) {
        optim::NovoGrad(p.weight(), p.state(0), Of(&plain_variance), p.grad(), kLr, kBeta1, kBeta2,
                        kEps, kDecay, t);
      });
  EXPECT_EQ(variance, plain_variance);
  EXPECT_GT(variance[0], 0.0f);
}

/// The means over rows and columns that both of Adafactor's steps take.
struct Means {
  std::vector<float> rows = std::vector<float>(kRows), columns = std::vector<float>(kCols);

  template <typename GType>
  void Update(const Matrix<GType> &grad) {
    optim::AdafactorRows(Of(&rows), grad, kBeta2, kEps);
    optim::AdafactorColumns(Of(&columns), grad, kBeta2, kEps);
  }
};

TYPED_TEST(MixedCalls, Adafactor) {
  USE_FIXTURE;
  constexpr float kThreshold = 0.7f;
  Means means, plain_means;
  TestFixture::Check(
      0,
      [&](Both &p, int) {
        means.Update(p.grad());
        optim::MixedAdafactor(p.weight(), p.copy(), Of(&means.rows), Of(&means.columns), p.grad(),
                              kLr, kEps, kThreshold);
      },
      [&](Plain &p, int) {
        plain_means.Update(p.grad());
        optim::Adafactor(p.weight(), Of(&plain_means.rows), Of(&plain_means.columns), p.grad(), kLr,
                         kEps, kThreshold);
      });
}

TYPED_TEST(MixedCalls, TorchAdafactor) {
  USE_FIXTURE;
  constexpr float kLeast = 0.01f, kThreshold = 0.7f;
  Means means, plain_means;
  TestFixture::Check(
      0,
      [&](Both &p, int t) {
        means.Update(p.grad());
        optim::MixedTorchAdafactor(p.weight(), p.copy(), Of(&means.rows), Of(&means.columns),
                                   p.grad(), kLr, kLeast, kEps, kThreshold, kDecay, t);
      },
      [&](Plain &p, int t) {
        plain_means.Update(p.grad());
        optim::TorchAdafactor(p.weight(), Of(&plain_means.rows), Of(&plain_means.columns), p.grad(),
                              kLr, kLeast, kEps, kThreshold, kDecay, t);
      });
}

TYPED_TEST(MixedCalls, TorchAdafactorVector) {
  USE_FIXTURE;
  constexpr float kPower = -0.7f, kLeast = 0.01f, kThreshold = 0.7f;
  TestFixture::Check(
      1,
      [](Both &p, int t) {
        optim::MixedTorchAdafactorVector(p.weight(), p.state(0), p.copy(), p.grad(), kLr, kPower,
                                         kLeast, kEps, kThreshold, kDecay, t);
      },
      [](Plain &p, int t) {
        optim::TorchAdafactorVector(p.weight(), p.state(0), p.grad(), kLr, kPower, kLeast, kEps,
                                    kThreshold, kDecay, t);
      });
}

/// The values of a model that Prodigy keeps, and the weights from which they are measured.
struct ProdigyModel {
  static constexpr float kFirst = 0.01f, kBeta3 = 0.9f;
  std::vector<float> d{kFirst}, last{0}, numerator{0.002f}, denominator{0};
  std::vector<float> start = Problem<float>(0).weights;

  Matrix<float> p0() { return Matrix<float>(start.data(), Shape2(kRows, kCols)); }
  void Distance() {
    optim::ProdigyDistance(Of(&d), Of(&last), Of(&numerator), Of(&denominator), kBeta3, 3.0f);
  }
};

TYPED_TEST(MixedCalls, Prodigy) {
  USE_FIXTURE;
  ProdigyModel model, plain_model;
  TestFixture::Check(
      3,
      [&](Both &p, int) {
        auto &m = model;
        optim::MixedProdigyMoments(p.weight(), p.state(0), p.state(1), p.state(2), m.p0(), Of(&m.d),
                                   Of(&m.numerator), Of(&m.denominator), p.grad(), kLr, kBeta1,
                                   kBeta2, m.kBeta3, m.kFirst);
        m.Distance();
        optim::MixedProdigyStep(p.weight(), p.copy(), p.state(0), p.state(1), Of(&m.d), Of(&m.last),
                                kLr, kEps, kDecay);
      },
      [&](Plain &p, int) {
        auto &m = plain_model;
        optim::ProdigyMoments(p.weight(), p.state(0), p.state(1), p.state(2), m.p0(), Of(&m.d),
                              Of(&m.numerator), Of(&m.denominator), p.grad(), kLr, kBeta1, kBeta2,
                              m.kBeta3, m.kFirst);
        m.Distance();
        optim::ProdigyStep(p.weight(), p.state(0), p.state(1), Of(&m.d), Of(&m.last), kLr, kEps,
                           kDecay);
      });
  EXPECT_EQ(model.numerator, plain_model.numerator);
  EXPECT_EQ(model.d, plain_model.d);
  EXPECT_GT(model.d[0], ProdigyModel::kFirst);
}

/// The direction is the gradient, converted.
TYPED_TEST(MixedCalls, MuonStep) {
  USE_FIXTURE;
  for (const bool match_rms : {false, true}) {
    TestFixture::Check(
        0,
        [&](Both &p, int) {
          optim::MixedMuonStep(p.weight(), p.copy(), p.plain.grad(), kLr, kDecay, match_rms);
        },
        [&](Plain &p, int) { optim::MuonStep(p.weight(), p.grad(), kLr, kDecay, match_rms); });
  }
}

}  // namespace
