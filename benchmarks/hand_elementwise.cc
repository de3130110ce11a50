// SPDX-License-Identifier: Apache-2.0
// Activations, losses and vector operations as a careful person writes them by hand.
#include <mshadow/detail/draws.h>

#include <algorithm>

#include "hand.h"

namespace mshadow_bench {
namespace {

constexpr float kRootTwoOverPi = 0.79788456080286536f;

float ReluGrad(float g, float y) { return y <= 0.0f ? 0.0f : g; }
float LeakyRelu(float x, float slope) { return x < 0.0f ? slope * x : x; }
float LeakyReluGrad(float g, float x, float slope) { return x <= 0.0f ? slope * g : g; }
float Elu(float x, float alpha) { return x < 0.0f ? alpha * std::expm1(x) : x; }
float EluGrad(float g, float y, float alpha) { return y <= 0.0f ? g * (y + alpha) : g; }
float Sigmoid(float x) { return 1.0f / (1.0f + std::exp(-x)); }
float SigmoidGrad(float g, float y) { return g * (y * (1.0f - y)); }
float Tanh(float x) { return std::tanh(x); }
float TanhGrad(float g, float y) { return g * (1.0f - y * y); }
float GeluTanh(float x) {
  return 0.5f * x * (1.0f + std::tanh(kRootTwoOverPi * (x + 0.044715f * x * x * x)));
}
float GeluTanhGrad(float g, float x) {
  const float t = std::tanh(kRootTwoOverPi * (x + 0.044715f * x * x * x));
  const float du = kRootTwoOverPi * (1.0f + 0.134145f * x * x);
  return g * (0.5f * (1.0f + t) + 0.5f * x * (1.0f - t * t) * du);
}
float Silu(float x) { return x * Sigmoid(x); }
float SiluGrad(float g, float x) {
  const float s = Sigmoid(x);
  return g * (s * (1.0f + x * (1.0f - s)));
}
float HuberGrad(float a, float b, float delta) { return Clip(a - b, delta); }
float Huber(float a, float b, float delta) {
  const float limited = HuberGrad(a, b, delta);
  return limited * (a - b - 0.5f * limited);
}

// out = f(in), out = f(grad, in), and both with a bias added to in.
template <float (*f)(float)>
void Map1(const Call &call, int64_t begin, int64_t end) {
  Written out = call.tensors[0];
  Read in = call.tensors[1];
  for (int64_t i = begin; i < end; ++i) out[i] = f(in[i]);
}
template <float (*f)(float, float)>
void Map2(const Call &call, int64_t begin, int64_t end) {
  Written out = call.tensors[0];
  Read grad = call.tensors[1], in = call.tensors[2];
  for (int64_t i = begin; i < end; ++i) out[i] = f(grad[i], in[i]);
}
template <float (*f)(float, float)>
void Map1Scalar(const Call &call, int64_t begin, int64_t end) {
  const float s = static_cast<float>(call.scalars[0]);
  Written out = call.tensors[0];
  Read in = call.tensors[1];
  for (int64_t i = begin; i < end; ++i) out[i] = f(in[i], s);
}
template <float (*f)(float, float, float)>
void Map2Scalar(const Call &call, int64_t begin, int64_t end) {
  const float s = static_cast<float>(call.scalars[0]);
  Written out = call.tensors[0];
  Read grad = call.tensors[1], in = call.tensors[2];
  for (int64_t i = begin; i < end; ++i) out[i] = f(grad[i], in[i], s);
}

// Whole rows, and the part of a row at either end.
template <typename Row>
void ByRow(const Call &call, int64_t begin, int64_t end, const Row &row) {
  while (begin < end) {
    const int64_t x = begin % call.cols;
    const int64_t count = end - begin < call.cols - x ? end - begin : call.cols - x;
    row(begin, x, count);
    begin += count;
  }
}
template <float (*f)(float)>
void Bias1(const Call &call, int64_t begin, int64_t end) {
  ByRow(call, begin, end, [&](int64_t first, int64_t x, int64_t count) {
    Written out = call.tensors[0] + first;
    Read in = call.tensors[1] + first, bias = call.tensors[2] + x;
    for (int64_t i = 0; i < count; ++i) out[i] = f(in[i] + bias[i]);
  });
}
template <float (*f)(float, float)>
void Bias2(const Call &call, int64_t begin, int64_t end) {
  ByRow(call, begin, end, [&](int64_t first, int64_t x, int64_t count) {
    Written out = call.tensors[0] + first;
    Read grad = call.tensors[1] + first, in = call.tensors[2] + first, bias = call.tensors[3] + x;
    for (int64_t i = 0; i < count; ++i) out[i] = f(grad[i], in[i] + bias[i]);
  });
}

void Dropout(const Call &call, int64_t begin, int64_t end) {
  const float scale = 1.0f / static_cast<float>(call.scalars[0]);
  Written out = call.tensors[0];
  Read in = call.tensors[1];
  const auto *const __restrict mask = reinterpret_cast<const uint8_t *>(call.tensors[2]);
  for (int64_t i = begin; i < end; ++i) out[i] = mask[i] != 0 ? in[i] * scale : 0.0f;
}

void RandomDropout(const Call &call, int64_t begin, int64_t end) {
  const auto seed = static_cast<uint64_t>(call.scalars[0]);
  const auto sequence = static_cast<uint64_t>(call.scalars[1]);
  const double keep = call.scalars[2];
  const uint64_t below = mshadow::detail::WordsBelow(keep);
  const float scale = 1.0f / static_cast<float>(keep);
  Written out = call.tensors[0];
  Read in = call.tensors[1];
  for (int64_t i = begin; i < end;) {
    const int64_t number = i / 4, stop = std::min(end, 4 * number + 4);
    const auto block = mshadow::detail::Philox4x32(static_cast<uint64_t>(number), sequence, seed);
    for (; i < stop; ++i) {
      out[i] = block.Word(static_cast<unsigned>(i % 4)) < below ? in[i] * scale : 0.0f;
    }
  }
}

void Softplus(const Call &call, int64_t begin, int64_t end) {
  const float beta = static_cast<float>(call.scalars[0]), inv_beta = 1.0f / beta;
  Written out = call.tensors[0];
  Read in = call.tensors[1];
  for (int64_t i = begin; i < end; ++i) {
    const float x = beta * in[i];
    out[i] = inv_beta * (Relu(x) + std::log1p(std::exp(-std::fabs(x))));
  }
}

void SoftplusGrad(const Call &call, int64_t begin, int64_t end) {
  const float beta = static_cast<float>(call.scalars[0]);
  Written out = call.tensors[0];
  Read grad = call.tensors[1], in = call.tensors[2];
  for (int64_t i = begin; i < end; ++i) out[i] = grad[i] * Sigmoid(beta * in[i]);
}

void Axpby(const Call &call, int64_t begin, int64_t end) {
  Scalars s(call);
  const float a = s(), b = s();
  Written y = call.tensors[0];
  Read x = call.tensors[1];
  for (int64_t i = begin; i < end; ++i) y[i] = a * x[i] + b * y[i];
}

void Scale(const Call &call, int64_t begin, int64_t end) {
  const float a = static_cast<float>(call.scalars[0]);
  Written y = call.tensors[0];
  Read x = call.tensors[1];
  for (int64_t i = begin; i < end; ++i) y[i] = a * x[i];
}

void L2Step(const Call &call, int64_t begin, int64_t end) {
  Scalars s(call);
  const float eta = s(), lambda = s();
  Written weight = call.tensors[0];
  Read grad = call.tensors[1];
  for (int64_t i = begin; i < end; ++i) weight[i] = -eta * (grad[i] + lambda * weight[i]);
}

void CrossEntropyGrad(const Call &call, int64_t begin, int64_t end) {
  const float scale = static_cast<float>(call.scalars[0]);
  Written out = call.tensors[0];
  Read prob = call.tensors[1], label = call.tensors[2];
  for (int64_t i = begin; i < end; ++i) out[i] = scale * (prob[i] - label[i]);
}

void SmoothedCrossEntropyGrad(const Call &call, int64_t begin, int64_t end) {
  Scalars s(call);
  const float smoothing = s(), scale = s(), on = 1.0f - smoothing;
  const float off = smoothing / static_cast<float>(call.cols);
  Written out = call.tensors[0];
  Read prob = call.tensors[1], label = call.tensors[2];
  for (int64_t i = begin; i < end; ++i) out[i] = scale * (prob[i] - (on * label[i] + off));
}

}  // namespace

std::vector<Contender> HandElementwise() {
  return {{"Relu", Map1<Relu>},
          {"ReluGrad", Map2<ReluGrad>},
          {"LeakyRelu", Map1Scalar<LeakyRelu>},
          {"LeakyReluGrad", Map2Scalar<LeakyReluGrad>},
          {"Elu", Map1Scalar<Elu>},
          {"EluGrad", Map2Scalar<EluGrad>},
          {"Sigmoid", Map1<Sigmoid>},
          {"SigmoidGrad", Map2<SigmoidGrad>},
          {"Tanh", Map1<Tanh>},
          {"TanhGrad", Map2<TanhGrad>},
          {"Gelu", Map1<Gelu>},
          {"GeluGrad", Map2<GeluGrad>},
          {"GeluTanh", Map1<GeluTanh>},
          {"GeluTanhGrad", Map2<GeluTanhGrad>},
          {"Silu", Map1<Silu>},
          {"SiluGrad", Map2<SiluGrad>},
          {"Softplus", Softplus},
          {"SoftplusGrad", SoftplusGrad},
          {"BiasAdd", Bias1<Identity>},
          {"BiasRelu", Bias1<Relu>},
          {"BiasSigmoid", Bias1<Sigmoid>},
          {"BiasTanh", Bias1<Tanh>},
          {"BiasGelu", Bias1<Gelu>},
          {"BiasGeluGrad", Bias2<GeluGrad>},
          {"BiasGeluTanh", Bias1<GeluTanh>},
          {"BiasGeluTanhGrad", Bias2<GeluTanhGrad>},
          {"BiasSilu", Bias1<Silu>},
          {"BiasSiluGrad", Bias2<SiluGrad>},
          {"gelu", Map1<Gelu>},
          {"gelu_tanh", Map1<GeluTanh>},
          {"silu", Map1<Silu>},
          {"huber", Map2Scalar<Huber>},
          {"huber_grad", Map2Scalar<HuberGrad>},
          {"Dropout", Dropout},
          {"RandomDropout", RandomDropout},
          {"Axpby", Axpby},
          {"Scale", Scale},
          {"Clip", Map1Scalar<Clip>},
          {"L2Step", L2Step},
          {"CrossEntropyGrad", CrossEntropyGrad},
          {"SmoothedCrossEntropyGrad", SmoothedCrossEntropyGrad}};
}

}  // namespace mshadow_bench
