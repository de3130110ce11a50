// SPDX-License-Identifier: Apache-2.0
// The shipped rules that reduce columns, and those beside them, run unfused, against their formulas
// in double precision; backward rules against the difference quotient of the forward formula.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "random.h"
#include "specs/activation/bias.h"
#include "specs/detection/box_iou.h"
#include "specs/normalize/batch_norm.h"
#include "specs/normalize/layer_norm.h"
#include "specs/normalize/rms_norm.h"
#include "specs/optim/adafactor.h"
#include "specs/regularize/dropout.h"

namespace {

using mshadow::cpu;
using mshadow::Shape1;
using mshadow::Shape2;
using mshadow_test::SplitMix64;

constexpr int kRows = 37, kCols = 5;  // two leaves
constexpr double kSlack = 1e-5;

using Doubles = std::vector<double>;

template <typename DType>
void Fill(const mshadow::Tensor<cpu, 2, DType> &to, uint64_t seed, double low, double high) {
  SplitMix64 random(seed);
  for (int y = 0; y < to.size(0); ++y) {
    for (int x = 0; x < to.size(1); ++x)
      to[y][x] = static_cast<DType>(low + (high - low) * random.Unit());
  }
}
template <typename DType>
struct RowsOf : mshadow::TensorContainer<cpu, 2, DType> {
  explicit RowsOf(uint64_t seed, double low = -2, double high = 2)
      : mshadow::TensorContainer<cpu, 2, DType>(Shape2(kRows, kCols)) {
    Fill(this->FlatTo2D(), seed, low, high);
  }
};
template <typename DType>
struct ColumnsOf : mshadow::TensorContainer<cpu, 1, DType> {
  explicit ColumnsOf(uint64_t seed, double low = -2, double high = 2, int size = kCols)
      : mshadow::TensorContainer<cpu, 1, DType>(Shape1(size)) {
    Fill(this->FlatTo2D(), seed, low, high);
  }
};
using Matrix = mshadow::TensorContainer<cpu, 2, float>;
using Rows = RowsOf<float>;
using Columns = ColumnsOf<float>;

/// The sum over the rows of f(y).
double Sum(const std::function<double(int)> &f) {
  double sum = 0;
  for (int y = 0; y < kRows; ++y) sum += f(y);
  return sum;
}
void ExpectNear(double got, double want) {
  EXPECT_NEAR(got, want, kSlack * (1.0 + std::fabs(want)));
}

/// Batch normalisation of one column, without gain and bias.
Doubles Normalise(const Doubles &x) {
  const double mean = Sum([&](int y) { return x[y]; }) / kRows;
  const double variance = Sum([&](int y) { return (x[y] - mean) * (x[y] - mean); }) / kRows;
  Doubles z;
  for (double v : x) z.push_back((v - mean) / std::sqrt(variance + 1e-5));
  return z;
}
Doubles ColumnOf(const Matrix &m, int x) {
  Doubles column;
  for (int y = 0; y < kRows; ++y) column.push_back(m[y][x]);
  return column;
}

TEST(BatchNorm, IsItsFormula) {
  Rows out(1), in(2);
  Columns mean(3), inv_std(4), running_mean(5), running_var(6, 0.5, 2), gain(7), bias(8);
  const Columns old_mean(5), old_var(6, 0.5, 2);
  normalize::BatchNorm(out, mean, inv_std, running_mean, running_var, in, gain, bias, 0.25f);
  for (int x = 0; x < kCols; ++x) {
    const Doubles column = ColumnOf(in, x), z = Normalise(column);
    const double m = Sum([&](int y) { return column[y]; }) / kRows;
    const double v = Sum([&](int y) { return (column[y] - m) * (column[y] - m); });
    ExpectNear(mean[x], m);
    ExpectNear(inv_std[x], 1 / std::sqrt(v / kRows + 1e-5));
    ExpectNear(running_mean[x], 0.75 * old_mean[x] + 0.25 * m);
    ExpectNear(running_var[x], 0.75 * old_var[x] + 0.25 * v / (kRows - 1));
    for (int y = 0; y < kRows; ++y) ExpectNear(out[y][x], z[y] * gain[x] + bias[x]);
  }
}

TEST(BatchNorm, BackwardIsTheDifferenceQuotient) {
  Rows out(1), in(2), out_grad(3), in_grad(4);
  Columns mean(3), inv_std(4), running(5), running_var(6), gain(7), bias(8), gain_grad(9),
      bias_grad(10);
  normalize::BatchNorm(out, mean, inv_std, running, running_var, in, gain, bias);
  normalize::BatchNormGrad(in_grad, gain_grad, bias_grad, out_grad, in, mean, inv_std, gain);
  for (int x = 0; x < kCols; ++x) {
    const Doubles column = ColumnOf(in, x), z = Normalise(column);
    ExpectNear(bias_grad[x], Sum([&](int y) { return out_grad[y][x]; }));
    ExpectNear(gain_grad[x], Sum([&](int y) { return out_grad[y][x] * z[y]; }));
    for (int i = 0; i < kRows; i += 6) {
      constexpr double h = 1e-5;
      Doubles above = column, below = column;
      above[i] += h;
      below[i] -= h;
      const Doubles up = Normalise(above), down = Normalise(below);
      const double slope =
          Sum([&](int y) { return out_grad[y][x] * gain[x] * (up[y] - down[y]); }) / (2 * h);
      EXPECT_NEAR(in_grad[i][x], slope, 1e-4);
    }
  }
}

TEST(BatchNorm, InferenceTakesTheRunningStatistics) {
  Rows out(1), in(2);
  const Columns mean(3), variance(4, 0.1, 2), gain(5), bias(6);
  normalize::BatchNormInference(out, in, mean, variance, gain, bias);
  for (int y = 0; y < kRows; ++y) {
    for (int x = 0; x < kCols; ++x) {
      const double z = (in[y][x] - mean[x]) / std::sqrt(variance[x] + 1e-5);
      ExpectNear(out[y][x], z * gain[x] + bias[x]);
    }
  }
}

TEST(GradientsOfGains, AreSumsOverRows) {
  const Rows out_grad(1), in(2);
  const Columns mean(3, -1, 1, kRows), scale(4, 0.5, 2, kRows);
  Columns gain(5), bias(6), rms_gain(7);
  normalize::LayerNormGradGain(gain, bias, out_grad, in, mean, scale);
  normalize::RmsNormGradGain(rms_gain, out_grad, in, scale);
  for (int x = 0; x < kCols; ++x) {
    ExpectNear(bias[x], Sum([&](int y) { return out_grad[y][x]; }));
    ExpectNear(gain[x],
               Sum([&](int y) { return out_grad[y][x] * (in[y][x] - mean[y]) * scale[y]; }));
    ExpectNear(rms_gain[x], Sum([&](int y) { return out_grad[y][x] * in[y][x] * scale[y]; }));
  }
}

TEST(WholeBackwards, GiveWhatTheirPartsGive) {
  const Rows out_grad(1), in(2);
  const Columns mean(3, -1, 1, kRows), scale(4, 0.5, 2, kRows), weight(5);
  Columns gain(6), bias(7), want_gain(8), want_bias(9);
  Rows in_grad(1), want(10);  // in_grad begins as out_grad: the rule may overwrite that
  normalize::LayerNormBackward(in_grad, gain, bias, in_grad, in, mean, scale, weight);
  normalize::LayerNormGrad(want, out_grad, in, mean, scale, weight);
  normalize::LayerNormGradGain(want_gain, want_bias, out_grad, in, mean, scale);
  for (int x = 0; x < kCols; ++x) {
    EXPECT_EQ(gain[x], want_gain[x]);
    EXPECT_EQ(bias[x], want_bias[x]);
    for (int y = 0; y < kRows; ++y) EXPECT_EQ(in_grad[y][x], want[y][x]);
  }
  Rows rms_grad(1);
  normalize::RmsNormBackward(rms_grad, gain, rms_grad, in, scale, weight);
  normalize::RmsNormGrad(want, out_grad, in, scale, weight);
  normalize::RmsNormGradGain(want_gain, out_grad, in, scale);
  for (int x = 0; x < kCols; ++x) {
    EXPECT_EQ(gain[x], want_gain[x]);
    for (int y = 0; y < kRows; ++y) EXPECT_EQ(rms_grad[y][x], want[y][x]);
  }
}

TEST(L2NormalizeGrad, IsTheDifferenceQuotient) {
  Rows in(1), out_grad(2), in_grad(3);
  normalize::L2NormalizeGrad(in_grad, out_grad, in);
  for (int y = 0; y < kRows; ++y) {
    for (int i = 0; i < kCols; ++i) {
      const auto product = [&](double shift) {
        double length = 1e-10, inner = 0;
        for (int x = 0; x < kCols; ++x) {
          const double v = in[y][x] + (x == i ? shift : 0);
          length += v * v;
          inner += v * out_grad[y][x];
        }
        return inner / std::sqrt(length);
      };
      EXPECT_NEAR(in_grad[y][i], (product(1e-5) - product(-1e-5)) / 2e-5, 1e-4);
    }
  }
}

TEST(BiasGradients, ComeWithThoseOfTheActivations) {
  const Rows out_grad(1), out(2, -0.9, 0.9);
  Rows relu(3), sigmoid(4), tanh(5);
  Columns relu_bias(6), sigmoid_bias(7), tanh_bias(8);
  activation::BiasReluGrad(relu, relu_bias, out_grad, out);
  activation::BiasSigmoidGrad(sigmoid, sigmoid_bias, out_grad, out);
  activation::BiasTanhGrad(tanh, tanh_bias, out_grad, out);
  for (int x = 0; x < kCols; ++x) {
    const auto dy = [&](int y) { return static_cast<double>(out_grad[y][x]); };
    for (int y = 0; y < kRows; ++y) {
      const double v = out[y][x];
      ExpectNear(relu[y][x], v > 0 ? dy(y) : 0);
      ExpectNear(sigmoid[y][x], dy(y) * v * (1 - v));
      ExpectNear(tanh[y][x], dy(y) * (1 - v * v));
    }
    ExpectNear(relu_bias[x], Sum([&](int y) { return relu[y][x]; }));
    ExpectNear(sigmoid_bias[x], Sum([&](int y) { return sigmoid[y][x]; }));
    ExpectNear(tanh_bias[x], Sum([&](int y) { return tanh[y][x]; }));
  }
}

template <typename DType>
class AdafactorOf : public testing::Test {
 protected:
  static void ExpectNear(double got, double want) {
    const double slack = std::is_same_v<DType, double> ? 1e-14 : kSlack;
    EXPECT_NEAR(got, want, slack * (1.0 + std::fabs(want)));
  }
};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(AdafactorOf, Types);

/// One step of Adafactor as the paper has it, from the states before it.
TYPED_TEST(AdafactorOf, IsThePapersUpdate) {
  using Rows = RowsOf<TypeParam>;
  using Columns = ColumnsOf<TypeParam>;
  Rows weight(1, -0.1, 0.1);
  const Rows before(1, -0.1, 0.1), grad(2, -3, 3);
  Columns row_mean(3, 0.1, 1, kRows), column_mean(4, 0.1, 1);
  const Columns old_rows(3, 0.1, 1, kRows), old_columns(4, 0.1, 1);
  constexpr double kBeta = 0.75, kLr = 0.3, kThreshold = 0.7;
  optim::AdafactorRows(row_mean, grad, kBeta);
  optim::AdafactorColumns(column_mean, grad, kBeta);
  optim::Adafactor(weight, row_mean, column_mean, grad, kLr, 1e-3, kThreshold);
  Doubles rows(kRows), columns(kCols);
  double size = 0, mean = 0;
  for (int y = 0; y < kRows; ++y) {
    for (int x = 0; x < kCols; ++x) {
      const double square = static_cast<double>(grad[y][x]) * grad[y][x];
      rows[y] += 0.25 * square / kCols;
      columns[x] += 0.25 * square / kRows;
      size += static_cast<double>(before[y][x]) * before[y][x] / (kRows * kCols);
    }
    rows[y] += kBeta * old_rows[y];
    mean += rows[y] / kRows;
    this->ExpectNear(row_mean[y], rows[y]);
  }
  for (int x = 0; x < kCols; ++x) {
    columns[x] += kBeta * old_columns[x];
    this->ExpectNear(column_mean[x], columns[x]);
  }
  const auto update = [&](int y, int x) {
    return grad[y][x] / std::sqrt(rows[y] * columns[x] / mean);
  };
  double square = 0;
  for (int x = 0; x < kCols; ++x) {
    square += Sum([&](int y) { return update(y, x) * update(y, x); }) / (kRows * kCols);
  }
  const double clip = std::max(1.0, std::sqrt(square) / kThreshold);
  ASSERT_GT(clip, 1.1);  // the case that does something
  const double rate = kLr * std::max(1e-3, std::sqrt(size));
  for (int y = 0; y < kRows; ++y) {
    for (int x = 0; x < kCols; ++x) {
      this->ExpectNear(weight[y][x], before[y][x] - rate * update(y, x) / clip);
    }
  }
}

/// After 100,000 steps 1 - beta2 is 1e-4, of which a float of beta2 has three digits.
TEST(Adafactor, KeepsTheDigitsOfSmallShares) {
  const Rows grad(2, -3, 3);
  Columns row_mean(3, 0, 0, kRows), column_mean(4, 0, 0);
  const double share = std::pow(1e5, -0.8);
  optim::AdafactorRows(row_mean, grad, 1 - share);
  optim::AdafactorColumns(column_mean, grad, 1 - share);
  const auto square = [&grad](int y, int x) { return std::pow(double{grad[y][x]}, 2); };
  double row = 0;
  for (int x = 0; x < kCols; ++x) row += square(1, x) / kCols;
  EXPECT_NEAR(row_mean[1] / (share * row), 1, 1e-6);
  const double column = Sum([&](int y) { return square(y, 1); }) / kRows;
  EXPECT_NEAR(column_mean[1] / (share * column), 1, 1e-6);
}

TEST(Dropout, KeepsAndScalesOrGivesZero) {
  Rows out(1), in(2);
  in[0][0] = in[0][1] = NAN;
  mshadow::TensorContainer<cpu, 2, uint8_t> mask(Shape2(kRows, kCols));
  for (int y = 0; y < kRows; ++y) {
    for (int x = 0; x < kCols; ++x) mask[y][x] = static_cast<uint8_t>((x + y) % 3);
  }
  regularize::Dropout(out, in, mask, 0.25f);
  EXPECT_EQ(out[0][0], 0.0f);  // whatever was there
  EXPECT_TRUE(std::isnan(out[0][1]));
  for (int y = 1; y < kRows; ++y) {
    for (int x = 0; x < kCols; ++x) {
      EXPECT_EQ(out[y][x], mask[y][x] != 0 ? 4.0f * in[y][x] : 0.0f);
    }
  }
}

/// The mask of a seed and a sequence is the same forwards and backwards; it keeps the share of
/// elements that it should, within 5 standard deviations.
TEST(RandomDropout, KeepsAShareAndDrawsItAgain) {
  constexpr int kSize = 100000;
  constexpr double kKeep = 0.8;
  mshadow::TensorContainer<cpu, 1, float> in(mshadow::Shape1(kSize), 3), out(in.shape_),
      grad(in.shape_, 5), other(in.shape_);
  regularize::RandomDropout(out, in, 1, 2, kKeep);
  regularize::RandomDropout(grad, grad, 1, 2, kKeep);
  regularize::RandomDropout(other, in, 1, 3, kKeep);
  int kept = 0, both = 0;
  for (int i = 0; i < kSize; ++i) {
    EXPECT_EQ(out[i], out[i] != 0 ? 3 * 1.25f : 0);
    EXPECT_EQ(grad[i], out[i] != 0 ? 5 * 1.25f : 0);
    kept += out[i] != 0;
    both += out[i] != 0 && other[i] != 0;
  }
  EXPECT_NEAR(kept, kSize * kKeep, 5 * std::sqrt(kSize * kKeep * (1 - kKeep)));
  const double share = kKeep * kKeep;  // of two masks that have nothing in common
  EXPECT_NEAR(both, kSize * share, 5 * std::sqrt(kSize * share * (1 - share)));
}

TEST(BoxIou, OfBoxesWhoseOverlapIsKnown) {
  // Rows of a matrix of boxes: left, top, right, bottom.
  Matrix first(Shape2(4, 2)), second(Shape2(4, 4)), out(Shape2(2, 4));
  const float one[4][2] = {{0, 5}, {0, 5}, {2, 5}, {2, 7}};  // the second has no area
  const float two[4][4] = {{0, 1, 3, 5}, {0, 0, 3, 6}, {2, 3, 4, 5}, {2, 2, 4, 6}};
  for (int y = 0; y < 4; ++y) {
    for (int x = 0; x < 2; ++x) first[y][x] = one[y][x];
    for (int x = 0; x < 4; ++x) second[y][x] = two[y][x];
  }
  detection::BoxIou(out, first[0], first[1], first[2], first[3], second[0], second[1], second[2],
                    second[3]);
  EXPECT_EQ(out[0][0], 1.0f);         // itself
  EXPECT_EQ(out[0][1], 2.0f / 6.0f);  // half of each
  EXPECT_EQ(out[0][2], 0.0f);         // apart
  EXPECT_EQ(out[1][0], 0.0f);
  EXPECT_EQ(out[1][3], 0.0f);  // two boxes without an area
}

}  // namespace
