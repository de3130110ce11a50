// SPDX-License-Identifier: Apache-2.0
// The Adam family as a careful person writes it by hand.
#include "hand.h"

namespace mshadow_bench {
namespace {

// The prologue that all of PyTorch's order share.
struct Betas {
  float lr, beta1, beta2, eps, decay, step_size, inv_bias1, inv_bias2;
  explicit Betas(const Call &call) {
    Scalars s(call);
    lr = s();
    beta1 = s();
    beta2 = s();
    eps = s();
    decay = s();
    const float step = s();
    inv_bias1 = 1.0f / (1.0f - std::pow(beta1, step));
    step_size = lr / (1.0f - std::pow(beta1, step));
    inv_bias2 = 1.0f / std::sqrt(1.0f - std::pow(beta2, step));
  }
};

void Adam(const Call &call, int64_t begin, int64_t end) {
  const Betas b(call);
  Written weight = call.tensors[0], mean = call.tensors[1], variance = call.tensors[2];
  Read grad = call.tensors[3];
  const float c1 = 1.0f - b.beta1, c2 = 1.0f - b.beta2;
  for (int64_t i = begin; i < end; ++i) {
    const float g = grad[i] + b.decay * weight[i];
    mean[i] = b.beta1 * mean[i] + c1 * g;
    variance[i] = b.beta2 * variance[i] + c2 * (g * g);
    weight[i] -= b.step_size * mean[i] / (std::sqrt(variance[i]) * b.inv_bias2 + b.eps);
  }
}

void AdamEpsilonHat(const Call &call, int64_t begin, int64_t end) {
  const Betas b(call);
  Written weight = call.tensors[0], mean = call.tensors[1], variance = call.tensors[2];
  Read grad = call.tensors[3];
  const float c1 = 1.0f - b.beta1, c2 = 1.0f - b.beta2, step_size = b.step_size / b.inv_bias2;
  for (int64_t i = begin; i < end; ++i) {
    const float g = grad[i] + b.decay * weight[i];
    mean[i] = b.beta1 * mean[i] + c1 * g;
    variance[i] = b.beta2 * variance[i] + c2 * (g * g);
    weight[i] -= step_size * mean[i] / (std::sqrt(variance[i]) + b.eps);
  }
}

void AMSGrad(const Call &call, int64_t begin, int64_t end) {
  const Betas b(call);
  Written weight = call.tensors[0], mean = call.tensors[1], variance = call.tensors[2];
  Written greatest = call.tensors[3];
  Read grad = call.tensors[4];
  const float c1 = 1.0f - b.beta1, c2 = 1.0f - b.beta2;
  for (int64_t i = begin; i < end; ++i) {
    const float g = grad[i] + b.decay * weight[i];
    mean[i] = b.beta1 * mean[i] + c1 * g;
    variance[i] = b.beta2 * variance[i] + c2 * (g * g);
    greatest[i] = Max(greatest[i], variance[i]);
    weight[i] -= b.step_size * mean[i] / (std::sqrt(greatest[i]) * b.inv_bias2 + b.eps);
  }
}

void MxnetAdam(const Call &call, int64_t begin, int64_t end) {
  Scalars s(call);
  const float lr = s(), beta1 = s(), beta2 = s(), eps = s(), wd = s(), rescale = s(), clip = s(),
              step = s();
  const float step_size =
      lr * std::sqrt(1.0f - std::pow(beta2, step)) / (1.0f - std::pow(beta1, step));
  Written weight = call.tensors[0], mean = call.tensors[1], variance = call.tensors[2];
  Read grad = call.tensors[3];
  const float c1 = 1.0f - beta1, c2 = 1.0f - beta2;
  for (int64_t i = begin; i < end; ++i) {
    const float g = ClipUnlessNegative(rescale * grad[i], clip) + wd * weight[i];
    mean[i] = beta1 * mean[i] + c1 * g;
    variance[i] = beta2 * variance[i] + c2 * (g * g);
    weight[i] -= step_size * mean[i] / (std::sqrt(variance[i]) + eps);
  }
}

void AdamW(const Call &call, int64_t begin, int64_t end) {
  const Betas b(call);
  Written weight = call.tensors[0], mean = call.tensors[1], variance = call.tensors[2];
  Read grad = call.tensors[3];
  const float c1 = 1.0f - b.beta1, c2 = 1.0f - b.beta2, keep = 1.0f - b.lr * b.decay;
  for (int64_t i = begin; i < end; ++i) {
    const float g = grad[i];
    mean[i] = b.beta1 * mean[i] + c1 * g;
    variance[i] = b.beta2 * variance[i] + c2 * (g * g);
    weight[i] =
        keep * weight[i] - b.step_size * mean[i] / (std::sqrt(variance[i]) * b.inv_bias2 + b.eps);
  }
}

void AdamWInUpdate(const Call &call, int64_t begin, int64_t end) {
  const Betas b(call);
  Written weight = call.tensors[0], mean = call.tensors[1], variance = call.tensors[2];
  Read grad = call.tensors[3];
  const float c1 = 1.0f - b.beta1, c2 = 1.0f - b.beta2;
  for (int64_t i = begin; i < end; ++i) {
    const float g = grad[i];
    mean[i] = b.beta1 * mean[i] + c1 * g;
    variance[i] = b.beta2 * variance[i] + c2 * (g * g);
    const float update = b.inv_bias1 * mean[i] / (std::sqrt(variance[i]) * b.inv_bias2 + b.eps);
    weight[i] -= b.lr * (update + b.decay * weight[i]);
  }
}

void AdamWAfter(const Call &call, int64_t begin, int64_t end) {
  const Betas b(call);
  Written weight = call.tensors[0], mean = call.tensors[1], variance = call.tensors[2];
  Read grad = call.tensors[3];
  const float c1 = 1.0f - b.beta1, c2 = 1.0f - b.beta2, keep = 1.0f - b.lr * b.decay;
  for (int64_t i = begin; i < end; ++i) {
    const float g = grad[i];
    mean[i] = b.beta1 * mean[i] + c1 * g;
    variance[i] = b.beta2 * variance[i] + c2 * (g * g);
    weight[i] =
        keep * (weight[i] - b.step_size * mean[i] / (std::sqrt(variance[i]) * b.inv_bias2 + b.eps));
  }
}

void MxnetAdamW(const Call &call, int64_t begin, int64_t end) {
  Scalars s(call);
  const float lr = s(), eta = s(), beta1 = s(), beta2 = s(), eps = s(), wd = s(), rescale = s(),
              clip = s();
  Written weight = call.tensors[0], mean = call.tensors[1], variance = call.tensors[2];
  Read grad = call.tensors[3];
  const float c1 = 1.0f - beta1, c2 = 1.0f - beta2;
  for (int64_t i = begin; i < end; ++i) {
    const float g = ClipUnlessNegative(rescale * grad[i], clip);
    mean[i] = beta1 * mean[i] + c1 * g;
    variance[i] = beta2 * variance[i] + c2 * (g * g);
    weight[i] -= eta * (lr * mean[i] / (std::sqrt(variance[i]) + eps) + wd * weight[i]);
  }
}

void AdaMax(const Call &call, int64_t begin, int64_t end) {
  const Betas b(call);
  Written weight = call.tensors[0], mean = call.tensors[1], norm = call.tensors[2];
  Read grad = call.tensors[3];
  const float c1 = 1.0f - b.beta1;
  for (int64_t i = begin; i < end; ++i) {
    const float g = grad[i] + b.decay * weight[i];
    mean[i] = b.beta1 * mean[i] + c1 * g;
    norm[i] = Max(b.beta2 * norm[i], std::fabs(g) + b.eps);
    weight[i] -= b.step_size * mean[i] / norm[i];
  }
}

void MxnetAdaMax(const Call &call, int64_t begin, int64_t end) {
  Scalars s(call);
  const float lr = s(), beta1 = s(), beta2 = s(), eps = s(), wd = s(), rescale = s(), clip = s();
  const float step = s();
  const float step_size = lr / (1.0f - std::pow(beta1, step)), c1 = 1.0f - beta1;
  Written weight = call.tensors[0], mean = call.tensors[1], norm = call.tensors[2];
  Read grad = call.tensors[3];
  for (int64_t i = begin; i < end; ++i) {
    const float g = ClipUnlessNegative(rescale * grad[i], clip) + wd * weight[i];
    mean[i] = beta1 * mean[i] + c1 * g;
    norm[i] = Max(beta2 * norm[i], std::fabs(g));
    weight[i] -= step_size * mean[i] / (norm[i] + eps);
  }
}

}  // namespace

std::vector<Contender> HandAdam() {
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
