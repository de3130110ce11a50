// SPDX-License-Identifier: Apache-2.0
/// \file bias_2d.h
/// The rest of a convolution after its products: bias and activation of images in one pass, forward
/// and backward. Channels are the second dimension of four, so the bias is added to whole planes,
/// and its gradient is a sum over the pixels of the batch. Where channels come last these are the
/// rules of bias.h.
#ifndef SPECS_ACTIVATION_BIAS_2D_H_
#define SPECS_ACTIVATION_BIAS_2D_H_

#include "ops.h"

namespace activation {
using namespace mshadow;
using namespace mshadow::expr;

/// Bias of channels: y = x + b.
/// \param out activations
/// \param in sums of products, (batch, channel, y, x); may be out
/// \param bias one value per channel
template <typename xpu, typename DType>
MSHADOW_KERNEL void BiasAdd2d(Tensor<xpu, 4, DType> out, const Tensor<xpu, 4, DType> &in,
                              const Tensor<xpu, 1, DType> &bias) {
  auto x = tcast<Promoted<DType>>(in) + tcast<Promoted<DType>>(broadcast<1>(bias, out.shape_));
  out = tcast<DType>(x);
}
MSHADOW_INSTANTIATE(BiasAdd2d, float, double, half::half_t, bfloat::bf16_t);

/// Bias of channels and ReLU: y = max(x + b, 0).
/// \param out activations
/// \param in sums of products, (batch, channel, y, x); may be out
/// \param bias one value per channel
template <typename xpu, typename DType>
MSHADOW_KERNEL void BiasRelu2d(Tensor<xpu, 4, DType> out, const Tensor<xpu, 4, DType> &in,
                               const Tensor<xpu, 1, DType> &bias) {
  auto x = tcast<Promoted<DType>>(in) + tcast<Promoted<DType>>(broadcast<1>(bias, out.shape_));
  out = tcast<DType>(F<op::relu>(x));
}
MSHADOW_INSTANTIATE(BiasRelu2d, float, double, half::half_t, bfloat::bf16_t);

/// Backward of a bias of channels and ReLU: dx = dy where y > 0, and else 0; db = sum(dx) over the
/// pixels of the batch.
/// \param in_grad gradient of the loss with respect to the sums of products, (batch, channel, y, x)
/// \param bias_grad gradient of the loss with respect to the bias
/// \param out_grad gradient of the loss with respect to the activations; may be in_grad
/// \param out activations, as the forward rule gave them
template <typename xpu, typename DType>
MSHADOW_KERNEL void BiasReluGrad2d(Tensor<xpu, 4, DType> in_grad, Tensor<xpu, 1, DType> bias_grad,
                                   const Tensor<xpu, 4, DType> &out_grad,
                                   const Tensor<xpu, 4, DType> &out) {
  in_grad = F<relu_grad>(out_grad, out);
  bias_grad = sumall_except_dim<1>(in_grad);
}
MSHADOW_INSTANTIATE(BiasReluGrad2d, float, double, half::half_t, bfloat::bf16_t);

}  // namespace activation

#endif  // SPECS_ACTIVATION_BIAS_2D_H_
