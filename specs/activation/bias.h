// SPDX-License-Identifier: Apache-2.0
/// \file bias.h
/// The rest of a dense layer after its matrix product: bias and activation in one pass, forward and
/// backward. The bias is added to every row, so its gradient is a sum over the rows, which rules
/// for activations whose derivative is a function of the output take along. Without a bias these
/// are ReluGrad, SigmoidGrad, TanhGrad.
#ifndef SPECS_ACTIVATION_BIAS_H_
#define SPECS_ACTIVATION_BIAS_H_

#include "ops.h"

namespace activation {
using namespace mshadow;
using namespace mshadow::expr;

/// Bias: y = x + b.
/// \param out activations, one row per sample
/// \param in sums of products, one row per sample; may be out
/// \param bias one value per column
template <typename xpu, typename DType>
MSHADOW_KERNEL void BiasAdd(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                            const Tensor<xpu, 1, DType> &bias) {
  auto x = tcast<Promoted<DType>>(in) + tcast<Promoted<DType>>(broadcast<1>(bias, out.shape_));
  out = tcast<DType>(x);
}
MSHADOW_INSTANTIATE(BiasAdd, float, double, half::half_t, bfloat::bf16_t);

/// Bias and ReLU: y = max(x + b, 0).
/// \param out activations, one row per sample
/// \param in sums of products, one row per sample; may be out
/// \param bias one value per column
template <typename xpu, typename DType>
MSHADOW_KERNEL void BiasRelu(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                             const Tensor<xpu, 1, DType> &bias) {
  auto x = tcast<Promoted<DType>>(in) + tcast<Promoted<DType>>(broadcast<1>(bias, out.shape_));
  out = tcast<DType>(F<op::relu>(x));
}
MSHADOW_INSTANTIATE(BiasRelu, float, double, half::half_t, bfloat::bf16_t);

/// Bias and sigmoid: y = 1 / (1 + e^-(x + b)).
/// \param out activations, one row per sample
/// \param in sums of products, one row per sample; may be out
/// \param bias one value per column
template <typename xpu, typename DType>
MSHADOW_KERNEL void BiasSigmoid(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                                const Tensor<xpu, 1, DType> &bias) {
  auto x = tcast<Promoted<DType>>(in) + tcast<Promoted<DType>>(broadcast<1>(bias, out.shape_));
  out = tcast<DType>(F<op::sigmoid>(x));
}
MSHADOW_INSTANTIATE(BiasSigmoid, float, double, half::half_t, bfloat::bf16_t);

/// Bias and tanh: y = tanh(x + b).
/// \param out activations, one row per sample
/// \param in sums of products, one row per sample; may be out
/// \param bias one value per column
template <typename xpu, typename DType>
MSHADOW_KERNEL void BiasTanh(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                             const Tensor<xpu, 1, DType> &bias) {
  auto x = tcast<Promoted<DType>>(in) + tcast<Promoted<DType>>(broadcast<1>(bias, out.shape_));
  out = tcast<DType>(F<op::tanh>(x));
}
MSHADOW_INSTANTIATE(BiasTanh, float, double, half::half_t, bfloat::bf16_t);

/// Backward of bias and ReLU: dx = dy where y > 0, and else 0; db = sum(dx) over the rows.
/// \param in_grad gradient of the loss with respect to the sums of products, one row per sample
/// \param bias_grad gradient of the loss with respect to the bias
/// \param out_grad gradient of the loss with respect to the activations; may be in_grad
/// \param out activations, as the forward rule gave them
template <typename xpu, typename DType>
MSHADOW_KERNEL void BiasReluGrad(Tensor<xpu, 2, DType> in_grad, Tensor<xpu, 1, DType> bias_grad,
                                 const Tensor<xpu, 2, DType> &out_grad,
                                 const Tensor<xpu, 2, DType> &out) {
  in_grad = F<relu_grad>(out_grad, out);
  bias_grad = sum_rows(in_grad);
}
MSHADOW_INSTANTIATE(BiasReluGrad, float, double, half::half_t, bfloat::bf16_t);

/// Backward of bias and sigmoid: dx = dy y (1 - y); db = sum(dx) over the rows.
/// \param in_grad gradient of the loss with respect to the sums of products, one row per sample
/// \param bias_grad gradient of the loss with respect to the bias
/// \param out_grad gradient of the loss with respect to the activations; may be in_grad
/// \param out activations, as the forward rule gave them
template <typename xpu, typename DType>
MSHADOW_KERNEL void BiasSigmoidGrad(Tensor<xpu, 2, DType> in_grad, Tensor<xpu, 1, DType> bias_grad,
                                    const Tensor<xpu, 2, DType> &out_grad,
                                    const Tensor<xpu, 2, DType> &out) {
  auto dy = tcast<Promoted<DType>>(out_grad);
  in_grad = tcast<DType>(F<sigmoid_grad>(dy, tcast<Promoted<DType>>(out)));
  bias_grad = sum_rows(in_grad);
}
MSHADOW_INSTANTIATE(BiasSigmoidGrad, float, double, half::half_t, bfloat::bf16_t);

/// Backward of bias and tanh: dx = dy (1 - y^2); db = sum(dx) over the rows.
/// \param in_grad gradient of the loss with respect to the sums of products, one row per sample
/// \param bias_grad gradient of the loss with respect to the bias
/// \param out_grad gradient of the loss with respect to the activations; may be in_grad
/// \param out activations, as the forward rule gave them
template <typename xpu, typename DType>
MSHADOW_KERNEL void BiasTanhGrad(Tensor<xpu, 2, DType> in_grad, Tensor<xpu, 1, DType> bias_grad,
                                 const Tensor<xpu, 2, DType> &out_grad,
                                 const Tensor<xpu, 2, DType> &out) {
  auto dy = tcast<Promoted<DType>>(out_grad);
  in_grad = tcast<DType>(F<tanh_grad>(dy, tcast<Promoted<DType>>(out)));
  bias_grad = sum_rows(in_grad);
}
MSHADOW_INSTANTIATE(BiasTanhGrad, float, double, half::half_t, bfloat::bf16_t);

/// Bias and GELU: y = z Phi(z), z = x + b.
/// \param out activations, one row per sample
/// \param in sums of products, one row per sample; may be out
/// \param bias one value per column
template <typename xpu, typename DType>
MSHADOW_KERNEL void BiasGelu(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                             const Tensor<xpu, 1, DType> &bias) {
  auto x = tcast<Promoted<DType>>(in) + tcast<Promoted<DType>>(broadcast<1>(bias, out.shape_));
  out = tcast<DType>(F<gelu>(x));
}
MSHADOW_INSTANTIATE(BiasGelu, float, double, half::half_t, bfloat::bf16_t);

/// Backward of bias and GELU: dx = dy (Phi(z) + z phi(z)), z = x + b.
/// \param in_grad gradient of the loss with respect to the sums of products, one row per sample
/// \param out_grad gradient of the loss with respect to the activations; may be in_grad
/// \param in sums of products, as the forward rule got them
/// \param bias one value per column
template <typename xpu, typename DType>
MSHADOW_KERNEL void BiasGeluGrad(Tensor<xpu, 2, DType> in_grad,
                                 const Tensor<xpu, 2, DType> &out_grad,
                                 const Tensor<xpu, 2, DType> &in,
                                 const Tensor<xpu, 1, DType> &bias) {
  auto x = tcast<Promoted<DType>>(in) + tcast<Promoted<DType>>(broadcast<1>(bias, out_grad.shape_));
  in_grad = tcast<DType>(F<gelu_grad>(tcast<Promoted<DType>>(out_grad), x));
}
MSHADOW_INSTANTIATE(BiasGeluGrad, float, double, half::half_t, bfloat::bf16_t);

/// Bias and GELU by tanh, of z = x + b.
/// \param out activations, one row per sample
/// \param in sums of products, one row per sample; may be out
/// \param bias one value per column
template <typename xpu, typename DType>
MSHADOW_KERNEL void BiasGeluTanh(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                                 const Tensor<xpu, 1, DType> &bias) {
  auto x = tcast<Promoted<DType>>(in) + tcast<Promoted<DType>>(broadcast<1>(bias, out.shape_));
  out = tcast<DType>(F<gelu_tanh>(x));
}
MSHADOW_INSTANTIATE(BiasGeluTanh, float, double, half::half_t, bfloat::bf16_t);

/// Backward of bias and GELU by tanh, of z = x + b.
/// \param in_grad gradient of the loss with respect to the sums of products, one row per sample
/// \param out_grad gradient of the loss with respect to the activations; may be in_grad
/// \param in sums of products, as the forward rule got them
/// \param bias one value per column
template <typename xpu, typename DType>
MSHADOW_KERNEL void BiasGeluTanhGrad(Tensor<xpu, 2, DType> in_grad,
                                     const Tensor<xpu, 2, DType> &out_grad,
                                     const Tensor<xpu, 2, DType> &in,
                                     const Tensor<xpu, 1, DType> &bias) {
  auto x = tcast<Promoted<DType>>(in) + tcast<Promoted<DType>>(broadcast<1>(bias, out_grad.shape_));
  in_grad = tcast<DType>(F<gelu_tanh_grad>(tcast<Promoted<DType>>(out_grad), x));
}
MSHADOW_INSTANTIATE(BiasGeluTanhGrad, float, double, half::half_t, bfloat::bf16_t);

/// Bias and SiLU: y = z sigmoid(z), z = x + b.
/// \param out activations, one row per sample
/// \param in sums of products, one row per sample; may be out
/// \param bias one value per column
template <typename xpu, typename DType>
MSHADOW_KERNEL void BiasSilu(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                             const Tensor<xpu, 1, DType> &bias) {
  auto x = tcast<Promoted<DType>>(in) + tcast<Promoted<DType>>(broadcast<1>(bias, out.shape_));
  out = tcast<DType>(F<silu>(x));
}
MSHADOW_INSTANTIATE(BiasSilu, float, double, half::half_t, bfloat::bf16_t);

/// Backward of bias and SiLU: dx = dy s (1 + z (1 - s)), s = sigmoid(z), z = x + b.
/// \param in_grad gradient of the loss with respect to the sums of products, one row per sample
/// \param out_grad gradient of the loss with respect to the activations; may be in_grad
/// \param in sums of products, as the forward rule got them
/// \param bias one value per column
template <typename xpu, typename DType>
MSHADOW_KERNEL void BiasSiluGrad(Tensor<xpu, 2, DType> in_grad,
                                 const Tensor<xpu, 2, DType> &out_grad,
                                 const Tensor<xpu, 2, DType> &in,
                                 const Tensor<xpu, 1, DType> &bias) {
  auto x = tcast<Promoted<DType>>(in) + tcast<Promoted<DType>>(broadcast<1>(bias, out_grad.shape_));
  in_grad = tcast<DType>(F<silu_grad>(tcast<Promoted<DType>>(out_grad), x));
}
MSHADOW_INSTANTIATE(BiasSiluGrad, float, double, half::half_t, bfloat::bf16_t);

}  // namespace activation

#endif  // SPECS_ACTIVATION_BIAS_H_
