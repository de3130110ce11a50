// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Rows(Tensor<xpu, 1, DType> scale, const Tensor<xpu, 2, DType> &in) {
  scale = sumall_except_dim<0>(in * broadcast<0>(scale, in.shape_));  // expected-error [shifted-read] {{this rule writes 'scale' and reads it in the expression that is reduced to it}}
}
MSHADOW_INSTANTIATE(Rows, float);

template <typename xpu, typename DType>
MSHADOW_KERNEL void Channels(Tensor<xpu, 1, DType> top, const Tensor<xpu, 4, DType> &in) {
  top += reduce_except_dim<1, red::argmax>(in - broadcast<1>(top, in.shape_));  // expected-error [shifted-read] {{this rule writes 'top' and reads it}}
}
MSHADOW_INSTANTIATE(Channels, float);

/// Everything is reduced before the one element is written, fused and unfused.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void All(Tensor<xpu, 1, DType> norm, const Tensor<xpu, dim, DType> &in) {
  norm = reduce_all<red::sum>(in * broadcast_scalar(norm, in.shape_));
}
MSHADOW_INSTANTIATE(All, float);
}  // namespace errors
