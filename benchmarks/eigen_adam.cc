// SPDX-License-Identifier: Apache-2.0
// The Adam family as a user of Eigen writes them: a statement for each assignment of the rule.
#include <cmath>

#include "eigen.h"

namespace mshadow_bench {
namespace {

// MXNet's preprocessing: rescale, clip unless the bound is negative. An expression would name the
// array twice; a user of Eigen takes it by two calls, chosen once.
template <typename E>
Eigen::ArrayXf Clipped(const E &g, float bound) {
  if (bound < 0.0f) return g;
  return g.min(bound).max(-bound);
}

void Adam(const Call &call, int64_t begin, int64_t end) {
  EigenCall c(call, begin, end);
  Array w = c.Tensor(), m = c.Tensor(), v = c.Tensor(), g = c.Tensor();
  const float lr = c.Scalar(), beta1 = c.Scalar(), beta2 = c.Scalar(), eps = c.Scalar(),
              decay = c.Scalar(), step = c.Scalar();
  const float step_size = lr / (1.0f - std::pow(beta1, step));
  const float inv_bias2 = 1.0f / std::sqrt(1.0f - std::pow(beta2, step));
  m = beta1 * m + (1.0f - beta1) * (g + decay * w);
  v = beta2 * v + (1.0f - beta2) * (g + decay * w).square();
  w -= step_size * m / (v.sqrt() * inv_bias2 + eps);
}

void AdamEpsilonHat(const Call &call, int64_t begin, int64_t end) {
  EigenCall c(call, begin, end);
  Array w = c.Tensor(), m = c.Tensor(), v = c.Tensor(), g = c.Tensor();
  const float lr = c.Scalar(), beta1 = c.Scalar(), beta2 = c.Scalar(), eps = c.Scalar(),
              decay = c.Scalar(), step = c.Scalar();
  const float step_size =
      lr * std::sqrt(1.0f - std::pow(beta2, step)) / (1.0f - std::pow(beta1, step));
  m = beta1 * m + (1.0f - beta1) * (g + decay * w);
  v = beta2 * v + (1.0f - beta2) * (g + decay * w).square();
  w -= step_size * m / (v.sqrt() + eps);
}

void AMSGrad(const Call &call, int64_t begin, int64_t end) {
  EigenCall c(call, begin, end);
  Array w = c.Tensor(), m = c.Tensor(), v = c.Tensor(), x = c.Tensor(), g = c.Tensor();
  const float lr = c.Scalar(), beta1 = c.Scalar(), beta2 = c.Scalar(), eps = c.Scalar(),
              decay = c.Scalar(), step = c.Scalar();
  const float step_size = lr / (1.0f - std::pow(beta1, step));
  const float inv_bias2 = 1.0f / std::sqrt(1.0f - std::pow(beta2, step));
  m = beta1 * m + (1.0f - beta1) * (g + decay * w);
  v = beta2 * v + (1.0f - beta2) * (g + decay * w).square();
  x = x.max(v);
  w -= step_size * m / (x.sqrt() * inv_bias2 + eps);
}

void MxnetAdam(const Call &call, int64_t begin, int64_t end) {
  EigenCall c(call, begin, end);
  Array w = c.Tensor(), m = c.Tensor(), v = c.Tensor(), g = c.Tensor();
  const float lr = c.Scalar(), beta1 = c.Scalar(), beta2 = c.Scalar(), eps = c.Scalar(),
              wd = c.Scalar(), rescale = c.Scalar(), clip = c.Scalar(), step = c.Scalar();
  const float step_size =
      lr * std::sqrt(1.0f - std::pow(beta2, step)) / (1.0f - std::pow(beta1, step));
  const Eigen::ArrayXf d = Clipped(rescale * g, clip) + wd * w;
  m = beta1 * m + (1.0f - beta1) * d;
  v = beta2 * v + (1.0f - beta2) * d.square();
  w -= step_size * m / (v.sqrt() + eps);
}

void AdamW(const Call &call, int64_t begin, int64_t end) {
  EigenCall c(call, begin, end);
  Array w = c.Tensor(), m = c.Tensor(), v = c.Tensor(), g = c.Tensor();
  const float lr = c.Scalar(), beta1 = c.Scalar(), beta2 = c.Scalar(), eps = c.Scalar(),
              decay = c.Scalar(), step = c.Scalar();
  const float step_size = lr / (1.0f - std::pow(beta1, step));
  const float inv_bias2 = 1.0f / std::sqrt(1.0f - std::pow(beta2, step));
  m = beta1 * m + (1.0f - beta1) * g;
  v = beta2 * v + (1.0f - beta2) * g.square();
  w = (1.0f - lr * decay) * w - step_size * m / (v.sqrt() * inv_bias2 + eps);
}

void AdamWInUpdate(const Call &call, int64_t begin, int64_t end) {
  EigenCall c(call, begin, end);
  Array w = c.Tensor(), m = c.Tensor(), v = c.Tensor(), g = c.Tensor();
  const float lr = c.Scalar(), beta1 = c.Scalar(), beta2 = c.Scalar(), eps = c.Scalar(),
              decay = c.Scalar(), step = c.Scalar();
  const float inv_bias1 = 1.0f / (1.0f - std::pow(beta1, step));
  const float inv_bias2 = 1.0f / std::sqrt(1.0f - std::pow(beta2, step));
  m = beta1 * m + (1.0f - beta1) * g;
  v = beta2 * v + (1.0f - beta2) * g.square();
  w -= lr * (inv_bias1 * m / (v.sqrt() * inv_bias2 + eps) + decay * w);
}

void AdamWAfter(const Call &call, int64_t begin, int64_t end) {
  EigenCall c(call, begin, end);
  Array w = c.Tensor(), m = c.Tensor(), v = c.Tensor(), g = c.Tensor();
  const float lr = c.Scalar(), beta1 = c.Scalar(), beta2 = c.Scalar(), eps = c.Scalar(),
              decay = c.Scalar(), step = c.Scalar();
  const float step_size = lr / (1.0f - std::pow(beta1, step));
  const float inv_bias2 = 1.0f / std::sqrt(1.0f - std::pow(beta2, step));
  m = beta1 * m + (1.0f - beta1) * g;
  v = beta2 * v + (1.0f - beta2) * g.square();
  w = (1.0f - lr * decay) * (w - step_size * m / (v.sqrt() * inv_bias2 + eps));
}

void MxnetAdamW(const Call &call, int64_t begin, int64_t end) {
  EigenCall c(call, begin, end);
  Array w = c.Tensor(), m = c.Tensor(), v = c.Tensor(), g = c.Tensor();
  const float lr = c.Scalar(), eta = c.Scalar(), beta1 = c.Scalar(), beta2 = c.Scalar(),
              eps = c.Scalar(), wd = c.Scalar(), rescale = c.Scalar(), clip = c.Scalar();
  const Eigen::ArrayXf d = Clipped(rescale * g, clip);
  m = beta1 * m + (1.0f - beta1) * d;
  v = beta2 * v + (1.0f - beta2) * d.square();
  w -= eta * (lr * m / (v.sqrt() + eps) + wd * w);
}

void AdaMax(const Call &call, int64_t begin, int64_t end) {
  EigenCall c(call, begin, end);
  Array w = c.Tensor(), m = c.Tensor(), v = c.Tensor(), g = c.Tensor();
  const float lr = c.Scalar(), beta1 = c.Scalar(), beta2 = c.Scalar(), eps = c.Scalar(),
              decay = c.Scalar(), step = c.Scalar();
  const float step_size = lr / (1.0f - std::pow(beta1, step));
  m = beta1 * m + (1.0f - beta1) * (g + decay * w);
  v = (beta2 * v).max((g + decay * w).abs() + eps);
  w -= step_size * m / v;
}

void MxnetAdaMax(const Call &call, int64_t begin, int64_t end) {
  EigenCall c(call, begin, end);
  Array w = c.Tensor(), m = c.Tensor(), v = c.Tensor(), g = c.Tensor();
  const float lr = c.Scalar(), beta1 = c.Scalar(), beta2 = c.Scalar(), eps = c.Scalar(),
              wd = c.Scalar(), rescale = c.Scalar(), clip = c.Scalar(), step = c.Scalar();
  const float step_size = lr / (1.0f - std::pow(beta1, step));
  const Eigen::ArrayXf d = Clipped(rescale * g, clip) + wd * w;
  m = beta1 * m + (1.0f - beta1) * d;
  v = (beta2 * v).max(d.abs());
  w -= step_size * m / (v + eps);
}

}  // namespace

std::vector<Contender> EigenAdam() {
  return {{"Adam", Adam},
          {"AdamEpsilonHat", AdamEpsilonHat},
          {"AMSGrad", AMSGrad},
          {"MxnetAdam", MxnetAdam},
          {"AdamW", AdamW},
          {"AdamWInUpdate", AdamWInUpdate},
          {"AdamWAfter", AdamWAfter},
          {"MxnetAdamW", MxnetAdamW},
          {"AdaMax", AdaMax},
          {"MxnetAdaMax", MxnetAdaMax}};
}

}  // namespace mshadow_bench
