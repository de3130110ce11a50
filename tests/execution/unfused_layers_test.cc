// SPDX-License-Identifier: Apache-2.0
// The shipped rules of layers and of images, run unfused in double precision, against their
// formulas; backward rules against the difference quotient of the forward rule.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "gradients.h"
#include "specs/layer/attention.h"
#include "specs/layer/linear.h"
#include "specs/normalize/instance_norm.h"
#include "specs/normalize/local_response.h"

namespace {

using mshadow::cpu;
using mshadow::Shape;
using mshadow::Shape1;
using mshadow::Shape2;
using mshadow::Shape4;

using mshadow_test::Array;
using mshadow_test::ExpectGradient;
using mshadow_test::Inner;
using Matrix = Array<2>;
using Vector = Array<1>;

constexpr int kSamples = 5, kIn = 4, kOut = 3;

struct Layer {
  Matrix in{Shape2(kSamples, kIn), 1}, weight{Shape2(kOut, kIn), 2}, out{Shape2(kSamples, kOut)},
      sums{Shape2(kSamples, kOut)};
  Vector bias{Shape1(kOut), 3};
  Matrix out_grad{Shape2(kSamples, kOut), 4}, in_grad{Shape2(kSamples, kIn)},
      weight_grad{Shape2(kOut, kIn)};
  Vector bias_grad{Shape1(kOut)};

  double Sum(int y, int x) {
    double sum = bias[x];
    for (int k = 0; k < kIn; ++k) sum += in[y][k] * weight[x][k];
    return sum;
  }

  void ExpectOut(const std::function<double(double)> &activation) {
    for (int y = 0; y < kSamples; ++y) {
      for (int x = 0; x < kOut; ++x) EXPECT_NEAR(out[y][x], activation(Sum(y, x)), 1e-12);
    }
  }

  void ExpectGradients(const std::function<void()> &forward) {
    const auto loss = [&] {
      forward();
      return Inner(out, out_grad);
    };
    ExpectGradient(in, in_grad, loss);
    ExpectGradient(weight, weight_grad, loss);
    ExpectGradient(bias, bias_grad, loss);
  }
};

TEST(UnfusedLayersTest, Linear) {
  Layer l;
  const auto forward = [&l] { layer::Linear<cpu, double>(l.out, l.in, l.weight, l.bias); };
  forward();
  l.ExpectOut([](double s) { return s; });
  layer::LinearGrad<cpu, double>(l.in_grad, l.weight_grad, l.bias_grad, l.out_grad, l.in, l.weight);
  l.ExpectGradients(forward);
}

TEST(UnfusedLayersTest, LinearRelu) {
  Layer l;
  const auto forward = [&l] { layer::LinearRelu<cpu, double>(l.out, l.in, l.weight, l.bias); };
  forward();
  l.ExpectOut([](double s) { return std::max(s, 0.0); });
  layer::LinearReluGrad<cpu, double>(l.in_grad, l.weight_grad, l.bias_grad, l.out_grad, l.out, l.in,
                                     l.weight);
  l.ExpectGradients(forward);
}

TEST(UnfusedLayersTest, LinearGelu) {
  Layer l;
  const auto forward = [&l] {
    layer::LinearGelu<cpu, double>(l.out, l.sums, l.in, l.weight, l.bias);
  };
  forward();
  l.ExpectOut([](double s) { return s * 0.5 * (1 + std::erf(s / std::sqrt(2.0))); });
  layer::LinearGeluGrad<cpu, double>(l.in_grad, l.weight_grad, l.bias_grad, l.out_grad, l.sums,
                                     l.in, l.weight, l.bias);
  l.ExpectGradients(forward);
}

struct Head {
  static constexpr int kQueries = 4, kKeys = 6, kDepth = 3, kWidth = 2;
  static constexpr double kScale = 0.5;
  Matrix q{Shape2(kQueries, kDepth), 1}, k{Shape2(kKeys, kDepth), 2}, v{Shape2(kKeys, kWidth), 3},
      bias{Shape2(kQueries, kKeys), 4}, out{Shape2(kQueries, kWidth)};

  /// The formula, with the bias or without; or with the keys up to the query alone.
  void ExpectOut(bool is_biased, bool is_causal = false) {
    for (int y = 0; y < kQueries; ++y) {
      std::vector<double> e(kKeys);
      double total = 0;
      for (int j = 0; j < kKeys; ++j) {
        double score = 0;
        for (int d = 0; d < kDepth; ++d) score += q[y][d] * k[j][d];
        if (is_causal && j > y) continue;
        total += e[j] = std::exp(kScale * score + (is_biased ? bias[y][j] : 0));
      }
      for (int x = 0; x < kWidth; ++x) {
        double want = 0;
        for (int j = 0; j < kKeys && total > 0; ++j) want += e[j] / total * v[j][x];
        EXPECT_NEAR(out[y][x], want, 1e-12) << y << " " << x;
      }
    }
  }
};

TEST(UnfusedLayersTest, Attention) {
  Head h;
  layer::Attention<cpu, double>(h.out, h.q, h.k, h.v, h.kScale);
  h.ExpectOut(false);
}

TEST(UnfusedLayersTest, BiasedAttention) {
  constexpr double kNever = -std::numeric_limits<double>::infinity();
  Head h;
  h.bias[0][1] = kNever;
  for (int j = 0; j < h.kKeys; ++j) h.bias[2][j] = kNever;  // the query 2 has no key
  layer::BiasedAttention<cpu, double>(h.out, h.q, h.k, h.v, h.bias, h.kScale);
  h.ExpectOut(true);
}

TEST(UnfusedLayersTest, CausalAttention) {
  Head h;
  layer::CausalAttention<cpu, double>(h.out, h.q, h.k, h.v, h.kScale);
  h.ExpectOut(false, true);
}

struct Instance {
  static constexpr int kRows = 6, kCols = 7;
  Array<2, float> in{Shape2(kRows, kCols), 1}, out{Shape2(kRows, kCols)},
      out_grad{Shape2(kRows, kCols), 2}, in_grad{Shape2(kRows, kCols)};
  Array<1, float> gain{Shape1(kRows), 3}, bias{Shape1(kRows), 4}, mean{Shape1(kRows)},
      inv_std{Shape1(kRows)}, gain_grad{Shape1(kRows)}, bias_grad{Shape1(kRows)};
  const double eps = 1e-5;

  /// The formula in double.
  double Formula(int y, int x) {
    double average = 0, variance = 0;
    for (int i = 0; i < kCols; ++i) average += in[y][i] / static_cast<double>(kCols);
    for (int i = 0; i < kCols; ++i) variance += std::pow(in[y][i] - average, 2) / kCols;
    return (in[y][x] - average) / std::sqrt(variance + eps) * gain[y] + bias[y];
  }
  double Loss() {
    double loss = 0;
    for (int y = 0; y < kRows; ++y) {
      for (int x = 0; x < kCols; ++x) loss += Formula(y, x) * out_grad[y][x];
    }
    return loss;
  }
};

TEST(UnfusedLayersTest, InstanceNorm) {
  Instance n;
  normalize::InstanceNorm<cpu, float>(n.out, n.mean, n.inv_std, n.in, n.gain, n.bias);
  for (int y = 0; y < Instance::kRows; ++y) {
    for (int x = 0; x < Instance::kCols; ++x) EXPECT_NEAR(n.out[y][x], n.Formula(y, x), 1e-5);
  }
  normalize::InstanceNormGrad<cpu, float>(n.in_grad, n.gain_grad, n.bias_grad, n.out_grad, n.in,
                                          n.mean, n.inv_std, n.gain);
  const auto loss = [&n] { return n.Loss(); };
  ExpectGradient(n.in, n.in_grad, loss, 1e-4, 1e-3);
  ExpectGradient(n.gain, n.gain_grad, loss, 1e-4, 1e-3);
  ExpectGradient(n.bias, n.bias_grad, loss, 1e-4, 1e-3);
}

TEST(UnfusedLayersTest, LocalResponse) {
  constexpr int kImages = 2, kChannels = 6, kHeight = 2, kWidth = 3, kWindow = 3;
  constexpr float kAlpha = 0.5f, kBeta = 0.75f, kSummand = 2;
  const auto shape = Shape4(kImages, kChannels, kHeight, kWidth);
  Array<4> in(shape, 1), out(shape), scale(shape), out_grad(shape, 2), in_grad(shape);
  const auto forward = [&] {
    normalize::LocalResponse<cpu, double>(out, scale, in, kWindow, kAlpha, kBeta, kSummand);
  };
  forward();
  for (int n = 0; n < kImages; ++n) {
    for (int c = 0; c < kChannels; ++c) {
      for (int i = 0; i < kHeight * kWidth; ++i) {
        const int y = i / kWidth, x = i % kWidth;
        double squares = 0;
        for (int d = std::max(c - 1, 0); d <= std::min(c + 1, kChannels - 1); ++d) {
          squares += in[n][d][y][x] * in[n][d][y][x];
        }
        const double s = kSummand + kAlpha / kWindow * squares;
        EXPECT_NEAR(out[n][c][y][x], in[n][c][y][x] * std::pow(s, -kBeta), 1e-7);
      }
    }
  }
  normalize::LocalResponseGrad<cpu, double>(in_grad, out_grad, in, scale, kWindow, kAlpha, kBeta);
  const auto loss = [&] {
    forward();
    return Inner(out, out_grad);
  };
  ExpectGradient(in, in_grad, loss, 1e-6);
}

}  // namespace
