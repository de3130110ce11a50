// SPDX-License-Identifier: Apache-2.0
// Emitted expressions within kernels that nvcc compiles.
#include <mshadow/tensor.h>

#include "tests/golden/expression/expected/huber.gen.h"

namespace {
using namespace mshadow;

template <typename DType>
void Losses(Tensor<gpu, 2, DType> out, Tensor<gpu, 2, DType> a, Tensor<gpu, 2, DType> b) {
  out = loss::Huber(a, b * DType(2), 0.5f) + loss::Huber(a, b, 2.0f, true);
}
}  // namespace

void UseExpressions(Tensor<gpu, 2, float> f, Tensor<gpu, 2, double> d, Tensor<gpu, 2, int8_t> q) {
  Losses(f, f, f);
  Losses(d, d, d);
  f = loss::Dequantize(q, f * 2.0f);
}
