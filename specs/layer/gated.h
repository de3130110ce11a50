// SPDX-License-Identifier: Apache-2.0
/// \file gated.h
/// Gated linear units and the scale of residual branches, as transformers have them.
#ifndef SPECS_LAYER_GATED_H_
#define SPECS_LAYER_GATED_H_

#include "../activation/ops.h"

namespace layer {
using namespace mshadow;
using namespace mshadow::expr;

/// SwiGLU: y = silu(gate) up. Shazeer 2020, equation 6, between the products.
/// \param out what goes into the second product
/// \param gate product of the inputs and the gate's weight; may be out
/// \param up product of the inputs and the other weight; may be out
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void SwiGlu(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &gate,
                           const Tensor<xpu, dim, DType> &up) {
  out =
      tcast<DType>(F<activation::silu>(tcast<Promoted<DType>>(gate)) * tcast<Promoted<DType>>(up));
}
MSHADOW_INSTANTIATE(SwiGlu, float, bfloat::bf16_t);

/// Backward of SwiGLU: dgate = dy up silu'(gate), dup = dy silu(gate).
/// \param gate_grad gradient of the loss with respect to gate
/// \param up_grad gradient of the loss with respect to up
/// \param out_grad gradient of the loss with respect to the outputs
/// \param gate of the forward rule
/// \param up of the forward rule
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void SwiGluGrad(Tensor<xpu, dim, DType> gate_grad, Tensor<xpu, dim, DType> up_grad,
                               const Tensor<xpu, dim, DType> &out_grad,
                               const Tensor<xpu, dim, DType> &gate,
                               const Tensor<xpu, dim, DType> &up) {
  auto dy = tcast<Promoted<DType>>(out_grad);
  auto x = tcast<Promoted<DType>>(gate);
  gate_grad = tcast<DType>(F<activation::silu_grad>(dy * tcast<Promoted<DType>>(up), x));
  up_grad = tcast<DType>(dy * F<activation::silu>(x));
}
MSHADOW_INSTANTIATE(SwiGluGrad, float, bfloat::bf16_t);

/// GEGLU: y = gelu(gate) up, gelu by erf. Shazeer 2020, equation 6, between the products.
/// \param out what goes into the second product
/// \param gate product of the inputs and the gate's weight; may be out
/// \param up product of the inputs and the other weight; may be out
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void GeGlu(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &gate,
                          const Tensor<xpu, dim, DType> &up) {
  out =
      tcast<DType>(F<activation::gelu>(tcast<Promoted<DType>>(gate)) * tcast<Promoted<DType>>(up));
}
MSHADOW_INSTANTIATE(GeGlu, float);

/// Backward of GEGLU: dgate = dy up gelu'(gate), dup = dy gelu(gate).
/// \param gate_grad gradient of the loss with respect to gate
/// \param up_grad gradient of the loss with respect to up
/// \param out_grad gradient of the loss with respect to the outputs
/// \param gate of the forward rule
/// \param up of the forward rule
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void GeGluGrad(Tensor<xpu, dim, DType> gate_grad, Tensor<xpu, dim, DType> up_grad,
                              const Tensor<xpu, dim, DType> &out_grad,
                              const Tensor<xpu, dim, DType> &gate,
                              const Tensor<xpu, dim, DType> &up) {
  auto dy = tcast<Promoted<DType>>(out_grad);
  auto x = tcast<Promoted<DType>>(gate);
  gate_grad = tcast<DType>(F<activation::gelu_grad>(dy * tcast<Promoted<DType>>(up), x));
  up_grad = tcast<DType>(dy * F<activation::gelu>(x));
}
MSHADOW_INSTANTIATE(GeGluGrad, float);

/// Layer scale: y = residual + gain x, with a gain for each column. Touvron et al. 2021, "Going
/// deeper with Image Transformers", equation 4. The gradient with respect to the residual is dy.
/// \param out sum of both branches; may be residual or in
/// \param residual what the layer's input was, one row per sample
/// \param in what the layer made of it
/// \param gain one factor per column
template <typename xpu, typename DType>
MSHADOW_KERNEL void LayerScale(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &residual,
                               const Tensor<xpu, 2, DType> &in, const Tensor<xpu, 1, DType> &gain) {
  out = residual + in * broadcast<1>(gain, in.shape_);
}
MSHADOW_INSTANTIATE(LayerScale, float);

/// Backward of layer scale: dx = dy gain, dgain = sum(dy x) over the samples.
/// \param in_grad gradient of the loss with respect to in
/// \param gain_grad gradient of the loss with respect to the gain
/// \param out_grad gradient of the loss with respect to the outputs
/// \param in of the forward rule
/// \param gain one factor per column
template <typename xpu, typename DType>
MSHADOW_KERNEL void LayerScaleGrad(Tensor<xpu, 2, DType> in_grad, Tensor<xpu, 1, DType> gain_grad,
                                   const Tensor<xpu, 2, DType> &out_grad,
                                   const Tensor<xpu, 2, DType> &in,
                                   const Tensor<xpu, 1, DType> &gain) {
  gain_grad = sum_rows(out_grad * in);
  in_grad = out_grad * broadcast<1>(gain, in.shape_);
}
MSHADOW_INSTANTIATE(LayerScaleGrad, float);

}  // namespace layer

#endif  // SPECS_LAYER_GATED_H_
