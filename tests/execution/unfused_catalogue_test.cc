// SPDX-License-Identifier: Apache-2.0
// The shipped rules of gated layers, groups of channels, images and sciences, run unfused in double
// precision, against their formulas; backward rules against the difference quotient of the forward
// rule.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>

#include "gradients.h"
#include "specs/detection/nms.h"
#include "specs/layer/embedding.h"
#include "specs/layer/gated.h"
#include "specs/layer/routing.h"
#include "specs/normalize/group_norm.h"
#include "specs/science/physics.h"
#include "specs/science/statistics.h"
#include "specs/sequence/rotary.h"
#include "specs/vision/images.h"

namespace {

using mshadow::cpu;
using mshadow::index_t;
using mshadow::Shape1;
using mshadow::Shape2;
using mshadow::Shape3;
using mshadow::Shape4;
using mshadow_test::Array;
using mshadow_test::ExpectGradient;
using mshadow_test::Inner;

using Matrix = Array<2>;
using Vector = Array<1>;

constexpr int kRows = 6, kCols = 8;

Matrix Numbers(uint64_t seed, double low = -2, double high = 2) {
  return Matrix(Shape2(kRows, kCols), seed, low, high);
}

double Phi(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

TEST(UnfusedCatalogueTest, SwiGlu) {
  Matrix gate = Numbers(1), up = Numbers(2), out = Numbers(0), dy = Numbers(3);
  Matrix gate_grad = Numbers(0), up_grad = Numbers(0);
  const auto forward = [&] { layer::SwiGlu<cpu, 2, double>(out, gate, up); };
  forward();
  for (int i = 0; i < out.size(); ++i) {
    EXPECT_NEAR(out.at(i), gate.at(i) / (1 + std::exp(-gate.at(i))) * up.at(i), 1e-12);
  }
  layer::SwiGluGrad<cpu, 2, double>(gate_grad, up_grad, dy, gate, up);
  const auto loss = [&] { return forward(), Inner(out, dy); };
  ExpectGradient(gate, gate_grad, loss);
  ExpectGradient(up, up_grad, loss);
}

TEST(UnfusedCatalogueTest, GeGlu) {
  Matrix gate = Numbers(4), up = Numbers(5), out = Numbers(0), dy = Numbers(6);
  Matrix gate_grad = Numbers(0), up_grad = Numbers(0);
  const auto forward = [&] { layer::GeGlu<cpu, 2, double>(out, gate, up); };
  forward();
  for (int i = 0; i < out.size(); ++i) {
    EXPECT_NEAR(out.at(i), gate.at(i) * Phi(gate.at(i)) * up.at(i), 1e-12);
  }
  layer::GeGluGrad<cpu, 2, double>(gate_grad, up_grad, dy, gate, up);
  const auto loss = [&] { return forward(), Inner(out, dy); };
  ExpectGradient(gate, gate_grad, loss);
  ExpectGradient(up, up_grad, loss);
}

TEST(UnfusedCatalogueTest, LayerScale) {
  Matrix residual = Numbers(7), in = Numbers(8), out = Numbers(0), dy = Numbers(9);
  Matrix in_grad = Numbers(0);
  Vector gain(Shape1(kCols), 10), gain_grad{Shape1(kCols)};
  const auto forward = [&] { layer::LayerScale<cpu, double>(out, residual, in, gain); };
  forward();
  for (int y = 0; y < kRows; ++y) {
    for (int x = 0; x < kCols; ++x) EXPECT_EQ(out[y][x], residual[y][x] + in[y][x] * gain[x]);
  }
  layer::LayerScaleGrad<cpu, double>(in_grad, gain_grad, dy, in, gain);
  const auto loss = [&] { return forward(), Inner(out, dy); };
  ExpectGradient(in, in_grad, loss);
  ExpectGradient(gain, gain_grad, loss);
}

TEST(UnfusedCatalogueTest, Embedding) {
  Matrix weight = Numbers(11), out(Shape2(3, kCols)), position(Shape2(3, kCols), 12);
  Array<1, int64_t> index{Shape1(3)};
  index[0] = 4, index[1] = 0, index[2] = 4;
  layer::Embedding<cpu, double, int64_t>(out, weight, index);
  for (int y = 0; y < 3; ++y) {
    for (int x = 0; x < kCols; ++x) EXPECT_EQ(out[y][x], weight[y == 1 ? 0 : 4][x]);
  }
  layer::PositionedEmbedding<cpu, double, int64_t>(out, weight, index, position, 4.0f);
  for (int y = 0; y < 3; ++y) {
    for (int x = 0; x < kCols; ++x) {
      EXPECT_EQ(out[y][x], 4 * weight[y == 1 ? 0 : 4][x] + position[y][x]);
    }
  }
}

TEST(UnfusedCatalogueTest, EmbeddingGrad) {
  constexpr int kTokens = 5, kWords[kTokens] = {4, 0, 4, 2, 4};
  Matrix weight = Numbers(11), grad(weight.shape_, 12), out(Shape2(kTokens, kCols)),
         dy(out.shape_, 13);
  Array<1, int64_t> index{Shape1(kTokens)};
  for (int i = 0; i < kTokens; ++i) index[i] = kWords[i];
  layer::EmbeddingGrad<cpu, double, int64_t>(grad, dy, index);
  ExpectGradient(weight, grad, [&] {
    layer::Embedding<cpu, double, int64_t>(out, weight, index);
    return Inner(out, dy);
  });
  Matrix padded(weight.shape_, 14);
  layer::EmbeddingGrad<cpu, double, int64_t>(padded, dy, index, 4);
  for (index_t y = 0; y < grad.shape_[0]; ++y) {
    for (int x = 0; x < kCols; ++x) EXPECT_EQ(padded[y][x], y == 4 ? 0 : grad[y][x]);
  }
}

TEST(UnfusedCatalogueTest, TopKGate) {
  constexpr int kChosen = 3;
  Matrix logits = Numbers(15), weights(Shape2(kRows, kChosen), 16);
  Array<2, int64_t> experts{weights.shape_};
  logits[0][1] = logits[0][5] = 3;  // two are equal
  layer::TopKGate<cpu, double, int64_t>(weights, experts, logits);
  for (index_t y = 0; y < kRows; ++y) {
    double chosen = 0;
    for (int i = 0; i < kChosen; ++i) chosen += std::exp(logits[y][experts[y][i]]);
    for (int i = 0; i < kChosen; ++i) {
      const int64_t expert = experts[y][i];
      EXPECT_NEAR(weights[y][i], std::exp(logits[y][expert]) / chosen, 1e-12);
      // Those that come before it.
      int before = 0;
      for (int64_t x = 0; x < kCols; ++x) {
        const double p = logits[y][x], own = logits[y][expert];
        before += p > own || (p == own && x < expert);
      }
      EXPECT_EQ(before, i);
    }
  }
  EXPECT_EQ(experts[0][0], 1);
  EXPECT_EQ(experts[0][1], 5);
}

TEST(UnfusedCatalogueTest, TopKGateGrad) {
  for (const index_t count : {1, 3, kCols}) {
    Matrix logits = Numbers(17), weights(Shape2(kRows, count), 18), dw(weights.shape_, 19),
           grad(logits.shape_, 20);
    Array<2, int64_t> experts{weights.shape_};
    layer::TopKGate<cpu, double, int64_t>(weights, experts, logits);
    layer::TopKGateGrad<cpu, double, int64_t>(grad, dw, weights, experts);
    for (index_t y = 0; y < kRows; ++y) {
      double sum = 0;
      for (index_t i = 0; i < count; ++i) sum += dw[y][i] * weights[y][i];
      Vector want(Shape1(kCols));
      for (index_t x = 0; x < kCols; ++x) want[x] = 0;
      for (index_t i = 0; i < count; ++i) {
        want[static_cast<index_t>(experts[y][i])] = weights[y][i] * (dw[y][i] - sum);
      }
      for (index_t x = 0; x < kCols; ++x) EXPECT_NEAR(grad[y][x], want[x], 1e-15);
    }
    ExpectGradient(logits, grad, [&] {
      layer::TopKGate<cpu, double, int64_t>(weights, experts, logits);
      return Inner(weights, dw);
    });
  }
}

/// The bias of the paper, up to one summand for each row.
TEST(UnfusedCatalogueTest, AlibiBias) {
  constexpr int kHeads = 3, kQueries = 4, kKeys = 5;
  Array<3> in(Shape3(kHeads, kQueries, kKeys), 13), out(in.shape_);
  Vector slope(Shape1(kHeads), 14);
  layer::AlibiBias<cpu, double>(out, in, slope);
  for (int h = 0; h < kHeads; ++h) {
    for (int q = 0; q < kQueries; ++q) {
      const double summand =
          out[h][q][kKeys - 1] - in[h][q][kKeys - 1] - slope[h] * (kKeys - 1 - q);
      for (int k = 0; k < kKeys; ++k) {
        EXPECT_NEAR(out[h][q][k], in[h][q][k] + slope[h] * (k - q) + summand, 1e-12);
      }
    }
  }
}

/// Pairs as complex numbers, multiplied by those of the angles.
TEST(UnfusedCatalogueTest, RotaryEmbeddingInterleaved) {
  Array<2, float> in(Shape2(kRows, kCols), 15), out(in.shape_), back(in.shape_), cosine(in.shape_),
      sine(in.shape_);
  for (int y = 0; y < kRows; ++y) {
    for (int x = 0; x < kCols; ++x) {
      const double angle = y * std::pow(0.5, x / 2);
      cosine[y][x] = static_cast<float>(std::cos(angle));
      sine[y][x] = static_cast<float>(std::sin(angle));
    }
  }
  sequence::RotaryEmbeddingInterleaved<cpu, float>(out, in, cosine, sine);
  sequence::RotaryEmbeddingInterleavedGrad<cpu, float>(back, out, cosine, sine);
  for (int y = 0; y < kRows; ++y) {
    for (int x = 0; x < kCols; x += 2) {
      const std::complex<double> want =
          std::complex<double>(in[y][x], in[y][x + 1]) * std::polar(1.0, y * std::pow(0.5, x / 2));
      EXPECT_NEAR(out[y][x], want.real(), 1e-6);
      EXPECT_NEAR(out[y][x + 1], want.imag(), 1e-6);
      // A rotation's gradient is the rotation back.
      EXPECT_NEAR(back[y][x], in[y][x], 1e-6);
      EXPECT_NEAR(back[y][x + 1], in[y][x + 1], 1e-6);
    }
  }
}

struct Groups {
  static constexpr int kSamples = 2, kGroups = 3, kChannels = 6, kPixels = 4;
  static constexpr int kWidth = kChannels / kGroups * kPixels;
  static constexpr float kEps = 0.125f;
  Array<3, float> in{Shape3(kSamples, kChannels, kPixels), 16},
      dy{Shape3(kSamples, kChannels, kPixels), 17};
  Array<2, float> out{Shape2(kSamples * kGroups, kWidth)}, in_grad{out.shape_};
  Array<1, float> gain{Shape1(kChannels), 18}, bias{Shape1(kChannels), 19},
      mean{Shape1(kSamples * kGroups)}, inv_std{Shape1(kSamples * kGroups)},
      gain_grad{Shape1(kChannels)}, bias_grad{Shape1(kChannels)};

  mshadow::Tensor<cpu, 2> Rows(const Array<3, float> &images) const {
    return mshadow::Tensor<cpu, 2>(images.dptr_, out.shape_);
  }
  /// The formula in double: of sample n, channel c, pixel p.
  double Formula(int n, int c, int p) {
    const int first = c / (kChannels / kGroups) * (kChannels / kGroups);
    double average = 0, variance = 0;
    for (int k = first; k < first + kChannels / kGroups; ++k) {
      for (int i = 0; i < kPixels; ++i) average += in[n][k][i] / double{kWidth};
    }
    for (int k = first; k < first + kChannels / kGroups; ++k) {
      for (int i = 0; i < kPixels; ++i) variance += std::pow(in[n][k][i] - average, 2) / kWidth;
    }
    return (in[n][c][p] - average) / std::sqrt(variance + kEps) * gain[c] + bias[c];
  }
  double Loss() {
    double loss = 0;
    for (int n = 0; n < kSamples; ++n) {
      for (int c = 0; c < kChannels; ++c) {
        for (int p = 0; p < kPixels; ++p) loss += Formula(n, c, p) * dy[n][c][p];
      }
    }
    return loss;
  }
};

TEST(UnfusedCatalogueTest, GroupNorm) {
  Groups g;
  normalize::GroupNorm<cpu, float>(g.out, g.mean, g.inv_std, g.Rows(g.in), g.gain, g.bias,
                                   Groups::kGroups, Groups::kEps);
  for (int n = 0; n < Groups::kSamples; ++n) {
    for (int c = 0; c < Groups::kChannels; ++c) {
      for (int p = 0; p < Groups::kPixels; ++p) {
        EXPECT_NEAR(g.out.at((n * Groups::kChannels + c) * Groups::kPixels + p), g.Formula(n, c, p),
                    1e-5);
      }
    }
  }
  normalize::GroupNormGrad<cpu, float>(g.in_grad, g.Rows(g.dy), g.Rows(g.in), g.mean, g.inv_std,
                                       g.gain, Groups::kGroups);
  normalize::GroupNormGradGain<cpu, float>(g.gain_grad, g.bias_grad, g.dy, g.in, g.mean, g.inv_std,
                                           Groups::kGroups);
  const auto loss = [&g] { return g.Loss(); };
  ExpectGradient(g.in, g.in_grad, loss, 1e-4, 1e-3);
  ExpectGradient(g.gain, g.gain_grad, loss, 1e-4, 1e-3);
  ExpectGradient(g.bias, g.bias_grad, loss, 1e-4, 1e-3);
}

/// An element of an image, and 0 outside it.
double At(const Matrix &m, int y, int x) {
  return y < 0 || y >= kRows || x < 0 || x >= kCols ? 0 : m.dptr_[y * kCols + x];
}

TEST(UnfusedCatalogueTest, Colours) {
  Matrix red = Numbers(20, 0, 1), green = Numbers(21, 0, 1), blue = Numbers(22, 0, 1);
  Matrix out = Numbers(0), back = Numbers(0);
  vision::Grayscale<cpu, 2, double>(out, red, green, blue);
  for (int i = 0; i < out.size(); ++i) {
    EXPECT_NEAR(out.at(i), 0.299 * red.at(i) + 0.587 * green.at(i) + 0.114 * blue.at(i), 1e-7);
  }
  vision::AdjustGamma<cpu, 2, double>(out, red, 2.5f, 1.25f);
  for (int i = 0; i < out.size(); ++i) {
    EXPECT_NEAR(out.at(i), std::min(1.25 * std::pow(red.at(i), 2.5), 1.0), 1e-12);
  }
  vision::AlphaBlend<cpu, 2, double>(out, red, green, blue);
  for (int i = 0; i < out.size(); ++i) {
    EXPECT_NEAR(out.at(i), green.at(i) + blue.at(i) * (red.at(i) - green.at(i)), 1e-12);
  }
  red.at(0) = 0.02, red.at(1) = 0.5;
  vision::SrgbToLinear<cpu, 2, double>(out, red);
  EXPECT_NEAR(out.at(0), 0.02 / 12.92, 1e-12);
  EXPECT_NEAR(out.at(1), 0.21404114048223255, 1e-12);  // of sRGB 0.5
  vision::LinearToSrgb<cpu, 2, double>(back, out);
  for (int i = 0; i < out.size(); ++i) EXPECT_NEAR(back.at(i), red.at(i), 1e-6);
}

TEST(UnfusedCatalogueTest, Sobel) {
  Matrix in = Numbers(23), out = Numbers(0);
  constexpr int kWeights[3] = {1, 2, 1}, kDifference[3] = {-1, 0, 1};
  vision::Sobel<cpu, double>(out, in);
  for (int y = 0; y < kRows; ++y) {
    for (int x = 0; x < kCols; ++x) {
      double gx = 0, gy = 0;
      for (int dy = 0; dy < 3; ++dy) {
        for (int dx = 0; dx < 3; ++dx) {
          const double pixel = At(in, y + dy - 1, x + dx - 1);
          gx += kWeights[dy] * kDifference[dx] * pixel;
          gy += kDifference[dy] * kWeights[dx] * pixel;
        }
      }
      EXPECT_NEAR(out[y][x], std::hypot(gx, gy), 1e-12);
    }
  }
}

TEST(UnfusedCatalogueTest, NormalizeImages) {
  Array<4, uint8_t> in(Shape4(2, 3, 5, 3), 24, 0, 255);
  Array<4, float> out{Shape4(2, 3, 3, 5)};
  Array<1, float> mean(Shape1(3), 25), inv_deviation(Shape1(3), 26, 1, 5);
  vision::NormalizeImages<cpu>(out, in, mean, inv_deviation);
  for (int n = 0; n < 2; ++n) {
    for (int c = 0; c < 3; ++c) {
      for (int i = 0; i < 15; ++i) {
        const double x = in[n][i / 5][i % 5][c] / 255.0;
        EXPECT_NEAR(out[n][c][i / 5][i % 5], (x - mean[c]) * inv_deviation[c], 1e-5);
      }
    }
  }
}

TEST(UnfusedCatalogueTest, UpsampleBilinear2x) {
  Matrix in = Numbers(27), out(Shape2(2 * kRows, 2 * kCols));
  vision::UpsampleBilinear2x<cpu, double>(out, in);
  for (int y = 0; y < 2 * kRows; ++y) {
    for (int x = 0; x < 2 * kCols; ++x) {
      // The place of the pixel's centre, within the centres of the image's.
      const double v = std::clamp((y + 0.5) / 2 - 0.5, 0.0, kRows - 1.0);
      const double u = std::clamp((x + 0.5) / 2 - 0.5, 0.0, kCols - 1.0);
      const int top = static_cast<int>(v), left = static_cast<int>(u);
      const int bottom = std::min(top + 1, kRows - 1), right = std::min(left + 1, kCols - 1);
      const double above = in[top][left] + (u - left) * (in[top][right] - in[top][left]);
      const double below = in[bottom][left] + (u - left) * (in[bottom][right] - in[bottom][left]);
      EXPECT_NEAR(out[y][x], above + (v - top) * (below - above), 1e-12) << y << " " << x;
    }
  }
}

TEST(UnfusedCatalogueTest, NmsOverlaps) {
  constexpr int kBoxes = 12;
  Vector left(Shape1(kBoxes), 28), top(Shape1(kBoxes), 29), right(Shape1(kBoxes), 30, 1, 3),
      bottom(Shape1(kBoxes), 31, 1, 3), score(Shape1(kBoxes), 32);
  Matrix out(Shape2(kBoxes, kBoxes));
  score[3] = score[5];
  detection::NmsOverlaps<cpu, double>(out, left, top, right, bottom, score, left, top, right,
                                      bottom, score, 0.5f);
  int suppressed = 0;
  for (int i = 0; i < kBoxes; ++i) {
    for (int j = 0; j < kBoxes; ++j) {
      const double width = std::max(0.0, std::min(right[i], right[j]) - std::max(left[i], left[j]));
      const double height =
          std::max(0.0, std::min(bottom[i], bottom[j]) - std::max(top[i], top[j]));
      const double area = (right[i] - left[i]) * (bottom[i] - top[i]) +
                          (right[j] - left[j]) * (bottom[j] - top[j]) - width * height;
      const bool want = score[j] > score[i] && width * height / area > 0.5;
      suppressed += want;
      EXPECT_EQ(out[i][j], want) << i << " " << j;
    }
  }
  EXPECT_GT(suppressed, 5);
  EXPECT_LT(suppressed, kBoxes * kBoxes / 2);
}

double Laplacian(const Matrix &u, int y, int x) {
  return At(u, y - 1, x) + At(u, y + 1, x) + At(u, y, x - 1) + At(u, y, x + 1) - 4 * At(u, y, x);
}

TEST(UnfusedCatalogueTest, HeatAndWave) {
  Matrix now = Numbers(33), next = Numbers(0), before = Numbers(34), wave = Numbers(34);
  science::HeatStep<cpu, double>(next, now, 0.125f);
  science::WaveStep<cpu, double>(wave, now, 0.5f);
  for (int y = 0; y < kRows; ++y) {
    for (int x = 0; x < kCols; ++x) {
      const double sum = Laplacian(now, y, x);
      EXPECT_NEAR(next[y][x], now[y][x] + 0.125 * sum, 1e-12);
      EXPECT_NEAR(wave[y][x], 2 * now[y][x] - before[y][x] + 0.5 * sum, 1e-12);
    }
  }
}

/// The energy of two bodies, r apart.
double Potential(double r) { return 4 * 0.5 * (std::pow(1.25 / r, 12) - std::pow(1.25 / r, 6)); }

TEST(UnfusedCatalogueTest, LennardJones) {
  Matrix square = Numbers(35, 1, 9), energy = Numbers(0), push = Numbers(0);
  science::LennardJones<cpu, 2, double>(energy, push, square, 0.5f, 1.25f, 2.5f);
  int beyond = 0;
  for (int i = 0; i < square.size(); ++i) {
    const double r = std::sqrt(square.at(i)), h = 1e-6;
    const bool counts = r <= 2.5;
    beyond += !counts;
    EXPECT_NEAR(energy.at(i), counts ? Potential(r) : 0, 1e-9);
    // The force, by which the energy falls.
    EXPECT_NEAR(push.at(i) * r, counts ? (Potential(r - h) - Potential(r + h)) / (2 * h) : 0, 1e-5);
  }
  EXPECT_GT(beyond, 0);
}

TEST(UnfusedCatalogueTest, LennardJonesForces) {
  constexpr int kBodies = 7;
  Matrix at(Shape2(3, kBodies), 39, -4, 4), force(Shape2(3, kBodies));
  science::LennardJonesForces<cpu, double>(force[0], force[1], force[2], at[0], at[1], at[2], at[0],
                                           at[1], at[2], 0.5f, 1.25f);
  const auto energy = [&at] {
    double sum = 0;
    for (int i = 0; i < kBodies; ++i) {
      for (int j = 0; j < i; ++j) {
        sum -= Potential(std::sqrt(std::pow(at[0][i] - at[0][j], 2) +
                                   std::pow(at[1][i] - at[1][j], 2) +
                                   std::pow(at[2][i] - at[2][j], 2)));
      }
    }
    return sum;
  };
  ExpectGradient(at, force, energy, 1e-4);
}

TEST(UnfusedCatalogueTest, LeapfrogStep) {
  Matrix x = Numbers(37), v = Numbers(38), a = Numbers(39), x0 = Numbers(37), v0 = Numbers(38);
  science::LeapfrogStep<cpu, 2, double>(x, v, a, 0.25f);
  for (int i = 0; i < x.size(); ++i) {
    EXPECT_NEAR(v.at(i), v0.at(i) + 0.25 * a.at(i), 1e-12);
    EXPECT_NEAR(x.at(i), x0.at(i) + 0.25 * (v0.at(i) + 0.25 * a.at(i)), 1e-12);
  }
}

TEST(UnfusedCatalogueTest, BlackScholes) {
  Vector call(Shape1(1)), put(Shape1(1)), spot(Shape1(1)), strike(Shape1(1)), years(Shape1(1));
  spot[0] = 42, strike[0] = 40, years[0] = 0.5;
  science::BlackScholes<cpu, 1, double>(call, put, spot, strike, years, 0.1f, 0.2f);
  EXPECT_NEAR(call[0], 4.76, 5e-3);  // Hull, Options, Futures and Other Derivatives
  EXPECT_NEAR(put[0], 0.81, 5e-3);
  // The mean of the gain over the normal distribution of the logarithm, by the midpoint rule.
  constexpr int kSteps = 20000;
  double gain = 0;
  for (int i = 0; i < kSteps; ++i) {
    const double z = -8 + 16 * (i + 0.5) / kSteps,
                 density = std::exp(-z * z / 2) / std::sqrt(2 * M_PI);
    const double end = 42 * std::exp((0.1 - 0.02) * 0.5 + 0.2 * std::sqrt(0.5) * z);
    gain += std::max(end - 40, 0.0) * density * 16 / kSteps;
  }
  EXPECT_NEAR(call[0], std::exp(-0.05) * gain, 1e-5);
  EXPECT_NEAR(call[0] - put[0], 42 - 40 * std::exp(-0.05), 1e-6);
}

TEST(UnfusedCatalogueTest, KalmanUpdate) {
  Matrix mean = Numbers(40), variance = Numbers(41, 0.5, 2), z = Numbers(42);
  Matrix mean0 = Numbers(40), variance0 = Numbers(41, 0.5, 2);
  science::KalmanUpdate<cpu, 2, double>(mean, variance, z, 0.25f, 0.5f);
  for (int i = 0; i < z.size(); ++i) {
    // The product of two normal densities: precisions add up.
    const double p = variance0.at(i) + 0.25, precision = 1 / p + 1 / 0.5;
    EXPECT_NEAR(variance.at(i), 1 / precision, 1e-12);
    EXPECT_NEAR(mean.at(i), (mean0.at(i) / p + z.at(i) / 0.5) / precision, 1e-12);
  }
}

TEST(UnfusedCatalogueTest, BoxMuller) {
  Matrix u = Numbers(43, 0.01, 1), v = Numbers(44, 0, 1), first = Numbers(0), second = Numbers(0);
  science::BoxMuller<cpu, 2, double>(first, second, u, v);
  for (int i = 0; i < u.size(); ++i) {
    const std::complex<double> want =
        std::polar(std::sqrt(-2 * std::log(u.at(i))), 2 * M_PI * v.at(i));
    EXPECT_NEAR(first.at(i), want.real(), 1e-6);
    EXPECT_NEAR(second.at(i), want.imag(), 1e-6);
  }
}

TEST(UnfusedCatalogueTest, KMeansAssign) {
  constexpr int kPoints = 9, kCentres = 4, kDimensions = 3;
  Matrix points(Shape2(kPoints, kDimensions), 45), centres(Shape2(kCentres, kDimensions), 46);
  Vector nearest(Shape1(kPoints)), square(Shape1(kPoints));
  science::KMeansAssign<cpu, double>(nearest, square, points, centres);
  for (int i = 0; i < kPoints; ++i) {
    double least = 1e9;
    int best = -1;
    for (int j = 0; j < kCentres; ++j) {
      double sum = 0;
      for (int d = 0; d < kDimensions; ++d) sum += std::pow(points[i][d] - centres[j][d], 2);
      if (sum < least) least = sum, best = j;
    }
    EXPECT_EQ(nearest[i], best);
    EXPECT_NEAR(square[i], least, 1e-12);
  }
}

}  // namespace
