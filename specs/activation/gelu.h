// SPDX-License-Identifier: Apache-2.0
/// \file gelu.h
/// Gaussian error linear units.
#ifndef SPECS_ACTIVATION_GELU_H_
#define SPECS_ACTIVATION_GELU_H_

#include "ops.h"

namespace activation {
using namespace mshadow;
using namespace mshadow::expr;

/// GELU: y = x Phi(x) = x (1 + erf(x / sqrt(2))) / 2. Hendrycks & Gimpel 2016.
/// \param out value of the function
/// \param in input
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Gelu(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = tcast<DType>(F<gelu>(tcast<Promoted<DType>>(in)));
}
MSHADOW_INSTANTIATE(Gelu, float, double, half::half_t, bfloat::bf16_t);

/// Backward of GELU: dx = dy (Phi(x) + x phi(x)).
/// \param in_grad gradient of the loss with respect to the input
/// \param out_grad gradient of the loss with respect to the output; may be in_grad
/// \param in input of the forward rule
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void GeluGrad(Tensor<xpu, dim, DType> in_grad,
                             const Tensor<xpu, dim, DType> &out_grad,
                             const Tensor<xpu, dim, DType> &in) {
  in_grad =
      tcast<DType>(F<gelu_grad>(tcast<Promoted<DType>>(out_grad), tcast<Promoted<DType>>(in)));
}
MSHADOW_INSTANTIATE(GeluGrad, float, double, half::half_t, bfloat::bf16_t);

/// GELU by tanh: y = x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2. Hendrycks & Gimpel 2016,
/// section 2.
/// \param out value of the function
/// \param in input
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void GeluTanh(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = tcast<DType>(F<gelu_tanh>(tcast<Promoted<DType>>(in)));
}
MSHADOW_INSTANTIATE(GeluTanh, float, double, half::half_t, bfloat::bf16_t);

/// Backward of GELU by tanh: the derivative of the approximation itself.
/// \param in_grad gradient of the loss with respect to the input
/// \param out_grad gradient of the loss with respect to the output; may be in_grad
/// \param in input of the forward rule
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void GeluTanhGrad(Tensor<xpu, dim, DType> in_grad,
                                 const Tensor<xpu, dim, DType> &out_grad,
                                 const Tensor<xpu, dim, DType> &in) {
  in_grad =
      tcast<DType>(F<gelu_tanh_grad>(tcast<Promoted<DType>>(out_grad), tcast<Promoted<DType>>(in)));
}
MSHADOW_INSTANTIATE(GeluTanhGrad, float, double, half::half_t, bfloat::bf16_t);

}  // namespace activation

#endif  // SPECS_ACTIVATION_GELU_H_
