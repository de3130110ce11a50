// SPDX-License-Identifier: Apache-2.0
// Rules with matrix products as a careful person writes them by hand: the products by BLAS, and a
// loop over what it leaves in memory. Matrices are square.
#include "hand.h"

#if MSHADOW_USE_CBLAS

#include <cblas.h>

namespace mshadow_bench {
namespace {

// c = scale op(a) op(b).
void Product(int64_t n, CBLAS_TRANSPOSE op_a, Read a, CBLAS_TRANSPOSE op_b, Read b, Written c,
             float scale = 1.0f) {
  const auto size = static_cast<int>(n);
  cblas_sgemm(CblasRowMajor, op_a, op_b, size, size, size, scale, a, size, b, size, 0.0f, c, size);
}

template <float (*f)(float)>
void Linear(const Call &call, int64_t, int64_t end) {
  Written out = call.tensors[0];
  Read bias = call.tensors[3];
  Product(call.cols, CblasNoTrans, call.tensors[1], CblasTrans, call.tensors[2], out);
  for (int64_t at = 0; at < end; at += call.cols) {
    for (int64_t i = 0; i < call.cols; ++i) out[at + i] = f(out[at + i] + bias[i]);
  }
}

void LinearGelu(const Call &call, int64_t, int64_t end) {
  Written out = call.tensors[0], sums = call.tensors[1];
  Read bias = call.tensors[4];
  Product(call.cols, CblasNoTrans, call.tensors[2], CblasTrans, call.tensors[3], sums);
  for (int64_t at = 0; at < end; at += call.cols) {
    for (int64_t i = 0; i < call.cols; ++i) out[at + i] = Gelu(sums[at + i] + bias[i]);
  }
}

// The gradients by the bias, the weight and the inputs, where the sums' gradient is known.
void Backward(int64_t n, float *const *to, Read grad, Read in, Read weight) {
  Written bias_grad = to[2];
  for (int64_t i = 0; i < n; ++i) bias_grad[i] = grad[i];
  for (int64_t y = 1; y < n; ++y) {
    for (int64_t i = 0; i < n; ++i) bias_grad[i] += grad[y * n + i];
  }
  Product(n, CblasTrans, grad, CblasNoTrans, in, to[1]);
  Product(n, CblasNoTrans, grad, CblasNoTrans, weight, to[0]);
}

void LinearGrad(const Call &call, int64_t, int64_t) {
  float *const *const t = call.tensors;
  Backward(call.cols, t, t[3], t[4], t[5]);
}

void LinearReluGrad(const Call &call, int64_t, int64_t end) {
  float *const *const t = call.tensors;
  Written grad = Scratch(end);
  Read dy = t[3], y = t[4];
  for (int64_t i = 0; i < end; ++i) grad[i] = y[i] > 0.0f ? dy[i] : 0.0f;
  Backward(call.cols, t, grad, t[5], t[6]);
}

void LinearGeluGrad(const Call &call, int64_t, int64_t end) {
  float *const *const t = call.tensors;
  Written grad = Scratch(end);
  Read dy = t[3], sums = t[4], bias = t[7];
  for (int64_t at = 0; at < end; at += call.cols) {
    for (int64_t i = 0; i < call.cols; ++i) {
      grad[at + i] = GeluGrad(dy[at + i], sums[at + i] + bias[i]);
    }
  }
  Backward(call.cols, t, grad, t[5], t[6]);
}

void Attention(const Call &call, int64_t, int64_t end) {
  const int64_t n = call.cols;
  float *const *const t = call.tensors;
  float *const scores = Scratch(end);
  Product(n, CblasNoTrans, t[1], CblasTrans, t[2], scores, static_cast<float>(call.scalars[0]));
  for (int64_t at = 0; at < end; at += n) {
    Written row = scores + at;
    const float top = Largest(row, n);
    for (int64_t i = 0; i < n; ++i) row[i] = std::exp(row[i] - top);
    const float inv_total = 1.0f / Sum(n, [&](int64_t i) { return row[i]; });
    for (int64_t i = 0; i < n; ++i) row[i] *= inv_total;
  }
  Product(n, CblasNoTrans, scores, CblasNoTrans, t[3], t[0]);
}

}  // namespace

std::vector<Contender> HandProducts() {
  return {{"Linear", Linear<Identity>, true},
          {"LinearRelu", Linear<Relu>, true},
          {"LinearGelu", LinearGelu, true},
          {"LinearGrad", LinearGrad, true},
          {"LinearReluGrad", LinearReluGrad, true},
          {"LinearGeluGrad", LinearGeluGrad, true},
          {"Attention", Attention, true}};
}

}  // namespace mshadow_bench

#else

std::vector<mshadow_bench::Contender> mshadow_bench::HandProducts() { return {}; }

#endif
