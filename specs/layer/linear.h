// SPDX-License-Identifier: Apache-2.0
/// \file linear.h
/// A dense layer: a matrix product, and in one pass what becomes of it. Backward, one pass gives
/// what both products and the bias need. The products are BLAS's, and round where the unfused
/// statements do: 16-bit sums once, before the bias is added.
#ifndef SPECS_LAYER_LINEAR_H_
#define SPECS_LAYER_LINEAR_H_

#include "../activation/bias.h"

namespace layer {
using namespace mshadow;
using namespace mshadow::expr;

/// Dense layer: y = x W^T + b.
/// \param out outputs, one row per sample
/// \param in inputs, one row per sample
/// \param weight a row for each output, a column for each input
/// \param bias one value per output
template <typename xpu, typename DType>
MSHADOW_KERNEL void Linear(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                           const Tensor<xpu, 2, DType> &weight, const Tensor<xpu, 1, DType> &bias) {
  out = dot(in, weight.T());
  activation::BiasAdd(out, out, bias);
}
MSHADOW_INSTANTIATE(Linear, float, double, half::half_t, bfloat::bf16_t);

/// Backward of a dense layer: dx = dy W, dW = dy^T x, db = sum(dy) over the samples.
/// \param in_grad gradient of the loss with respect to the inputs
/// \param weight_grad gradient of the loss with respect to the weight
/// \param bias_grad gradient of the loss with respect to the bias
/// \param out_grad gradient of the loss with respect to the outputs
/// \param in inputs
/// \param weight a row for each output, a column for each input
template <typename xpu, typename DType>
MSHADOW_KERNEL void LinearGrad(Tensor<xpu, 2, DType> in_grad, Tensor<xpu, 2, DType> weight_grad,
                               Tensor<xpu, 1, DType> bias_grad,
                               const Tensor<xpu, 2, DType> &out_grad,
                               const Tensor<xpu, 2, DType> &in,
                               const Tensor<xpu, 2, DType> &weight) {
  bias_grad = sum_rows(out_grad);
  weight_grad = dot(out_grad.T(), in);
  in_grad = dot(out_grad, weight);
}
MSHADOW_INSTANTIATE(LinearGrad, float, double, half::half_t, bfloat::bf16_t);

/// Dense layer and ReLU: y = max(x W^T + b, 0).
/// \param out activations, one row per sample
/// \param in inputs, one row per sample
/// \param weight a row for each output, a column for each input
/// \param bias one value per output
template <typename xpu, typename DType>
MSHADOW_KERNEL void LinearRelu(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                               const Tensor<xpu, 2, DType> &weight,
                               const Tensor<xpu, 1, DType> &bias) {
  out = dot(in, weight.T());
  activation::BiasRelu(out, out, bias);
}
MSHADOW_INSTANTIATE(LinearRelu, float, double, half::half_t, bfloat::bf16_t);

/// Backward of a dense layer and ReLU: with g = dy where y > 0 and else 0, dx = g W, dW = g^T x,
/// db = sum(g) over the samples.
/// \param in_grad gradient of the loss with respect to the inputs
/// \param weight_grad gradient of the loss with respect to the weight
/// \param bias_grad gradient of the loss with respect to the bias
/// \param out_grad gradient of the loss with respect to the activations
/// \param out activations, as the forward rule gave them
/// \param in inputs
/// \param weight a row for each output, a column for each input
template <typename xpu, typename DType>
MSHADOW_KERNEL void LinearReluGrad(Tensor<xpu, 2, DType> in_grad, Tensor<xpu, 2, DType> weight_grad,
                                   Tensor<xpu, 1, DType> bias_grad,
                                   const Tensor<xpu, 2, DType> &out_grad,
                                   const Tensor<xpu, 2, DType> &out,
                                   const Tensor<xpu, 2, DType> &in,
                                   const Tensor<xpu, 2, DType> &weight) {
  Temporary<xpu, 2, DType> grad(out.shape_, out.stream_);
  activation::BiasReluGrad(grad, bias_grad, out_grad, out);
  weight_grad = dot(grad.T(), in);
  in_grad = dot(grad, weight);
}
MSHADOW_INSTANTIATE(LinearReluGrad, float, double, half::half_t, bfloat::bf16_t);

/// Dense layer and GELU: s = x W^T, y = gelu(s + b).
/// \param out activations, one row per sample
/// \param sums products without the bias, for the backward rule
/// \param in inputs, one row per sample
/// \param weight a row for each output, a column for each input
/// \param bias one value per output
template <typename xpu, typename DType>
MSHADOW_KERNEL void LinearGelu(Tensor<xpu, 2, DType> out, Tensor<xpu, 2, DType> sums,
                               const Tensor<xpu, 2, DType> &in, const Tensor<xpu, 2, DType> &weight,
                               const Tensor<xpu, 1, DType> &bias) {
  sums = dot(in, weight.T());
  activation::BiasGelu(out, sums, bias);
}
MSHADOW_INSTANTIATE(LinearGelu, float, double, half::half_t, bfloat::bf16_t);

/// Backward of a dense layer and GELU: with g = dy gelu'(s + b), dx = g W, dW = g^T x, db = sum(g)
/// over the samples.
/// \param in_grad gradient of the loss with respect to the inputs
/// \param weight_grad gradient of the loss with respect to the weight
/// \param bias_grad gradient of the loss with respect to the bias
/// \param out_grad gradient of the loss with respect to the activations
/// \param sums products without the bias, as the forward rule gave them
/// \param in inputs
/// \param weight a row for each output, a column for each input
/// \param bias one value per output
template <typename xpu, typename DType>
MSHADOW_KERNEL void LinearGeluGrad(Tensor<xpu, 2, DType> in_grad, Tensor<xpu, 2, DType> weight_grad,
                                   Tensor<xpu, 1, DType> bias_grad,
                                   const Tensor<xpu, 2, DType> &out_grad,
                                   const Tensor<xpu, 2, DType> &sums,
                                   const Tensor<xpu, 2, DType> &in,
                                   const Tensor<xpu, 2, DType> &weight,
                                   const Tensor<xpu, 1, DType> &bias) {
  Temporary<xpu, 2, DType> grad(sums.shape_, sums.stream_);
  activation::BiasGeluGrad(grad, out_grad, sums, bias);
  bias_grad = sum_rows(grad);
  weight_grad = dot(grad.T(), in);
  in_grad = dot(grad, weight);
}
MSHADOW_INSTANTIATE(LinearGeluGrad, float, double, half::half_t, bfloat::bf16_t);

}  // namespace layer

#endif  // SPECS_LAYER_LINEAR_H_
