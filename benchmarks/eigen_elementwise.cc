// SPDX-License-Identifier: Apache-2.0
// Activations, losses and vector operations as a user of Eigen writes them: a statement for each
// assignment of the rule.
#include <cmath>

#include "eigen.h"

namespace mshadow_bench {
namespace {

constexpr float kRootHalf = 0.70710678118654752f;
constexpr float kInvRootTwoPi = 0.39894228040143268f;
constexpr float kRootTwoOverPi = 0.79788456080286536f;

// Rows of a matrix, each with the bias added, as Eigen's rowwise() gives them.
template <typename F>
void Rows(const Call &call, int64_t begin, int64_t end, const F &f) {
  using RowMajor = Eigen::Array<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  using Matrix = Eigen::Map<RowMajor>;
  const int64_t first = (begin + call.cols - 1) / call.cols,
                last = (end + call.cols - 1) / call.cols;
  f(first, last - first, [&](int tensor) {
    return Matrix(call.tensors[tensor] + first * call.cols, last - first, call.cols);
  });
}

void Relu(const Call &call, int64_t begin, int64_t end) {
  EigenCall c(call, begin, end);
  Array y = c.Tensor(), x = c.Tensor();
  y = x.max(0.0f);
}

void ReluGrad(const Call &call, int64_t begin, int64_t end) {
  EigenCall c(call, begin, end);
  Array y = c.Tensor(), g = c.Tensor(), x = c.Tensor();
  y = (x > 0.0f).select(g, 0.0f);
}

void LeakyRelu(const Call &call, int64_t begin, int64_t end) {
  EigenCall c(call, begin, end);
  Array y = c.Tensor(), x = c.Tensor();
  const float slope = c.Scalar();
  y = (x < 0.0f).select(slope * x, x);
}

void LeakyReluGrad(const Call &call, int64_t begin, int64_t end) {
  EigenCall c(call, begin, end);
  Array y = c.Tensor(), g = c.Tensor(), x = c.Tensor();
  const float slope = c.Scalar();
  y = (x > 0.0f).select(g, slope * g);
}

void Elu(const Call &call, int64_t begin, int64_t end) {
  EigenCall c(call, begin, end);
  Array y = c.Tensor(), x = c.Tensor();
  const float alpha = c.Scalar();
  y = (x < 0.0f).select(alpha * x.expm1(), x);
}

void EluGrad(const Call &call, int64_t begin, int64_t end) {
  EigenCall c(call, begin, end);
  Array y = c.Tensor(), g = c.Tensor(), x = c.Tensor();
  const float alpha = c.Scalar();
  y = (x > 0.0f).select(g, g * (x + alpha));
}

void Sigmoid(const Call &call, int64_t begin, int64_t end) {
  EigenCall c(call, begin, end);
  Array y = c.Tensor(), x = c.Tensor();
  y = x.logistic();
}

void SigmoidGrad(const Call &call, int64_t begin, int64_t end) {
  EigenCall c(call, begin, end);
  Array y = c.Tensor(), g = c.Tensor(), x = c.Tensor();
  y = g * (x * (1.0f - x));
}

void Tanh(const Call &call, int64_t begin, int64_t end) {
  EigenCall c(call, begin, end);
  Array y = c.Tensor(), x = c.Tensor();
  y = x.tanh();
}

void TanhGrad(const Call &call, int64_t begin, int64_t end) {
  EigenCall c(call, begin, end);
  Array y = c.Tensor(), g = c.Tensor(), x = c.Tensor();
  y = g * (1.0f - x.square());
}

void Gelu(const Call &call, int64_t begin, int64_t end) {
  EigenCall c(call, begin, end);
  Array y = c.Tensor(), x = c.Tensor();
  y = 0.5f * x * (1.0f + x.unaryExpr([](float a) { return std::erf(a * kRootHalf); }));
}

void GeluGrad(const Call &call, int64_t begin, int64_t end) {
  EigenCall c(call, begin, end);
  Array y = c.Tensor(), g = c.Tensor(), x = c.Tensor();
  y = g * (0.5f * (1.0f + x.unaryExpr([](float a) { return std::erf(a * kRootHalf); })) +
           x * kInvRootTwoPi * (-0.5f * x.square()).exp());
}

void GeluTanh(const Call &call, int64_t begin, int64_t end) {
  EigenCall c(call, begin, end);
  Array y = c.Tensor(), x = c.Tensor();
  y = 0.5f * x * (1.0f + (kRootTwoOverPi * (x + 0.044715f * x.cube())).tanh());
}

void GeluTanhGrad(const Call &call, int64_t begin, int64_t end) {
  EigenCall c(call, begin, end);
  Array y = c.Tensor(), g = c.Tensor(), x = c.Tensor();
  const Eigen::ArrayXf t = (kRootTwoOverPi * (x + 0.044715f * x.cube())).tanh();
  y = g * (0.5f * (1.0f + t) +
           0.5f * x * (1.0f - t.square()) * kRootTwoOverPi * (1.0f + 0.134145f * x.square()));
}

void Silu(const Call &call, int64_t begin, int64_t end) {
  EigenCall c(call, begin, end);
  Array y = c.Tensor(), x = c.Tensor();
  y = x * x.logistic();
}

void SiluGrad(const Call &call, int64_t begin, int64_t end) {
  EigenCall c(call, begin, end);
  Array y = c.Tensor(), g = c.Tensor(), x = c.Tensor();
  y = g * (x.logistic() * (1.0f + x * (1.0f - x.logistic())));
}

void Softplus(const Call &call, int64_t begin, int64_t end) {
  EigenCall c(call, begin, end);
  Array y = c.Tensor(), x = c.Tensor();
  const float beta = c.Scalar();
  y = ((beta * x).max(0.0f) + (-(beta * x).abs()).exp().log1p()) / beta;
}

void SoftplusGrad(const Call &call, int64_t begin, int64_t end) {
  EigenCall c(call, begin, end);
  Array y = c.Tensor(), g = c.Tensor(), x = c.Tensor();
  const float beta = c.Scalar();
  y = g * (beta * x).logistic();
}

void Axpby(const Call &call, int64_t begin, int64_t end) {
  EigenCall c(call, begin, end);
  Array y = c.Tensor(), x = c.Tensor();
  const float a = c.Scalar(), b = c.Scalar();
  y = a * x + b * y;
}

void Scale(const Call &call, int64_t begin, int64_t end) {
  EigenCall c(call, begin, end);
  Array y = c.Tensor(), x = c.Tensor();
  const float a = c.Scalar();
  y = a * x;
}

void Clip(const Call &call, int64_t begin, int64_t end) {
  EigenCall c(call, begin, end);
  Array y = c.Tensor(), x = c.Tensor();
  const float bound = c.Scalar();
  y = x.min(bound).max(-bound);
}

void L2Step(const Call &call, int64_t begin, int64_t end) {
  EigenCall c(call, begin, end);
  Array w = c.Tensor(), g = c.Tensor();
  const float eta = c.Scalar(), lambda = c.Scalar();
  w = -eta * (g + lambda * w);
}

void CrossEntropyGrad(const Call &call, int64_t begin, int64_t end) {
  EigenCall c(call, begin, end);
  Array y = c.Tensor(), p = c.Tensor(), t = c.Tensor();
  const float scale = c.Scalar();
  y = scale * (p - t);
}

void SmoothedCrossEntropyGrad(const Call &call, int64_t begin, int64_t end) {
  EigenCall c(call, begin, end);
  Array y = c.Tensor(), p = c.Tensor(), t = c.Tensor();
  const float smoothing = c.Scalar(), scale = c.Scalar();
  const float off = smoothing / static_cast<float>(call.cols);
  y = scale * (p - ((1.0f - smoothing) * t + off));
}

void BiasAdd(const Call &call, int64_t begin, int64_t end) {
  Rows(call, begin, end, [&](int64_t, int64_t, auto tensor) {
    const Eigen::Map<const Eigen::Array<float, 1, Eigen::Dynamic>> bias(call.tensors[2], call.cols);
    const auto x = tensor(1).rowwise() + bias;
    tensor(0) = x;
  });
}

void BiasRelu(const Call &call, int64_t begin, int64_t end) {
  Rows(call, begin, end, [&](int64_t, int64_t, auto tensor) {
    const Eigen::Map<const Eigen::Array<float, 1, Eigen::Dynamic>> bias(call.tensors[2], call.cols);
    const auto x = tensor(1).rowwise() + bias;
    tensor(0) = x.max(0.0f);
  });
}

void BiasSigmoid(const Call &call, int64_t begin, int64_t end) {
  Rows(call, begin, end, [&](int64_t, int64_t, auto tensor) {
    const Eigen::Map<const Eigen::Array<float, 1, Eigen::Dynamic>> bias(call.tensors[2], call.cols);
    const auto x = tensor(1).rowwise() + bias;
    tensor(0) = x.logistic();
  });
}

void BiasTanh(const Call &call, int64_t begin, int64_t end) {
  Rows(call, begin, end, [&](int64_t, int64_t, auto tensor) {
    const Eigen::Map<const Eigen::Array<float, 1, Eigen::Dynamic>> bias(call.tensors[2], call.cols);
    const auto x = tensor(1).rowwise() + bias;
    tensor(0) = x.tanh();
  });
}

void BiasGelu(const Call &call, int64_t begin, int64_t end) {
  Rows(call, begin, end, [&](int64_t, int64_t, auto tensor) {
    const Eigen::Map<const Eigen::Array<float, 1, Eigen::Dynamic>> bias(call.tensors[2], call.cols);
    const auto x = tensor(1).rowwise() + bias;
    tensor(0) = 0.5f * x * (1.0f + x.unaryExpr([](float a) { return std::erf(a * kRootHalf); }));
  });
}

void BiasGeluGrad(const Call &call, int64_t begin, int64_t end) {
  Rows(call, begin, end, [&](int64_t, int64_t, auto tensor) {
    const Eigen::Map<const Eigen::Array<float, 1, Eigen::Dynamic>> bias(call.tensors[3], call.cols);
    const auto x = tensor(2).rowwise() + bias;
    tensor(0) =
        tensor(1) * (0.5f * (1.0f + x.unaryExpr([](float a) { return std::erf(a * kRootHalf); })) +
                     x * kInvRootTwoPi * (-0.5f * x.square()).exp());
  });
}

void BiasGeluTanh(const Call &call, int64_t begin, int64_t end) {
  Rows(call, begin, end, [&](int64_t, int64_t, auto tensor) {
    const Eigen::Map<const Eigen::Array<float, 1, Eigen::Dynamic>> bias(call.tensors[2], call.cols);
    const auto x = tensor(1).rowwise() + bias;
    tensor(0) = 0.5f * x * (1.0f + (kRootTwoOverPi * (x + 0.044715f * x.cube())).tanh());
  });
}

void BiasGeluTanhGrad(const Call &call, int64_t begin, int64_t end) {
  Rows(call, begin, end, [&](int64_t, int64_t, auto tensor) {
    const Eigen::Map<const Eigen::Array<float, 1, Eigen::Dynamic>> bias(call.tensors[3], call.cols);
    const auto x = tensor(2).rowwise() + bias;
    tensor(0) = tensor(1) *
                (0.5f * (1.0f + (kRootTwoOverPi * (x + 0.044715f * x.cube())).tanh()) +
                 0.5f * x * (1.0f - (kRootTwoOverPi * (x + 0.044715f * x.cube())).tanh().square()) *
                     kRootTwoOverPi * (1.0f + 0.134145f * x.square()));
  });
}

void BiasSilu(const Call &call, int64_t begin, int64_t end) {
  Rows(call, begin, end, [&](int64_t, int64_t, auto tensor) {
    const Eigen::Map<const Eigen::Array<float, 1, Eigen::Dynamic>> bias(call.tensors[2], call.cols);
    const auto x = tensor(1).rowwise() + bias;
    tensor(0) = x * x.logistic();
  });
}

void BiasSiluGrad(const Call &call, int64_t begin, int64_t end) {
  Rows(call, begin, end, [&](int64_t, int64_t, auto tensor) {
    const Eigen::Map<const Eigen::Array<float, 1, Eigen::Dynamic>> bias(call.tensors[3], call.cols);
    const auto x = tensor(2).rowwise() + bias;
    tensor(0) = tensor(1) * (x.logistic() * (1.0f + x * (1.0f - x.logistic())));
  });
}

}  // namespace

std::vector<Contender> EigenElementwise() {
  return {{"BiasAdd", BiasAdd},
          {"BiasRelu", BiasRelu},
          {"BiasSigmoid", BiasSigmoid},
          {"BiasTanh", BiasTanh},
          {"BiasGelu", BiasGelu},
          {"BiasGeluGrad", BiasGeluGrad},
          {"BiasGeluTanh", BiasGeluTanh},
          {"BiasGeluTanhGrad", BiasGeluTanhGrad},
          {"BiasSilu", BiasSilu},
          {"BiasSiluGrad", BiasSiluGrad},
          {"Relu", Relu},
          {"ReluGrad", ReluGrad},
          {"LeakyRelu", LeakyRelu},
          {"LeakyReluGrad", LeakyReluGrad},
          {"Elu", Elu},
          {"EluGrad", EluGrad},
          {"Sigmoid", Sigmoid},
          {"SigmoidGrad", SigmoidGrad},
          {"Tanh", Tanh},
          {"TanhGrad", TanhGrad},
          {"Gelu", Gelu},
          {"GeluGrad", GeluGrad},
          {"GeluTanh", GeluTanh},
          {"GeluTanhGrad", GeluTanhGrad},
          {"Silu", Silu},
          {"SiluGrad", SiluGrad},
          {"Softplus", Softplus},
          {"SoftplusGrad", SoftplusGrad},
          {"Axpby", Axpby},
          {"Scale", Scale},
          {"Clip", Clip},
          {"L2Step", L2Step},
          {"CrossEntropyGrad", CrossEntropyGrad},
          {"SmoothedCrossEntropyGrad", SmoothedCrossEntropyGrad}};
}

}  // namespace mshadow_bench
