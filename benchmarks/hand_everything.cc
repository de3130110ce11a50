// SPDX-License-Identifier: Apache-2.0
// Rules that reduce everything to single values as a careful person writes them by hand: as few
// passes as the values allow, sums in parts that vectorise.
#include "hand.h"

namespace mshadow_bench {
namespace {

void AddSquaredNorm(const Call &call, int64_t, int64_t end) {
  Read in = call.tensors[1];
  call.tensors[0][0] += Sum(end, [&](int64_t i) { return Square(in[i]); });
}

void ClipByNorm(const Call &call, int64_t begin, int64_t end) {
  const float limit = static_cast<float>(call.scalars[0]);
  const float factor = Min(limit / (std::sqrt(call.tensors[1][0]) + 1e-6f), 1.0f);
  Written grad = call.tensors[0];
  for (int64_t i = begin; i < end; ++i) grad[i] *= factor;
}

/// Two sums of one pass.
struct Sums {
  float a, b;
};

/// The sums of f(i, &a, &b), which adds to both.
template <typename F>
Sums SumBoth(int64_t count, const F &f) {
  float a[kParts] = {}, b[kParts] = {};
  int64_t i = 0;
  for (; i + kParts <= count; i += kParts) {
    for (int k = 0; k < kParts; ++k) f(i + k, &a[k], &b[k]);
  }
  Sums sums = {};
  for (; i < count; ++i) f(i, &sums.a, &sums.b);
  for (float part : a) sums.a += part;
  for (float part : b) sums.b += part;
  return sums;
}

void Lamb(const Call &call, int64_t, int64_t end) {
  Scalars s(call);
  const float lr = s(), beta1 = s(), beta2 = s(), eps = s(), decay = s(), lower = s(), upper = s();
  const float step = s();
  const float inv_bias1 = 1.0f / (1.0f - std::pow(beta1, step));
  const float inv_bias2 = 1.0f / std::sqrt(1.0f - std::pow(beta2, step));
  Written weight = call.tensors[0], mean = call.tensors[1], variance = call.tensors[2];
  Read grad = call.tensors[3];
  const auto update = [&](float w, float m, float v) {
    return m * inv_bias1 / (std::sqrt(v) * inv_bias2 + eps) + decay * w;
  };
  const Sums sums = SumBoth(end, [&](int64_t i, float *of_weight, float *of_update) {
    const float m = beta1 * mean[i] + (1.0f - beta1) * grad[i];
    const float v = beta2 * variance[i] + (1.0f - beta2) * Square(grad[i]);
    mean[i] = m;
    variance[i] = v;
    *of_weight += Square(weight[i]);
    *of_update += Square(update(weight[i], m, v));
  });
  const float weight_norm = Min(Max(std::sqrt(sums.a), lower), upper);
  const float update_norm = std::sqrt(sums.b);
  const float ratio =
      lr * (weight_norm > 0.0f && update_norm > 0.0f ? weight_norm / update_norm : 1.0f);
  for (int64_t i = 0; i < end; ++i) weight[i] -= ratio * update(weight[i], mean[i], variance[i]);
}

void Lars(const Call &call, int64_t, int64_t end) {
  Scalars s(call);
  const float lr = s(), momentum = s(), eta = s(), eps = s(), decay = s();
  Written weight = call.tensors[0], buffer = call.tensors[1];
  Read grad = call.tensors[2];
  const Sums sums = SumBoth(end, [&](int64_t i, float *of_weight, float *of_grad) {
    *of_weight += Square(weight[i]);
    *of_grad += Square(grad[i]);
  });
  const float weight_norm = std::sqrt(sums.a), grad_norm = std::sqrt(sums.b);
  const float bound = grad_norm > 0.0f ? grad_norm + decay * weight_norm + eps : 0.0f;
  const float length = eta * weight_norm;
  const float rate = lr * (length > 0.0f && bound > 0.0f ? length / bound : 1.0f);
  for (int64_t i = 0; i < end; ++i) {
    const float m = momentum * buffer[i] + rate * (grad[i] + decay * weight[i]);
    buffer[i] = m;
    weight[i] -= m;
  }
}

void NovoGrad(const Call &call, int64_t, int64_t end) {
  Scalars s(call);
  const float lr = s(), beta1 = s(), beta2 = s(), eps = s(), decay = s(), step = s();
  Written weight = call.tensors[0], mean = call.tensors[1];
  Read grad = call.tensors[3];
  float *const variance = call.tensors[2];
  const float length = Sum(end, [&](int64_t i) { return Square(grad[i]); });
  *variance = step == 1.0f ? length : beta2 * *variance + (1.0f - beta2) * length;
  const float inv_root = 1.0f / (std::sqrt(*variance) + eps);
  for (int64_t i = 0; i < end; ++i) {
    const float m = beta1 * mean[i] + (grad[i] * inv_root + decay * weight[i]);
    mean[i] = m;
    weight[i] -= lr * m;
  }
}

// The roots of a row's mean and of each column's are taken once, into buffers of the caller's
// thread: what is left in an element is a division.
void Adafactor(const Call &call, int64_t, int64_t end) {
  Scalars s(call);
  const float lr = s(), eps = s(), threshold = s();
  const int64_t cols = call.cols, rows = end / cols;
  static thread_local std::vector<float> roots;
  roots.resize(static_cast<size_t>(cols));
  Written weight = call.tensors[0], root = roots.data();
  Read row_mean = call.tensors[1], column_mean = call.tensors[2], grad = call.tensors[3];
  for (int64_t x = 0; x < cols; ++x) root[x] = std::sqrt(column_mean[x]);
  const float inv_count = 1.0f / static_cast<float>(end);
  const float mean_row =
      Sum(rows, [&](int64_t y) { return row_mean[y]; }) / static_cast<float>(rows);
  float squares = 0.0f, updates = 0.0f;
  for (int64_t y = 0; y < rows; ++y) {
    const float of_row = std::sqrt(row_mean[y]);
    Read w = weight + y * cols, g = grad + y * cols;
    const Sums sums = SumBoth(cols, [&](int64_t x, float *of_weight, float *of_update) {
      *of_weight += Square(w[x]);
      *of_update += Square(g[x] / (of_row * root[x]));
    });
    squares += sums.a;
    updates += sums.b;
  }
  const float scale = std::sqrt(mean_row);
  const float length = scale * std::sqrt(inv_count * updates) / threshold;
  const float rate =
      lr * Max(std::sqrt(inv_count * squares), eps) * (length > 1.0f ? scale / length : scale);
  for (int64_t y = 0; y < rows; ++y) {
    const float of_row = std::sqrt(row_mean[y]);
    Written w = weight + y * cols;
    Read g = grad + y * cols;
    for (int64_t x = 0; x < cols; ++x) w[x] -= rate * (g[x] / (of_row * root[x]));
  }
}

}  // namespace

std::vector<Contender> HandEverything() {
  return {{"AddSquaredNorm", AddSquaredNorm, true},
          {"ClipByNorm", ClipByNorm},
          {"Lamb", Lamb, true},
          {"Lars", Lars, true},
          {"NovoGrad", NovoGrad, true},
          {"Adafactor", Adafactor, true}};
}

}  // namespace mshadow_bench
