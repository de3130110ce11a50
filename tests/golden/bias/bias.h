// SPDX-License-Identifier: Apache-2.0
// Several rules; a vector that every row adds, a vector of one factor per row.
#include <mshadow/kernel.h>

namespace nn {
using namespace mshadow;
using namespace mshadow::expr;

struct relu {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a) {
    return a > T(0.0f) ? a : T(0.0f);
  }
};

/// out = relu(in + bias), the bias added to every row.
template <typename xpu, typename DType>
MSHADOW_KERNEL void BiasRelu(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                             const Tensor<xpu, 1, DType> &bias) {
  out = F<relu>(in + broadcast<1>(bias, out.shape_));
}
MSHADOW_INSTANTIATE(BiasRelu, float, bfloat::bf16_t);

/// Each row times its factor, plus the bias.
template <typename xpu, typename DType>
MSHADOW_KERNEL void ScaleRows(Tensor<xpu, 2, DType> out, const Tensor<xpu, 1, DType> &factor,
                              const Tensor<xpu, 1, DType> &bias) {
  out *= broadcast<0>(factor, out.shape_);
  out += broadcast<1>(bias, out.shape_);
}
MSHADOW_INSTANTIATE(ScaleRows, float, bfloat::bf16_t);
}  // namespace nn
