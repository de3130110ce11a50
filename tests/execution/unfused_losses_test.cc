// SPDX-License-Identifier: Apache-2.0
// The shipped losses of elements, pairs and classes, run unfused, against their formulas in double
// precision; backward rules against the difference quotient of the formula.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "gradients.h"
#include "specs/loss/binary.h"
#include "specs/loss/classes.h"
#include "specs/loss/divergence.h"
#include "specs/loss/pairs.h"

namespace {

using mshadow::cpu;
using mshadow::Shape1;
using mshadow::Shape2;
using mshadow_test::Array;
using mshadow_test::ExpectGradient;

using Matrix = Array<2>;
using Vector = Array<1>;
using Formula = std::function<double(double x, double y)>;

constexpr int kRows = 5, kCols = 7;
constexpr float kScale = 0.25f;

Matrix Numbers(uint64_t seed, double low = -4, double high = 4) {
  return Matrix(Shape2(kRows, kCols), seed, low, high);
}

/// Numbers drawn from a few.
template <typename A>
void Draw(A &labels, std::vector<double> of, uint64_t seed) {
  mshadow_test::SplitMix64 random(seed);
  for (int i = 0; i < labels.size(); ++i) {
    labels.at(i) = static_cast<std::decay_t<decltype(labels.at(i))>>(random.Pick(of));
  }
}

double LogSigmoid(double x) { return -std::log1p(std::exp(-x)); }

/// A loss of elements, and kScale times its gradient, against `formula`.
void ExpectElements(const Matrix &loss, Matrix &grad, Matrix &in, Matrix &label,
                    const Formula &formula) {
  double sum = 0;
  for (int i = 0; i < in.size(); ++i) {
    const double want = formula(in.at(i), label.at(i));
    EXPECT_NEAR(loss.dptr_[i], want, 1e-9) << in.at(i) << " " << label.at(i);
    sum += want;
  }
  EXPECT_NE(sum, 0);
  ExpectGradient(in, grad, [&] {
    double total = 0;
    for (int i = 0; i < in.size(); ++i) total += kScale * formula(in.at(i), label.at(i));
    return total;
  });
}

TEST(UnfusedLossesTest, BinaryCrossEntropyWithLogits) {
  Matrix in = Numbers(1), label = Numbers(2, 0, 1), loss = Numbers(0), grad = Numbers(0);
  loss::BinaryCrossEntropyWithLogits<cpu, 2, double>(loss, in, label, 3.0f);
  loss::BinaryCrossEntropyWithLogitsGrad<cpu, 2, double>(grad, in, label, 3.0f, kScale);
  ExpectElements(loss, grad, in, label, [](double x, double y) {
    return -(3 * y * LogSigmoid(x) + (1 - y) * LogSigmoid(-x));
  });
}

TEST(UnfusedLossesTest, LogitsMayBeLarge) {
  Vector in(Shape1(2)), label(Shape1(2)), loss(Shape1(2));
  in[0] = 1000, in[1] = -1000, label[0] = 0, label[1] = 1;
  loss::BinaryCrossEntropyWithLogits<cpu, 1, double>(loss, in, label);
  EXPECT_EQ(loss[0], 1000);
  EXPECT_EQ(loss[1], 1000);
  loss::SigmoidFocalLoss<cpu, 1, double>(loss, in, label, 0.25f, 2.0f);
  EXPECT_EQ(loss[0], 750);
  EXPECT_EQ(loss[1], 250);
}

TEST(UnfusedLossesTest, SigmoidFocalLoss) {
  Matrix in = Numbers(3), label = Numbers(0), loss = Numbers(0), grad = Numbers(0);
  Draw(label, {0, 1}, 4);
  loss::SigmoidFocalLoss<cpu, 2, double>(loss, in, label, 0.25f, 1.5f);
  loss::SigmoidFocalLossGrad<cpu, 2, double>(grad, in, label, 0.25f, 1.5f, kScale);
  ExpectElements(loss, grad, in, label, [](double x, double y) {
    const double s = 1 / (1 + std::exp(-x)), p = y == 1 ? s : 1 - s;
    return -(y == 1 ? 0.25 : 0.75) * std::pow(1 - p, 1.5) * std::log(p);
  });
}

TEST(UnfusedLossesTest, HingeLoss) {
  Matrix in = Numbers(5), label = Numbers(0), loss = Numbers(0), grad = Numbers(0);
  Draw(label, {-1, 1}, 6);
  loss::HingeLoss<cpu, 2, double>(loss, in, label, 0.5f);
  loss::HingeLossGrad<cpu, 2, double>(grad, in, label, 0.5f, kScale);
  ExpectElements(loss, grad, in, label,
                 [](double x, double y) { return std::max(0.0, 0.5 - y * x); });
}

TEST(UnfusedLossesTest, KlDiv) {
  Matrix in = Numbers(7, -3, 0), label = Numbers(8, 0, 1), loss = Numbers(0), grad = Numbers(0);
  label.at(3) = 0;
  loss::KlDiv<cpu, 2, double>(loss, in, label);
  loss::KlDivGrad<cpu, 2, double>(grad, label, kScale);
  ExpectElements(loss, grad, in, label,
                 [](double x, double y) { return y == 0 ? 0 : y * (std::log(y) - x); });
}

TEST(UnfusedLossesTest, QuantileLoss) {
  Matrix in = Numbers(9), label = Numbers(10), loss = Numbers(0), grad = Numbers(0);
  loss::QuantileLoss<cpu, 2, double>(loss, in, label, 0.75f);
  loss::QuantileLossGrad<cpu, 2, double>(grad, in, label, 0.75f, kScale);
  ExpectElements(loss, grad, in, label,
                 [](double x, double y) { return y > x ? 0.75 * (y - x) : 0.25 * (x - y); });
}

/// A row of a matrix.
std::vector<double> Row(const Matrix &m, int y) {
  return std::vector<double>(m.dptr_ + y * kCols, m.dptr_ + (y + 1) * kCols);
}

std::vector<double> Softmax(std::vector<double> x) {
  double total = 0;
  for (double &e : x) total += e = std::exp(e);
  for (double &e : x) e /= total;
  return x;
}

using RowLoss = std::function<double(int y)>;

/// A loss of rows, as `formula` says it; then `formula`, times kScale, is to have these gradients.
void ExpectRows(const double *loss, double tolerance, const RowLoss &formula) {
  for (int y = 0; y < kRows; ++y) EXPECT_NEAR(loss[y], formula(y), tolerance) << y;
}
double Total(const RowLoss &formula) {
  double total = 0;
  for (int y = 0; y < kRows; ++y) total += kScale * formula(y);
  return total;
}

TEST(UnfusedLossesTest, DistillationTrain) {
  Matrix in = Numbers(11), teacher = Numbers(12), grad = Numbers(0);
  Vector loss{Shape1(kRows)};
  loss::DistillationTrain<cpu, double>(loss, grad, in, teacher, 2.0f, kScale);
  const RowLoss formula = [&](int y) {
    std::vector<double> x = Row(in, y), t = Row(teacher, y);
    for (int i = 0; i < kCols; ++i) x[i] /= 2, t[i] /= 2;
    const std::vector<double> q = Softmax(x), p = Softmax(t);
    double divergence = 0;
    for (int i = 0; i < kCols; ++i) divergence += p[i] * std::log(p[i] / q[i]);
    return 4 * divergence;
  };
  ExpectRows(loss.dptr_, 1e-9, formula);
  ExpectGradient(in, grad, [&] { return Total(formula); });
}

TEST(UnfusedLossesTest, DiceLoss) {
  Matrix in = Numbers(13), label = Numbers(0), grad = Numbers(0);
  Draw(label, {0, 1}, 14);
  Vector loss{Shape1(kRows)};
  loss::DiceLoss<cpu, double>(loss, in, label, 0.5f);
  loss::DiceLossGrad<cpu, double>(grad, in, label, 0.5f, kScale);
  const RowLoss formula = [&](int y) {
    double both = 0, total = 0;
    for (int i = 0; i < kCols; ++i) {
      const double p = 1 / (1 + std::exp(-in[y][i]));
      both += p * label[y][i];
      total += p + label[y][i];
    }
    return 1 - (2 * both + 0.5) / (total + 0.5);
  };
  ExpectRows(loss.dptr_, 1e-9, formula);
  ExpectGradient(in, grad, [&] { return Total(formula); });
}

double Distance(const std::vector<double> &a, const std::vector<double> &b, double eps = 0) {
  double sum = 0;
  for (int i = 0; i < kCols; ++i) sum += std::pow(a[i] - b[i] + eps, 2);
  return std::sqrt(sum);
}

TEST(UnfusedLossesTest, ContrastiveLoss) {
  Matrix a = Numbers(15), b = Numbers(16), a_grad = Numbers(0), b_grad = Numbers(0);
  Vector loss{Shape1(kRows)}, label{Shape1(kRows)};
  for (int y = 0; y < kRows; ++y) label[y] = y % 2;
  for (int i = 0; i < kCols; ++i) b[0][i] = a[0][i] + 0.1 * b[0][i];
  loss::ContrastiveLoss<cpu, double>(loss, a, b, label, 8.0f);
  loss::ContrastiveLossGrad<cpu, double>(a_grad, b_grad, a, b, label, 8.0f, kScale);
  const RowLoss formula = [&](int y) {
    const double d = Distance(Row(a, y), Row(b, y));
    return 0.5 * (label[y] == 1 ? d * d : std::pow(std::max(0.0, 8 - d), 2));
  };
  EXPECT_GT(formula(0), 0);
  ExpectRows(loss.dptr_, 1e-9, formula);
  ExpectGradient(a, a_grad, [&] { return Total(formula); });
  ExpectGradient(b, b_grad, [&] { return Total(formula); });
  // Equal rows have no direction.
  loss::ContrastiveLossGrad<cpu, double>(a_grad, b_grad, a, a, label, 8.0f, kScale);
  for (int i = 0; i < a.size(); ++i) EXPECT_EQ(a_grad.at(i), 0);
}

TEST(UnfusedLossesTest, TripletMarginLoss) {
  Matrix a = Numbers(17), p = Numbers(18), n = Numbers(19);
  Matrix a_grad = Numbers(0), p_grad = Numbers(0), n_grad = Numbers(0);
  Vector loss{Shape1(kRows)};
  for (int i = 0; i < kCols; ++i) p[0][i] = a[0][i], n[0][i] = a[0][i] + 3;
  constexpr float kMargin = 1.0f, kEps = 1e-3f;
  loss::TripletMarginLoss<cpu, double>(loss, a, p, n, kMargin, kEps);
  loss::TripletMarginLossGrad<cpu, double>(a_grad, p_grad, n_grad, a, p, n, kMargin, kEps, kScale);
  const RowLoss formula = [&](int y) {
    return std::max(
        0.0, Distance(Row(a, y), Row(p, y), kEps) - Distance(Row(a, y), Row(n, y), kEps) + kMargin);
  };
  EXPECT_EQ(loss[0], 0);
  EXPECT_GT(Total(formula), 0);
  ExpectRows(loss.dptr_, 1e-9, formula);
  ExpectGradient(a, a_grad, [&] { return Total(formula); });
  ExpectGradient(p, p_grad, [&] { return Total(formula); });
  ExpectGradient(n, n_grad, [&] { return Total(formula); });
}

TEST(UnfusedLossesTest, CosineEmbeddingLoss) {
  Matrix a = Numbers(20), b = Numbers(21), a_grad = Numbers(0), b_grad = Numbers(0);
  Vector loss{Shape1(kRows)}, label{Shape1(kRows)};
  for (int y = 0; y < kRows; ++y) label[y] = y % 2 == 0 ? -1 : 1;
  for (int i = 0; i < kCols; ++i) b[0][i] += 2 * a[0][i];
  loss::CosineEmbeddingLoss<cpu, double>(loss, a, b, label, 0.25f);
  loss::CosineEmbeddingLossGrad<cpu, double>(a_grad, b_grad, a, b, label, 0.25f, 1e-12f, kScale);
  const RowLoss formula = [&](int y) {
    double ab = 0, aa = 0, bb = 0;
    for (int i = 0; i < kCols; ++i) {
      ab += a[y][i] * b[y][i], aa += a[y][i] * a[y][i], bb += b[y][i] * b[y][i];
    }
    const double cosine = ab / std::sqrt(aa * bb);
    return label[y] == 1 ? 1 - cosine : std::max(0.0, cosine - 0.25);
  };
  EXPECT_GT(formula(0), 0);
  ExpectRows(loss.dptr_, 1e-9, formula);
  ExpectGradient(a, a_grad, [&] { return Total(formula); });
  ExpectGradient(b, b_grad, [&] { return Total(formula); });
}

TEST(UnfusedLossesTest, SmoothedSparseSoftmaxCrossEntropy) {
  Array<2, float> in(Shape2(kRows, kCols), 22, -4, 4), grad(Shape2(kRows, kCols));
  Array<1, float> loss{Shape1(kRows)}, count{Shape1(1)};
  Array<1, int64_t> label{Shape1(kRows)};
  for (int y = 0; y < kRows; ++y) label[y] = y == 2 ? -7 : 2 * y % kCols;
  loss::SmoothedSparseSoftmaxCrossEntropy<cpu, float, int64_t>(loss, in, label, -7, 0.25f);
  loss::SmoothedSparseSoftmaxCrossEntropyGrad<cpu, float, int64_t>(grad, in, label, -7, 0.25f,
                                                                   kScale);
  for (int y = 0; y < kRows; ++y) {
    const std::vector<double> q = Softmax(std::vector<double>(in[y].dptr_, in[y].dptr_ + kCols));
    double want = 0;
    for (int i = 0; i < kCols; ++i) {
      const double p = (i == label[y] ? 0.75 : 0) + 0.25 / kCols;
      if (y != 2) want -= p * std::log(q[i]);
      EXPECT_NEAR(grad[y][i], y == 2 ? 0 : kScale * (q[i] - p), 1e-6) << y << " " << i;
    }
    EXPECT_NEAR(loss[y], want, 1e-5) << y;
  }
  loss::CountLabels<cpu, int64_t>(count, label, -7);
  EXPECT_EQ(count[0], kRows - 1);
}

TEST(UnfusedLossesTest, MultiMarginLoss) {
  Matrix in = Numbers(23), grad = Numbers(0);
  Vector loss{Shape1(kRows)};
  Array<1, int64_t> label{Shape1(kRows)};
  for (int y = 0; y < kRows; ++y) label[y] = 3 * y % kCols;
  loss::MultiMarginLoss<cpu, double, int64_t>(loss, in, label, 0.5f);
  loss::MultiMarginLossGrad<cpu, double, int64_t>(grad, in, label, 0.5f, kScale);
  const RowLoss formula = [&](int y) {
    const auto own = static_cast<int>(label[y]);
    double sum = 0;
    for (int i = 0; i < kCols; ++i) {
      if (i != own) sum += std::max(0.0, 0.5 - in[y][own] + in[y][i]);
    }
    return sum / kCols;
  };
  ExpectRows(loss.dptr_, 1e-6, formula);  // 1 / classes is a float
  ExpectGradient(in, grad, [&] { return Total(formula); });
}

}  // namespace
