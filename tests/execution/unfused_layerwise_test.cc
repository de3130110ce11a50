// SPDX-License-Identifier: Apache-2.0
// The shipped optimizers that measure rows, matrices or a model, run unfused, against the formulas
// of their papers written in double precision.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "optimizer_check.h"
#include "specs/optim/adafactor.h"
#include "specs/optim/adam_mini.h"
#include "specs/optim/adan.h"
#include "specs/optim/lamb.h"
#include "specs/optim/muon.h"
#include "specs/optim/prodigy.h"

namespace {

using namespace mshadow_test;
using Doubles = std::vector<double>;

template <typename T>
Tensor<cpu, 1, T> Of(std::vector<T> *x) {
  return Tensor<cpu, 1, T>(x->data(), mshadow::Shape1(x->size()));
}

template <typename DType>
Doubles AllInDouble(const std::vector<DType> &x) {
  Doubles y;
  for (const DType &e : x) y.push_back(InDouble(e));
  return y;
}

double Norm(const Doubles &x) {
  double sum = 0;
  for (double e : x) sum += e * e;
  return std::sqrt(sum);
}
double RootMeanSquare(const Doubles &x) {
  return Norm(x) / std::sqrt(static_cast<double>(x.size()));
}

/// What rounding makes of values of order one that come from sums of a tensor.
template <typename DType>
constexpr double kSumRounding = sizeof(mshadow::Promoted<DType>) == 8 ? 1e-13 : 1e-5;

template <typename DType>
void ExpectAll(const std::vector<DType> &got, const Doubles &want, const std::string &what) {
  for (size_t i = 0; i < want.size(); ++i) {
    ExpectNear(InDouble(got[i]), want[i], HalfUlp<DType>(), what + ", element " + std::to_string(i),
               kSumRounding<DType>);
  }
}

/// The tensors of a rule before a step, in double.
template <typename DType>
class Layerwise : public testing::Test {
 public:
  /// Gradients, `size` times those of the other tests.
  void Next(float size = 1) {
    for (DType &g : problem.gradients) g = ThreeTimes<DType>(size * values.Next());
    w = AllInDouble(problem.weights), g = AllInDouble(problem.gradients);
    for (int k = 0; k < 4; ++k) s[k] = AllInDouble(problem.storage[k]);
  }

  Problem<DType> problem{4};
  Values values;
  Doubles w, g, s[4];
};
using ElementTypes = testing::Types<float, double, mshadow::half::half_t, mshadow::bfloat::bf16_t>;
TYPED_TEST_SUITE(Layerwise, ElementTypes);

/// Yuan et al. 2024, Algorithm 2; long gradients and short ones.
TYPED_TEST(Layerwise, Mars) {
  constexpr double kGamma = 0.25f;
  for (int t = 1; t <= kSteps; ++t) {
    this->Next(t % 2 == 1 ? 1.0f : 0.01f);
    Doubles c(kSize), mean(kSize), square(kSize), want(kSize);
    for (int i = 0; i < kSize; ++i) {
      c[i] = this->g[i] + kGamma * beta1 / (1 - beta1) * (this->g[i] - this->s[2][i]);
    }
    const double length = Norm(c);
    if (t == 1) EXPECT_GT(length, 1);
    for (int i = 0; i < kSize; ++i) {
      if (length > 1) c[i] /= length;
      mean[i] = beta1 * this->s[0][i] + (1 - beta1) * c[i];
      square[i] = beta2 * this->s[1][i] + (1 - beta2) * c[i] * c[i];
      const double root = (std::sqrt(square[i]) + eps) / std::sqrt(Bias(beta2, t));
      want[i] = this->w[i] - lr * (mean[i] / Bias(beta1, t) / root + decay * this->w[i]);
    }
    auto &p = this->problem;
    optim::Mars(p.weight(), p.state(0), p.state(1), p.state(2), p.grad(), kLr, kBeta1, kBeta2,
                kGamma, kEps, kDecay, t);
    ExpectAll(p.weights, want, "weight");
    ExpectAll(p.storage[0], mean, "mean");
    ExpectAll(p.storage[1], square, "square");
    ExpectAll(p.storage[2], this->g, "last gradient");
  }
}

/// Zheng et al. 2020, Algorithm 2, with phi the limits 0.5 and `upper`.
TYPED_TEST(Layerwise, Lans) {
  for (int t = 1; t <= kSteps; ++t) {
    const float upper = t % 2 == 0 ? 100.0f : 2.0f;
    this->Next();
    const double length = Norm(this->g);
    Doubles mean(kSize), r(kSize), c(kSize), want(kSize);
    for (int i = 0; i < kSize; ++i) {
      const double g = this->g[i] / length;
      mean[i] = beta1 * this->s[0][i] + (1 - beta1) * g;
      const double v = beta2 * this->s[1][i] + (1 - beta2) * g * g;
      const double root = std::sqrt(v / Bias(beta2, t)) + eps;
      r[i] = mean[i] / Bias(beta1, t) / root + decay * this->w[i];
      c[i] = g / root + decay * this->w[i];
    }
    const double phi = std::min(std::max(Norm(this->w), 0.5), static_cast<double>(upper));
    for (int i = 0; i < kSize; ++i) {
      const double d = beta1 * phi / Norm(r) * r[i] + (1 - beta1) * phi / Norm(c) * c[i];
      want[i] = this->w[i] - lr * d;
    }
    auto &p = this->problem;
    optim::Lans(p.weight(), p.state(0), p.state(1), p.grad(), kLr, kBeta1, kBeta2, kEps, kDecay,
                0.5f, upper, t);
    ExpectAll(p.weights, want, "weight");
    ExpectAll(p.storage[0], mean, "mean");
  }
}

/// Mishchenko and Defazio 2023, Algorithm 4, on one tensor of a model.
TYPED_TEST(Layerwise, Prodigy) {
  constexpr float kFirst = 0.01f, kCoefficient = 3.0f;
  constexpr double kBeta3 = 0.9f;
  using State = mshadow::Promoted<TypeParam>;
  std::vector<State> d{kFirst}, last{0}, numerator{0.002f}, denominator{0};
  std::vector<State> start(kSize);
  for (State &x : start) x = this->values.Next();
  const Matrix<State> p0(start.data(), Shape2(kRows, kCols));
  bool grew = false;
  for (int t = 1; t <= kSteps; ++t) {
    this->Next();
    const double distance = d[0], scale = lr * distance / kFirst;
    double above = numerator[0], below = 0;
    Doubles mean(kSize), square(kSize), sum(kSize), want(kSize);
    for (int i = 0; i < kSize; ++i) {
      const double g = distance * this->g[i];
      mean[i] = beta1 * this->s[0][i] + (1 - beta1) * g;
      square[i] = beta2 * this->s[1][i] + (1 - beta2) * g * g;
      sum[i] = kBeta3 * this->s[2][i] + scale * g;
      above += scale * g * (start[i] - this->w[i]);
      below += std::fabs(sum[i]);
    }
    const double next = std::max(distance, kCoefficient * above / below);
    grew = grew || next > distance;
    for (int i = 0; i < kSize; ++i) {
      want[i] = this->w[i] - lr * distance * decay * this->w[i] -
                lr * distance * mean[i] / (std::sqrt(square[i]) + next * eps);
    }
    auto &p = this->problem;
    optim::ProdigyMoments(p.weight(), p.state(0), p.state(1), p.state(2), p0, Of(&d),
                          Of(&numerator), Of(&denominator), p.grad(), kLr, kBeta1, kBeta2, kBeta3,
                          kFirst);
    ExpectNear(numerator[0], above, 0, "numerator", kSumRounding<State>);
    ExpectNear(denominator[0], below, 0, "denominator", kSumRounding<State>);
    optim::ProdigyDistance(Of(&d), Of(&last), Of(&numerator), Of(&denominator), kBeta3,
                           kCoefficient);
    ExpectNear(d[0], next, 0, "d", kRounding<State>);
    EXPECT_EQ(last[0], static_cast<State>(distance));
    EXPECT_EQ(denominator[0], 0);
    optim::ProdigyStep(p.weight(), p.state(0), p.state(1), Of(&d), Of(&last), kLr, kEps, kDecay);
    ExpectAll(p.storage[0], mean, "mean");
    ExpectAll(p.storage[2], sum, "sum");
    ExpectAll(p.weights, want, "weight");
  }
  EXPECT_TRUE(grew);
}

TEST(LayerwiseEdges, ProdigyKeepsItsEstimateWithoutGradients) {
  std::vector<float> d{0.5f}, last{0}, numerator{0}, denominator{0};
  optim::ProdigyDistance(Of(&d), Of(&last), Of(&numerator), Of(&denominator));
  EXPECT_EQ(d[0], 0.5f);
  EXPECT_EQ(last[0], 0.5f);
}

/// Zhang et al. 2024, Algorithm 1, with the rows as blocks.
TYPED_TEST(Layerwise, AdamMini) {
  std::vector<mshadow::Promoted<TypeParam>> variance(kRows);
  for (int t = 1; t <= kSteps; ++t) {
    this->Next();
    Doubles mean(kSize), want(kSize), row(kRows);
    for (int y = 0; y < kRows; ++y) {
      double square = 0;
      for (int x = 0; x < kCols; ++x) square += std::pow(this->g[y * kCols + x], 2) / kCols;
      row[y] = beta2 * variance[y] + (1 - beta2) * square;
      for (int i = y * kCols; i < (y + 1) * kCols; ++i) {
        mean[i] = beta1 * this->s[0][i] + (1 - beta1) * this->g[i];
        const double root = std::sqrt(row[y] / Bias(beta2, t)) + eps;
        want[i] = this->w[i] - lr * (mean[i] / Bias(beta1, t) / root + decay * this->w[i]);
      }
    }
    auto &p = this->problem;
    optim::AdamMini(p.weight(), p.state(0), Of(&variance), p.grad(), kLr, kBeta1, kBeta2, kEps,
                    kDecay, t);
    ExpectAll(p.weights, want, "weight");
    ExpectAll(variance, row, "variance");
  }
}

/// torch.optim.Adafactor's formula, with states that AdafactorRows and AdafactorColumns leave.
TYPED_TEST(Layerwise, TorchAdafactor) {
  constexpr double kLeast = 0.01, kThreshold = 0.6;
  std::vector<mshadow::Promoted<TypeParam>> row(kRows), column(kCols);
  for (int t = 1; t <= kSteps; ++t) {
    this->Next(t == 2 ? 0.001f : 1.0f);
    const double fall = 1 - std::pow(static_cast<double>(t), -0.8);
    auto &p = this->problem;
    optim::AdafactorRows(Of(&row), p.grad(), fall, 0.0);
    optim::AdafactorColumns(Of(&column), p.grad(), fall, 0.0);
    const Doubles r = AllInDouble(row), c = AllInDouble(column);
    double mean = 0;
    for (double e : r) mean += e / kRows;
    Doubles update(kSize), want(kSize);
    for (int i = 0; i < kSize; ++i) {
      const double v = r[i / kCols] * c[i % kCols] / std::max(mean, kLeast);
      update[i] = -this->g[i] / std::sqrt(std::max(v, kLeast * kLeast));
    }
    const double rate = std::min(0.6, 1 / std::sqrt(static_cast<double>(t)));
    const double size = rate * std::max(RootMeanSquare(this->w), eps);
    for (int i = 0; i < kSize; ++i) {
      want[i] = (1 - 0.6 * decay) * this->w[i] -
                size * update[i] / std::max(1.0, RootMeanSquare(update) / kThreshold);
    }
    optim::TorchAdafactor(p.weight(), Of(&row), Of(&column), p.grad(), 0.6, kLeast, kEps,
                          kThreshold, kDecay, t, true);
    ExpectAll(p.weights, want, "weight");
  }
}

TYPED_TEST(Layerwise, TorchAdafactorVector) {
  constexpr double kLeast = 0.1, kThreshold = 0.6, kPower = -0.7;
  for (int t = 1; t <= kSteps; ++t) {
    this->Next(t == 2 ? 0.001f : 1.0f);
    const double fresh = std::pow(static_cast<double>(t), kPower);
    Doubles variance(kSize), update(kSize), want(kSize);
    for (int i = 0; i < kSize; ++i) {
      variance[i] = (1 - fresh) * this->s[0][i] + fresh * this->g[i] * this->g[i];
      update[i] = this->g[i] / std::max(std::sqrt(variance[i]), kLeast);
    }
    const double rate = std::min(lr, 1 / std::sqrt(static_cast<double>(t)));
    const double size = rate * std::max(RootMeanSquare(this->w), eps);
    for (int i = 0; i < kSize; ++i) {
      want[i] = (1 - lr * decay) * this->w[i] -
                size * update[i] / std::max(1.0, RootMeanSquare(update) / kThreshold);
    }
    auto &p = this->problem;
    optim::TorchAdafactorVector(p.weight(), p.state(0), p.grad(), kLr, kPower, kLeast, kEps,
                                kThreshold, kDecay, t, false);
    ExpectAll(p.weights, want, "weight");
    ExpectAll(p.storage[0], variance, "variance");
  }
}

/// Jordan 2024, as torch.optim.Muon has it: momentum, and the step.
TYPED_TEST(Layerwise, MuonMomentumAndStep) {
  for (int t = 1; t <= kSteps; ++t) {
    const bool nesterov = t % 2 == 0;
    this->Next();
    Doubles mean(kSize), update(kSize), want(kSize);
    for (int i = 0; i < kSize; ++i) {
      mean[i] = this->s[0][i] + (1 - mu) * (this->g[i] - this->s[0][i]);
      update[i] = nesterov ? this->g[i] + mu * (mean[i] - this->g[i]) : mean[i];
    }
    const double length = std::max(Norm(update), eps);
    const double scale = nesterov ? 0.2 * std::sqrt(static_cast<double>(kCols)) : 1.0;
    for (int i = 0; i < kSize; ++i) {
      update[i] /= length;
      want[i] = this->w[i] * (1 - lr * decay) - lr * scale * update[i];
    }
    auto &p = this->problem;
    optim::MuonMomentum(p.state(1), p.state(0), p.grad(), kMu, kEps, nesterov);
    ExpectAll(p.storage[0], mean, "mean");
    ExpectAll(p.storage[1], update, "direction");
    optim::MuonStep(p.weight(), p.state(1), kLr, kDecay, nesterov);
    ExpectAll(p.weights, want, "weight");
  }
}

/// A product of matrices in double: rows of a times columns of b.
Doubles Product(const Doubles &a, const Doubles &b, int rows, int inner, int cols) {
  Doubles out(rows * cols);
  for (int y = 0; y < rows; ++y) {
    for (int x = 0; x < cols; ++x) {
      for (int k = 0; k < inner; ++k) out[y * cols + x] += a[y * inner + k] * b[k * cols + x];
    }
  }
  return out;
}
Doubles Transposed(const Doubles &a, int rows, int cols) {
  Doubles out(a.size());
  for (int i = 0; i < rows * cols; ++i) out[i % cols * rows + i / cols] = a[i];
  return out;
}

/// Steps of the polynomial a x + b x^3 + c x^5, on singular values: X (X^T X)^k by products in
/// another order than the rules'.
template <typename DType, typename Rule>
void CheckNewtonSchulz(int rows, int cols, Rule rule) {
  Values values;
  std::vector<DType> x(rows * cols);
  for (DType &e : x) e = DType(values.Next() / 8);
  for (int step = 0; step < 5; ++step) {
    const Doubles before = AllInDouble(x), turned = Transposed(before, rows, cols);
    const auto cubed = [&](const Doubles &e) {
      return Product(Product(e, turned, rows, cols, rows), before, rows, rows, cols);
    };
    const Doubles third = cubed(before), fifth = cubed(third);
    Doubles want(x.size());
    for (size_t i = 0; i < x.size(); ++i) {
      want[i] = 3.4445 * before[i] - 4.775 * third[i] + 2.0315 * fifth[i];
    }
    rule(Matrix<DType>(x.data(), Shape2(rows, cols)));
    ExpectAll(x, want, "iterate");
  }
  // What Muon wants of it: singular values near 1, of which there are as many as rows or columns.
  const double least = std::min(rows, cols);
  EXPECT_NEAR(Norm(AllInDouble(x)), std::sqrt(least), 0.3 * std::sqrt(least));
}
TEST(Muon, NewtonSchulz) {
  CheckNewtonSchulz<float>(5, 9, [](auto x) { optim::NewtonSchulz(x); });
  CheckNewtonSchulz<double>(6, 6, [](auto x) { optim::NewtonSchulz(x); });
}
TEST(Muon, NewtonSchulzTall) {
  CheckNewtonSchulz<float>(9, 5, [](auto x) { optim::NewtonSchulzTall(x); });
  CheckNewtonSchulz<double>(6, 6, [](auto x) { optim::NewtonSchulzTall(x); });
}

}  // namespace
