// SPDX-License-Identifier: Apache-2.0
// The shipped activations, loss gradients and vector operations, run unfused, against <cmath> in
// double precision; backward rules also against the difference quotient of the forward formula.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <type_traits>
#include <vector>

#include "optimizer_check.h"
#include "specs/activation/bias.h"
#include "specs/activation/elu.h"
#include "specs/activation/gelu.h"
#include "specs/activation/relu.h"
#include "specs/activation/sigmoid.h"
#include "specs/activation/silu.h"
#include "specs/activation/softplus.h"
#include "specs/activation/tanh.h"
#include "specs/blas1/axpby.h"
#include "specs/blas1/l2_step.h"
#include "specs/loss/cross_entropy.h"

namespace {

using namespace mshadow_test;
using Function = std::function<double(double)>;

constexpr int kCount = 241;  // inputs from -12 to 12

/// out, in and grad of one row.
template <typename DType>
struct Row {
  std::vector<DType> out_data = std::vector<DType>(kCount);
  std::vector<DType> in_data = std::vector<DType>(kCount);
  std::vector<DType> grad_data = std::vector<DType>(kCount);

  Row() {
    for (int i = 0; i < kCount; ++i) {
      in_data[i] = DType(0.1f * static_cast<float>(i - kCount / 2));
      grad_data[i] = DType(0.5f + 0.01f * static_cast<float>(i % 50));
    }
  }
  Matrix<DType> out() { return View(&out_data); }
  Matrix<DType> in() { return View(&in_data); }
  Matrix<DType> grad() { return View(&grad_data); }

 private:
  static Matrix<DType> View(std::vector<DType> *data) {
    return Matrix<DType>(data->data(), mshadow::Shape2(1, kCount));
  }
};

template <typename DType>
double Double(DType value) {
  return mshadow::ScalarCast<double>(value);
}

/// Double computes in double: the errors of a function and some operations.
template <typename DType>
constexpr double kEpsilon = std::is_same<DType, double>::value ? 1e-14 : 3e-6;

template <typename DType>
class Activation : public testing::Test {};
using ElementTypes = testing::Types<float, double, mshadow::half::half_t, mshadow::bfloat::bf16_t>;
TYPED_TEST_SUITE(Activation, ElementTypes);

/// rule(out, in) against f.
template <typename DType, typename Rule>
void CheckForward(Rule rule, const Function &f) {
  Row<DType> row;
  rule(row.out(), row.in());
  for (int i = 0; i < kCount; ++i) {
    const double x = Double(row.in_data[i]);
    ExpectNear(Double(row.out_data[i]), f(x), HalfUlp<DType>(), "x = " + std::to_string(x),
               kEpsilon<DType>);
  }
}

/// Backward of f: rule(in_grad, out_grad, v) against f' by difference quotient, where v is the
/// input, or the output if \p by_output. A kink of f at 0 is left out.
template <typename DType, typename Rule>
void CheckBackward(Rule rule, const Function &f, bool by_output) {
  Row<DType> row;
  std::vector<double> x(kCount);
  for (int i = 0; i < kCount; ++i) {
    x[i] = Double(row.in_data[i]);
    if (by_output) row.in_data[i] = DType(static_cast<float>(f(x[i])));
  }
  rule(row.out(), row.grad(), row.in());
  // A rule that gets the output rounded to DType knows the derivative no better than that.
  const double slack = by_output ? 4 * HalfUlp<DType>() : HalfUlp<DType>();
  for (int i = 0; i < kCount; ++i) {
    if (std::fabs(x[i]) < 1e-3) continue;
    constexpr double h = 1e-5;
    const double slope = (f(x[i] + h) - f(x[i] - h)) / (2 * h);
    const double expected = Double(row.grad_data[i]) * slope;
    EXPECT_NEAR(Double(row.out_data[i]), expected, 1e-5 + slack * (1.0 + std::fabs(expected)))
        << "x = " << x[i];
  }
}

double Relu(double x) { return std::fmax(x, 0.0); }
double LeakyRelu(double x) { return x < 0 ? 0.2 * x : x; }
double Elu(double x) { return x < 0 ? 1.5 * std::expm1(x) : x; }
double Sigmoid(double x) { return 1.0 / (1.0 + std::exp(-x)); }
double Tanh(double x) { return std::tanh(x); }
double Gelu(double x) { return 0.5 * x * std::erfc(-x / std::sqrt(2.0)); }
double GeluTanh(double x) {
  return 0.5 * x * (1.0 + std::tanh(std::sqrt(2.0 / M_PI) * (x + 0.044715 * x * x * x)));
}
double Silu(double x) { return x * Sigmoid(x); }
double Softplus(double x) { return std::log1p(std::exp(2.5 * x)) / 2.5; }

TYPED_TEST(Activation, Forward) {
  using D = TypeParam;
  using M = Matrix<D>;
  CheckForward<D>([](M out, M in) { activation::Relu(out, in); }, Relu);
  CheckForward<D>([](M out, M in) { activation::LeakyRelu(out, in, 0.2); }, LeakyRelu);
  CheckForward<D>([](M out, M in) { activation::Elu(out, in, 1.5f); }, Elu);
  CheckForward<D>([](M out, M in) { activation::Sigmoid(out, in); }, Sigmoid);
  CheckForward<D>([](M out, M in) { activation::Tanh(out, in); }, Tanh);
  CheckForward<D>([](M out, M in) { activation::Gelu(out, in); }, Gelu);
  CheckForward<D>([](M out, M in) { activation::GeluTanh(out, in); }, GeluTanh);
  CheckForward<D>([](M out, M in) { activation::Silu(out, in); }, Silu);
  CheckForward<D>([](M out, M in) { activation::Softplus(out, in, 2.5f); }, Softplus);
}

TYPED_TEST(Activation, Backward) {
  using D = TypeParam;
  using M = Matrix<D>;
  CheckBackward<D>([](M d, M g, M y) { activation::ReluGrad(d, g, y); }, Relu, true);
  CheckBackward<D>([](M d, M g, M x) { activation::LeakyReluGrad(d, g, x, 0.2); }, LeakyRelu,
                   false);
  CheckBackward<D>([](M d, M g, M y) { activation::EluGrad(d, g, y, 1.5f); }, Elu, true);
  CheckBackward<D>([](M d, M g, M y) { activation::SigmoidGrad(d, g, y); }, Sigmoid, true);
  CheckBackward<D>([](M d, M g, M y) { activation::TanhGrad(d, g, y); }, Tanh, true);
  CheckBackward<D>([](M d, M g, M x) { activation::GeluGrad(d, g, x); }, Gelu, false);
  CheckBackward<D>([](M d, M g, M x) { activation::GeluTanhGrad(d, g, x); }, GeluTanh, false);
  CheckBackward<D>([](M d, M g, M x) { activation::SiluGrad(d, g, x); }, Silu, false);
  CheckBackward<D>([](M d, M g, M x) { activation::SoftplusGrad(d, g, x, 2.5f); }, Softplus, false);
}

/// The bias of column i, the same in every row.
float BiasOf(int i) { return 0.125f * static_cast<float>(i - kCols / 2); }

/// Inputs around zero, and a bias.
template <typename DType>
struct Layer : Problem<DType> {
  std::vector<DType> bias_data = std::vector<DType>(kCols);
  Layer() : Problem<DType>(0) {
    Values values;
    for (DType &x : this->weights) x = DType(4.0f * values.Next());
    for (DType &g : this->gradients) g = DType(values.Next());
    for (int i = 0; i < kCols; ++i) bias_data[i] = DType(BiasOf(i));
  }
  Tensor<cpu, 1, DType> bias() {
    return Tensor<cpu, 1, DType>(bias_data.data(), mshadow::Shape1(kCols));
  }
};

template <typename DType, typename Rule>
void CheckBias(Rule rule, const Function &f) {
  Layer<DType> layer;
  std::vector<DType> out(kSize);
  rule(Matrix<DType>(out.data(), Shape2(kRows, kCols)), layer.weight(), layer.bias());
  for (int i = 0; i < kSize; ++i) {
    const double z = Double(layer.weights[i]) + BiasOf(i % kCols);
    ExpectNear(Double(out[i]), f(z), HalfUlp<DType>(), "element " + std::to_string(i),
               kEpsilon<DType>);
  }
}

template <typename DType, typename Rule>
void CheckBiasGrad(Rule rule, const Function &f) {
  Layer<DType> layer;
  std::vector<DType> out(kSize);
  rule(Matrix<DType>(out.data(), Shape2(kRows, kCols)), layer.grad(), layer.weight(), layer.bias());
  for (int i = 0; i < kSize; ++i) {
    constexpr double h = 1e-5;
    const double z = Double(layer.weights[i]) + BiasOf(i % kCols);
    const double expected = Double(layer.gradients[i]) * (f(z + h) - f(z - h)) / (2 * h);
    ExpectNear(Double(out[i]), expected, HalfUlp<DType>(), "element " + std::to_string(i));
  }
}

TYPED_TEST(Activation, WithBias) {
  using D = TypeParam;
  using M = Matrix<D>;
  using V = Tensor<cpu, 1, D>;
  CheckBias<D>([](M out, M in, V b) { activation::BiasAdd(out, in, b); },
               [](double z) { return z; });
  CheckBias<D>([](M out, M in, V b) { activation::BiasRelu(out, in, b); }, Relu);
  CheckBias<D>([](M out, M in, V b) { activation::BiasSigmoid(out, in, b); }, Sigmoid);
  CheckBias<D>([](M out, M in, V b) { activation::BiasTanh(out, in, b); }, Tanh);
  CheckBias<D>([](M out, M in, V b) { activation::BiasGelu(out, in, b); }, Gelu);
  CheckBias<D>([](M out, M in, V b) { activation::BiasGeluTanh(out, in, b); }, GeluTanh);
  CheckBias<D>([](M out, M in, V b) { activation::BiasSilu(out, in, b); }, Silu);
  CheckBiasGrad<D>([](M d, M g, M x, V b) { activation::BiasGeluGrad(d, g, x, b); }, Gelu);
  CheckBiasGrad<D>([](M d, M g, M x, V b) { activation::BiasGeluTanhGrad(d, g, x, b); }, GeluTanh);
  CheckBiasGrad<D>([](M d, M g, M x, V b) { activation::BiasSiluGrad(d, g, x, b); }, Silu);
}

TYPED_TEST(Activation, CrossEntropy) {
  using D = TypeParam;
  Problem<D> p(0);
  std::vector<D> out(kSize);
  const Matrix<D> result(out.data(), Shape2(kRows, kCols));
  for (int i = 0; i < kSize; ++i) p.gradients[i] = D(i % kCols == i / kCols ? 1.0f : 0.0f);
  loss::CrossEntropyGrad(result, p.weight(), p.grad(), 0.25f);
  for (int i = 0; i < kSize; ++i) {
    const double expected = 0.25 * (Double(p.weights[i]) - Double(p.gradients[i]));
    ExpectNear(Double(out[i]), expected, HalfUlp<D>(), "element " + std::to_string(i));
  }
  loss::SmoothedCrossEntropyGrad(result, p.weight(), p.grad(), 0.125f, 0.25f);
  for (int i = 0; i < kSize; ++i) {
    const double target = 0.875 * Double(p.gradients[i]) + 0.125 / kCols;
    ExpectNear(Double(out[i]), 0.25 * (Double(p.weights[i]) - target), HalfUlp<D>(),
               "element " + std::to_string(i));
  }
}

TYPED_TEST(Activation, VectorOperations) {
  using D = TypeParam;
  Row<D> row;
  const std::vector<D> before = row.grad_data;
  if constexpr (std::is_same<D, double>::value) {
    blas1::DAxpby(row.grad(), row.in(), 0.3f, -0.7f);
    blas1::DScale(row.out(), row.in(), 1.7f);
  } else {
    blas1::Axpby(row.grad(), row.in(), 0.3f, -0.7f);
    blas1::Scale(row.out(), row.in(), 1.7f);
  }
  for (int i = 0; i < kCount; ++i) {
    const double x = Double(row.in_data[i]), y = Double(before[i]);
    ExpectNear(Double(row.grad_data[i]), 0.3f * x - 0.7f * y, HalfUlp<D>(), std::to_string(i));
    ExpectNear(Double(row.out_data[i]), 1.7f * x, HalfUlp<D>(), std::to_string(i));
  }
  blas1::Clip(row.out(), row.in(), 2.0f);
  for (int i = 0; i < kCount; ++i) {
    const double x = Double(row.in_data[i]);
    EXPECT_EQ(Double(row.out_data[i]), std::fmax(std::fmin(x, 2.0), -2.0));
  }
}

TEST(VectorOperations, InDouble) {
  std::vector<double> x{1.0, 1e-20, 3.0}, y{2.0, 1.0, -1.0};
  const Tensor<cpu, 1, double> tx(x.data(), mshadow::Shape1(3)), ty(y.data(), mshadow::Shape1(3));
  blas1::DAxpby(ty, tx, 0.1, 0.3);
  EXPECT_EQ(y, (std::vector<double>{0.1 * 1.0 + 0.3 * 2.0, 0.1 * 1e-20 + 0.3, 0.1 * 3.0 - 0.3}));
  blas1::DScale(ty, tx, 0.1);
  EXPECT_EQ(y, (std::vector<double>{0.1, 0.1 * 1e-20, 0.1 * 3.0}));
}

TEST(VectorOperations, L2Step) {
  std::vector<float> weight{1.0f, -2.0f}, grad{0.5f, 0.25f};
  blas1::L2Step(Tensor<cpu, 1, float>(weight.data(), mshadow::Shape1(2)),
                Tensor<cpu, 1, float>(grad.data(), mshadow::Shape1(2)), 0.5f, 0.125f);
  EXPECT_EQ(weight, (std::vector<float>{-0.5f * (0.5f + 0.125f), -0.5f * (0.25f - 0.25f)}));
}

// What a formula leaves open: NaN comes out as NaN, nothing overflows on the way.
/// Where 1 - y * y would lose most digits.
TEST(ActivationEdges, TanhGradNearOne) {
  std::vector<float> y(kSize), grad(kSize, 3.0f), result(kSize);
  for (int i = 0; i < kSize; ++i) {
    y[i] = (i % 2 == 0 ? 1.0f : -1.0f) * (1.0f - std::ldexp(1.0f + 0.01f * float(i), -1 - i % 23));
  }
  const auto matrix = [](std::vector<float> &x) {
    return Matrix<float>(x.data(), Shape2(kRows, kCols));
  };
  activation::TanhGrad(matrix(result), matrix(grad), matrix(y));
  for (int i = 0; i < kSize; ++i) {
    const double expected = 3.0 * (1.0 - double{y[i]} * double{y[i]});
    EXPECT_NEAR(result[i], expected, 2.4e-7 * expected) << y[i];
  }
}

TEST(ActivationEdges, NanAndInfinity) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  std::vector<float> in{std::nanf(""), kInf, -kInf, 1e30f, -1e30f}, out(5);
  const Tensor<cpu, 1, float> x(in.data(), mshadow::Shape1(5)), y(out.data(), mshadow::Shape1(5));
  activation::Relu(y, x);
  EXPECT_TRUE(std::isnan(out[0]));
  EXPECT_EQ(std::vector<float>(out.begin() + 1, out.end()),
            (std::vector<float>{kInf, 0.0f, 1e30f, 0.0f}));
  activation::Elu(y, x);
  EXPECT_TRUE(std::isnan(out[0]));
  EXPECT_EQ(std::vector<float>(out.begin() + 1, out.end()),
            (std::vector<float>{kInf, -1.0f, 1e30f, -1.0f}));
  activation::Sigmoid(y, x);
  EXPECT_TRUE(std::isnan(out[0]));
  EXPECT_EQ(std::vector<float>(out.begin() + 1, out.end()),
            (std::vector<float>{1.0f, 0.0f, 1.0f, 0.0f}));
  activation::Softplus(y, x);
  EXPECT_TRUE(std::isnan(out[0]));
  EXPECT_EQ(std::vector<float>(out.begin() + 1, out.end()),
            (std::vector<float>{kInf, 0.0f, 1e30f, 0.0f}));
}

}  // namespace
