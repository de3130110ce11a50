// SPDX-License-Identifier: Apache-2.0
// The other optimizers as a careful person writes them by hand.
#include "hand.h"

namespace mshadow_bench {
namespace {

void SGD(const Call &call, int64_t begin, int64_t end) {
  Scalars s(call);
  const float lr = s(), decay = s();
  Written weight = call.tensors[0];
  Read grad = call.tensors[1];
  for (int64_t i = begin; i < end; ++i) weight[i] -= lr * (grad[i] + decay * weight[i]);
}

void SGDMomentum(const Call &call, int64_t begin, int64_t end) {
  Scalars s(call);
  const float lr = s(), momentum = s(), dampening = s(), decay = s(), step = s();
  const float fresh = step == 1.0f ? 1.0f : 1.0f - dampening;
  Written weight = call.tensors[0], buffer = call.tensors[1];
  Read grad = call.tensors[2];
  for (int64_t i = begin; i < end; ++i) {
    buffer[i] = momentum * buffer[i] + fresh * (grad[i] + decay * weight[i]);
    weight[i] -= lr * buffer[i];
  }
}

void NAG(const Call &call, int64_t begin, int64_t end) {
  Scalars s(call);
  const float lr = s(), momentum = s(), decay = s();
  Written weight = call.tensors[0], buffer = call.tensors[1];
  Read grad = call.tensors[2];
  for (int64_t i = begin; i < end; ++i) {
    const float g = grad[i] + decay * weight[i];
    buffer[i] = momentum * buffer[i] + g;
    weight[i] -= lr * (g + momentum * buffer[i]);
  }
}

void MxnetSGD(const Call &call, int64_t begin, int64_t end) {
  Scalars s(call);
  const float lr = s(), wd = s(), rescale = s(), clip = s();
  Written weight = call.tensors[0];
  Read grad = call.tensors[1];
  for (int64_t i = begin; i < end; ++i) {
    weight[i] -= lr * (ClipUnlessNegative(rescale * grad[i], clip) + wd * weight[i]);
  }
}

void MxnetSGDMomentum(const Call &call, int64_t begin, int64_t end) {
  Scalars s(call);
  const float lr = s(), momentum = s(), wd = s(), rescale = s(), clip = s();
  Written weight = call.tensors[0], buffer = call.tensors[1];
  Read grad = call.tensors[2];
  for (int64_t i = begin; i < end; ++i) {
    const float g = ClipUnlessNegative(rescale * grad[i], clip) + wd * weight[i];
    buffer[i] = momentum * buffer[i] - lr * g;
    weight[i] += buffer[i];
  }
}

void MxnetNAG(const Call &call, int64_t begin, int64_t end) {
  Scalars s(call);
  const float lr = s(), momentum = s(), wd = s(), rescale = s(), clip = s();
  Written weight = call.tensors[0], buffer = call.tensors[1];
  Read grad = call.tensors[2];
  for (int64_t i = begin; i < end; ++i) {
    const float d = lr * (ClipUnlessNegative(rescale * grad[i], clip) + wd * weight[i]);
    buffer[i] = momentum * buffer[i] - d;
    weight[i] = weight[i] + momentum * buffer[i] - d;
  }
}

void RMSProp(const Call &call, int64_t begin, int64_t end) {
  Scalars s(call);
  const float lr = s(), alpha = s(), eps = s(), decay = s(), c = 1.0f - alpha;
  Written weight = call.tensors[0], variance = call.tensors[1];
  Read grad = call.tensors[2];
  for (int64_t i = begin; i < end; ++i) {
    const float g = grad[i] + decay * weight[i];
    variance[i] = alpha * variance[i] + c * (g * g);
    weight[i] -= lr * g / (std::sqrt(variance[i]) + eps);
  }
}

void RMSPropMomentum(const Call &call, int64_t begin, int64_t end) {
  Scalars s(call);
  const float lr = s(), alpha = s(), momentum = s(), eps = s(), decay = s(), c = 1.0f - alpha;
  Written weight = call.tensors[0], variance = call.tensors[1], buffer = call.tensors[2];
  Read grad = call.tensors[3];
  for (int64_t i = begin; i < end; ++i) {
    const float g = grad[i] + decay * weight[i];
    variance[i] = alpha * variance[i] + c * (g * g);
    buffer[i] = momentum * buffer[i] + g / (std::sqrt(variance[i]) + eps);
    weight[i] -= lr * buffer[i];
  }
}

void RMSPropCentered(const Call &call, int64_t begin, int64_t end) {
  Scalars s(call);
  const float lr = s(), alpha = s(), eps = s(), decay = s(), c = 1.0f - alpha;
  Written weight = call.tensors[0], variance = call.tensors[1], mean = call.tensors[2];
  Read grad = call.tensors[3];
  for (int64_t i = begin; i < end; ++i) {
    const float g = grad[i] + decay * weight[i];
    variance[i] = alpha * variance[i] + c * (g * g);
    mean[i] = alpha * mean[i] + c * g;
    weight[i] -= lr * g / (std::sqrt(Max(variance[i] - Square(mean[i]), 0.0f)) + eps);
  }
}

void RMSPropGraves(const Call &call, int64_t begin, int64_t end) {
  Scalars s(call);
  const float lr = s(), rho = s(), momentum = s(), eps = s(), decay = s(), c = 1.0f - rho;
  Written weight = call.tensors[0], variance = call.tensors[1], mean = call.tensors[2];
  Written delta = call.tensors[3];
  Read grad = call.tensors[4];
  for (int64_t i = begin; i < end; ++i) {
    const float g = grad[i] + decay * weight[i];
    variance[i] = rho * variance[i] + c * (g * g);
    mean[i] = rho * mean[i] + c * g;
    const float centered = Max(variance[i] - Square(mean[i]), 0.0f);
    delta[i] = momentum * delta[i] - lr * g / std::sqrt(centered + eps);
    weight[i] += delta[i];
  }
}

void MxnetRMSProp(const Call &call, int64_t begin, int64_t end) {
  Scalars s(call);
  const float lr = s(), rho = s(), eps = s(), wd = s(), rescale = s(), clip = s(), bound = s();
  const float c = 1.0f - rho;
  Written weight = call.tensors[0], variance = call.tensors[1];
  Read grad = call.tensors[2];
  for (int64_t i = begin; i < end; ++i) {
    const float g = ClipUnlessNegative(rescale * grad[i], clip) + wd * weight[i];
    variance[i] = rho * variance[i] + c * (g * g);
    weight[i] = ClipUnlessNegative(weight[i] - lr * g / (std::sqrt(variance[i]) + eps), bound);
  }
}

void MxnetRMSPropAlex(const Call &call, int64_t begin, int64_t end) {
  Scalars s(call);
  const float lr = s(), rho = s(), momentum = s(), eps = s(), wd = s(), rescale = s(), clip = s(),
              bound = s();
  const float c = 1.0f - rho;
  Written weight = call.tensors[0], variance = call.tensors[1], mean = call.tensors[2];
  Written delta = call.tensors[3];
  Read grad = call.tensors[4];
  for (int64_t i = begin; i < end; ++i) {
    const float g = ClipUnlessNegative(rescale * grad[i], clip) + wd * weight[i];
    variance[i] = rho * variance[i] + c * (g * g);
    mean[i] = rho * mean[i] + c * g;
    const float centered = Max(variance[i] - Square(mean[i]), 0.0f);
    delta[i] = momentum * delta[i] - lr * g / std::sqrt(centered + eps);
    weight[i] = ClipUnlessNegative(weight[i] + delta[i], bound);
  }
}

void Adagrad(const Call &call, int64_t begin, int64_t end) {
  Scalars s(call);
  const float lr = s(), lr_decay = s(), eps = s(), decay = s(), step = s();
  const float step_size = lr / (1.0f + (step - 1.0f) * lr_decay);
  Written weight = call.tensors[0], sum = call.tensors[1];
  Read grad = call.tensors[2];
  for (int64_t i = begin; i < end; ++i) {
    const float g = grad[i] + decay * weight[i];
    sum[i] += g * g;
    weight[i] -= step_size * g / (std::sqrt(sum[i]) + eps);
  }
}

void MxnetAdagrad(const Call &call, int64_t begin, int64_t end) {
  Scalars s(call);
  const float lr = s(), eps = s(), wd = s(), rescale = s(), clip = s();
  Written weight = call.tensors[0], sum = call.tensors[1];
  Read grad = call.tensors[2];
  for (int64_t i = begin; i < end; ++i) {
    const float g = ClipUnlessNegative(rescale * grad[i], clip) + wd * weight[i];
    sum[i] += g * g;
    weight[i] -= lr * g / (std::sqrt(sum[i]) + eps);
  }
}

void Adadelta(const Call &call, int64_t begin, int64_t end) {
  Scalars s(call);
  const float lr = s(), rho = s(), eps = s(), c = 1.0f - rho;
  Written weight = call.tensors[0], variance = call.tensors[1], delta = call.tensors[2];
  Read grad = call.tensors[3];
  for (int64_t i = begin; i < end; ++i) {
    const float g = grad[i];
    variance[i] = rho * variance[i] + c * (g * g);
    const float d = std::sqrt(delta[i] + eps) / std::sqrt(variance[i] + eps) * g;
    weight[i] -= lr * d;
    delta[i] = rho * delta[i] + c * (d * d);
  }
}

void Mxnet1Adadelta(const Call &call, int64_t begin, int64_t end) {
  Scalars s(call);
  const float lr = s(), rho = s(), eps = s(), wd = s(), rescale = s(), clip = s(), c = 1.0f - rho;
  Written weight = call.tensors[0], variance = call.tensors[1], delta = call.tensors[2];
  Read grad = call.tensors[3];
  for (int64_t i = begin; i < end; ++i) {
    const float g = ClipUnlessNegative(rescale * grad[i], clip);
    variance[i] = rho * variance[i] + c * (g * g);
    const float d = std::sqrt(delta[i] + eps) / std::sqrt(variance[i] + eps) * g;
    weight[i] = weight[i] - lr * d - wd * weight[i];
    delta[i] = rho * delta[i] + c * (d * d);
  }
}

void Ftrl(const Call &call, int64_t begin, int64_t end) {
  Scalars s(call);
  const float lr = s(), beta = s(), l1 = s(), l2 = s(), inv_lr = 1.0f / lr, floor = beta + lr * l2;
  Written weight = call.tensors[0], linear = call.tensors[1], sum = call.tensors[2];
  Read grad = call.tensors[3];
  for (int64_t i = begin; i < end; ++i) {
    const float g = grad[i], grown = std::sqrt(sum[i] + g * g);
    linear[i] = linear[i] + g - (grown - std::sqrt(sum[i])) * inv_lr * weight[i];
    sum[i] += g * g;
    weight[i] = -lr * Shrink(linear[i], l1) / (floor + grown);
  }
}

void MxnetFtrl(const Call &call, int64_t begin, int64_t end) {
  Scalars s(call);
  const float lr = s(), l1 = s(), beta = s(), wd = s(), rescale = s(), clip = s(),
              inv_lr = 1.0f / lr;
  Written weight = call.tensors[0], linear = call.tensors[1], sum = call.tensors[2];
  Read grad = call.tensors[3];
  for (int64_t i = begin; i < end; ++i) {
    const float g = ClipUnlessNegative(rescale * grad[i], clip), grown = std::sqrt(sum[i] + g * g);
    linear[i] = linear[i] + g - (grown - std::sqrt(sum[i])) * inv_lr * weight[i];
    sum[i] += g * g;
    weight[i] = -Shrink(linear[i], l1) / ((beta + grown) * inv_lr + wd);
  }
}

void Lion(const Call &call, int64_t begin, int64_t end) {
  Scalars s(call);
  const float lr = s(), beta1 = s(), beta2 = s(), decay = s(), c1 = 1.0f - beta1, c2 = 1.0f - beta2;
  Written weight = call.tensors[0], mean = call.tensors[1];
  Read grad = call.tensors[2];
  for (int64_t i = begin; i < end; ++i) {
    const float direction = Sign(beta1 * mean[i] + c1 * grad[i]);
    weight[i] -= lr * (direction + decay * weight[i]);
    mean[i] = beta2 * mean[i] + c2 * grad[i];
  }
}

void SignSGD(const Call &call, int64_t begin, int64_t end) {
  Scalars s(call);
  const float lr = s(), wd = s(), keep = 1.0f - lr * wd;
  Written weight = call.tensors[0];
  Read grad = call.tensors[1];
  for (int64_t i = begin; i < end; ++i) weight[i] = keep * weight[i] - lr * Sign(grad[i]);
}

void Signum(const Call &call, int64_t begin, int64_t end) {
  Scalars s(call);
  const float lr = s(), momentum = s(), wd = s(), rescale = s(), clip = s(), wd_lh = s();
  const float c = 1.0f - momentum, keep = 1.0f - lr * wd_lh;
  Written weight = call.tensors[0], buffer = call.tensors[1];
  Read grad = call.tensors[2];
  for (int64_t i = begin; i < end; ++i) {
    const float g = ClipUnlessNegative(rescale * grad[i], clip) + wd * weight[i];
    buffer[i] = momentum * buffer[i] - c * g;
    weight[i] = keep * weight[i] + lr * Sign(buffer[i]);
  }
}

}  // namespace

std::vector<Contender> HandOptimizers() {
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
