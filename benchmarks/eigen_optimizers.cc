// SPDX-License-Identifier: Apache-2.0
// The other optimizers as a user of Eigen writes them: a statement for each assignment of the rule.
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

void SGD(const Call &call, int64_t begin, int64_t end) {
  EigenCall c(call, begin, end);
  Array w = c.Tensor(), g = c.Tensor();
  const float lr = c.Scalar(), decay = c.Scalar();
  w -= lr * (g + decay * w);
}

void SGDMomentum(const Call &call, int64_t begin, int64_t end) {
  EigenCall c(call, begin, end);
  Array w = c.Tensor(), b = c.Tensor(), g = c.Tensor();
  const float lr = c.Scalar(), momentum = c.Scalar(), dampening = c.Scalar(), decay = c.Scalar(),
              step = c.Scalar();
  const float fresh = step == 1.0f ? 1.0f : 1.0f - dampening;
  b = momentum * b + fresh * (g + decay * w);
  w -= lr * b;
}

void NAG(const Call &call, int64_t begin, int64_t end) {
  EigenCall c(call, begin, end);
  Array w = c.Tensor(), b = c.Tensor(), g = c.Tensor();
  const float lr = c.Scalar(), momentum = c.Scalar(), decay = c.Scalar();
  b = momentum * b + (g + decay * w);
  w -= lr * ((g + decay * w) + momentum * b);
}

void MxnetSGD(const Call &call, int64_t begin, int64_t end) {
  EigenCall c(call, begin, end);
  Array w = c.Tensor(), g = c.Tensor();
  const float lr = c.Scalar(), wd = c.Scalar(), rescale = c.Scalar(), clip = c.Scalar();
  w -= lr * (Clipped(rescale * g, clip) + wd * w);
}

void MxnetSGDMomentum(const Call &call, int64_t begin, int64_t end) {
  EigenCall c(call, begin, end);
  Array w = c.Tensor(), b = c.Tensor(), g = c.Tensor();
  const float lr = c.Scalar(), momentum = c.Scalar(), wd = c.Scalar(), rescale = c.Scalar(),
              clip = c.Scalar();
  b = momentum * b - lr * (Clipped(rescale * g, clip) + wd * w);
  w += b;
}

void MxnetNAG(const Call &call, int64_t begin, int64_t end) {
  EigenCall c(call, begin, end);
  Array w = c.Tensor(), b = c.Tensor(), g = c.Tensor();
  const float lr = c.Scalar(), momentum = c.Scalar(), wd = c.Scalar(), rescale = c.Scalar(),
              clip = c.Scalar();
  const Eigen::ArrayXf d = lr * (Clipped(rescale * g, clip) + wd * w);
  b = momentum * b - d;
  w += momentum * b - d;
}

void RMSProp(const Call &call, int64_t begin, int64_t end) {
  EigenCall c(call, begin, end);
  Array w = c.Tensor(), v = c.Tensor(), g = c.Tensor();
  const float lr = c.Scalar(), rho = c.Scalar(), eps = c.Scalar(), decay = c.Scalar();
  v = rho * v + (1.0f - rho) * (g + decay * w).square();
  w -= lr * (g + decay * w) / (v.sqrt() + eps);
}

void RMSPropMomentum(const Call &call, int64_t begin, int64_t end) {
  EigenCall c(call, begin, end);
  Array w = c.Tensor(), v = c.Tensor(), b = c.Tensor(), g = c.Tensor();
  const float lr = c.Scalar(), rho = c.Scalar(), momentum = c.Scalar(), eps = c.Scalar(),
              decay = c.Scalar();
  v = rho * v + (1.0f - rho) * (g + decay * w).square();
  b = momentum * b + (g + decay * w) / (v.sqrt() + eps);
  w -= lr * b;
}

void RMSPropCentered(const Call &call, int64_t begin, int64_t end) {
  EigenCall c(call, begin, end);
  Array w = c.Tensor(), v = c.Tensor(), m = c.Tensor(), g = c.Tensor();
  const float lr = c.Scalar(), rho = c.Scalar(), eps = c.Scalar(), decay = c.Scalar();
  v = rho * v + (1.0f - rho) * (g + decay * w).square();
  m = rho * m + (1.0f - rho) * (g + decay * w);
  w -= lr * (g + decay * w) / ((v - m.square()).max(0.0f).sqrt() + eps);
}

void RMSPropGraves(const Call &call, int64_t begin, int64_t end) {
  EigenCall c(call, begin, end);
  Array w = c.Tensor(), v = c.Tensor(), m = c.Tensor(), d = c.Tensor(), g = c.Tensor();
  const float lr = c.Scalar(), rho = c.Scalar(), momentum = c.Scalar(), eps = c.Scalar(),
              decay = c.Scalar();
  v = rho * v + (1.0f - rho) * (g + decay * w).square();
  m = rho * m + (1.0f - rho) * (g + decay * w);
  d = momentum * d - lr * (g + decay * w) / ((v - m.square()).max(0.0f) + eps).sqrt();
  w += d;
}

void MxnetRMSProp(const Call &call, int64_t begin, int64_t end) {
  EigenCall c(call, begin, end);
  Array w = c.Tensor(), v = c.Tensor(), g = c.Tensor();
  const float lr = c.Scalar(), rho = c.Scalar(), eps = c.Scalar(), wd = c.Scalar(),
              rescale = c.Scalar(), clip = c.Scalar(), bound = c.Scalar();
  const Eigen::ArrayXf d = Clipped(rescale * g, clip) + wd * w;
  v = rho * v + (1.0f - rho) * d.square();
  w = Clipped(w - lr * d / (v.sqrt() + eps), bound);
}

void MxnetRMSPropAlex(const Call &call, int64_t begin, int64_t end) {
  EigenCall c(call, begin, end);
  Array w = c.Tensor(), v = c.Tensor(), m = c.Tensor(), b = c.Tensor(), g = c.Tensor();
  const float lr = c.Scalar(), rho = c.Scalar(), momentum = c.Scalar(), eps = c.Scalar(),
              wd = c.Scalar(), rescale = c.Scalar(), clip = c.Scalar(), bound = c.Scalar();
  const Eigen::ArrayXf d = Clipped(rescale * g, clip) + wd * w;
  v = rho * v + (1.0f - rho) * d.square();
  m = rho * m + (1.0f - rho) * d;
  b = momentum * b - lr * d / ((v - m.square()).max(0.0f) + eps).sqrt();
  w = Clipped(w + b, bound);
}

void Adagrad(const Call &call, int64_t begin, int64_t end) {
  EigenCall c(call, begin, end);
  Array w = c.Tensor(), s = c.Tensor(), g = c.Tensor();
  const float lr = c.Scalar(), lr_decay = c.Scalar(), eps = c.Scalar(), decay = c.Scalar(),
              step = c.Scalar();
  const float step_size = lr / (1.0f + (step - 1.0f) * lr_decay);
  s += (g + decay * w).square();
  w -= step_size * (g + decay * w) / (s.sqrt() + eps);
}

void MxnetAdagrad(const Call &call, int64_t begin, int64_t end) {
  EigenCall c(call, begin, end);
  Array w = c.Tensor(), s = c.Tensor(), g = c.Tensor();
  const float lr = c.Scalar(), eps = c.Scalar(), wd = c.Scalar(), rescale = c.Scalar(),
              clip = c.Scalar();
  const Eigen::ArrayXf d = Clipped(rescale * g, clip) + wd * w;
  s += d.square();
  w -= lr * d / (s.sqrt() + eps);
}

void Adadelta(const Call &call, int64_t begin, int64_t end) {
  EigenCall c(call, begin, end);
  Array w = c.Tensor(), v = c.Tensor(), d = c.Tensor(), g = c.Tensor();
  const float lr = c.Scalar(), rho = c.Scalar(), eps = c.Scalar();
  v = rho * v + (1.0f - rho) * g.square();
  const Eigen::ArrayXf u = (d + eps).sqrt() / (v + eps).sqrt() * g;
  w -= lr * u;
  d = rho * d + (1.0f - rho) * u.square();
}

void Mxnet1Adadelta(const Call &call, int64_t begin, int64_t end) {
  EigenCall c(call, begin, end);
  Array w = c.Tensor(), v = c.Tensor(), d = c.Tensor(), g = c.Tensor();
  const float lr = c.Scalar(), rho = c.Scalar(), eps = c.Scalar(), wd = c.Scalar(),
              rescale = c.Scalar(), clip = c.Scalar();
  const Eigen::ArrayXf h = Clipped(rescale * g, clip);
  v = rho * v + (1.0f - rho) * h.square();
  const Eigen::ArrayXf u = (d + eps).sqrt() / (v + eps).sqrt() * h;
  w = w - lr * u - wd * w;
  d = rho * d + (1.0f - rho) * u.square();
}

void Ftrl(const Call &call, int64_t begin, int64_t end) {
  EigenCall c(call, begin, end);
  Array w = c.Tensor(), z = c.Tensor(), s = c.Tensor(), g = c.Tensor();
  const float lr = c.Scalar(), beta = c.Scalar(), l1 = c.Scalar(), l2 = c.Scalar();
  z += g - ((s + g.square()).sqrt() - s.sqrt()) / lr * w;
  s += g.square();
  w = -lr * z.sign() * (z.abs() - l1).max(0.0f) / (beta + lr * l2 + s.sqrt());
}

void MxnetFtrl(const Call &call, int64_t begin, int64_t end) {
  EigenCall c(call, begin, end);
  Array w = c.Tensor(), z = c.Tensor(), s = c.Tensor(), g = c.Tensor();
  const float lr = c.Scalar(), l1 = c.Scalar(), beta = c.Scalar(), wd = c.Scalar(),
              rescale = c.Scalar(), clip = c.Scalar();
  const Eigen::ArrayXf h = Clipped(rescale * g, clip);
  z += h - ((s + h.square()).sqrt() - s.sqrt()) / lr * w;
  s += h.square();
  w = -(z.sign() * (z.abs() - l1).max(0.0f)) / ((beta + s.sqrt()) / lr + wd);
}

void Lion(const Call &call, int64_t begin, int64_t end) {
  EigenCall c(call, begin, end);
  Array w = c.Tensor(), m = c.Tensor(), g = c.Tensor();
  const float lr = c.Scalar(), beta1 = c.Scalar(), beta2 = c.Scalar(), decay = c.Scalar();
  w -= lr * ((beta1 * m + (1.0f - beta1) * g).sign() + decay * w);
  m = beta2 * m + (1.0f - beta2) * g;
}

void SignSGD(const Call &call, int64_t begin, int64_t end) {
  EigenCall c(call, begin, end);
  Array w = c.Tensor(), g = c.Tensor();
  const float lr = c.Scalar(), wd = c.Scalar();
  w = (1.0f - lr * wd) * w - lr * g.sign();
}

void Signum(const Call &call, int64_t begin, int64_t end) {
  EigenCall c(call, begin, end);
  Array w = c.Tensor(), b = c.Tensor(), g = c.Tensor();
  const float lr = c.Scalar(), momentum = c.Scalar(), wd = c.Scalar(), rescale = c.Scalar(),
              clip = c.Scalar(), wd_lh = c.Scalar();
  b = momentum * b - (1.0f - momentum) * (Clipped(rescale * g, clip) + wd * w);
  w = (1.0f - lr * wd_lh) * w + lr * b.sign();
}

}  // namespace

std::vector<Contender> EigenOptimizers() {
  return {{"SGD", SGD},
          {"SGDMomentum", SGDMomentum},
          {"NAG", NAG},
          {"MxnetSGD", MxnetSGD},
          {"MxnetSGDMomentum", MxnetSGDMomentum},
          {"MxnetNAG", MxnetNAG},
          {"RMSProp", RMSProp},
          {"RMSPropMomentum", RMSPropMomentum},
          {"RMSPropCentered", RMSPropCentered},
          {"RMSPropGraves", RMSPropGraves},
          {"MxnetRMSProp", MxnetRMSProp},
          {"MxnetRMSPropAlex", MxnetRMSPropAlex},
          {"Adagrad", Adagrad},
          {"MxnetAdagrad", MxnetAdagrad},
          {"Adadelta", Adadelta},
          {"Mxnet1Adadelta", Mxnet1Adadelta},
          {"Ftrl", Ftrl},
          {"MxnetFtrl", MxnetFtrl},
          {"Lion", Lion},
          {"SignSGD", SignSGD},
          {"Signum", Signum}};
}

}  // namespace mshadow_bench
