// SPDX-License-Identifier: Apache-2.0
/// \file silu.h
/// Sigmoid linear units, also called swish.
#ifndef SPECS_ACTIVATION_SILU_H_
#define SPECS_ACTIVATION_SILU_H_

#include "ops.h"

namespace activation {
using namespace mshadow;
using namespace mshadow::expr;

/// SiLU: y = x sigmoid(x). Hendrycks & Gimpel 2016; Elfwing, Uchibe & Doya 2018.
/// \param out value of the function
/// \param in input
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Silu(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = tcast<DType>(F<silu>(tcast<Promoted<DType>>(in)));
}
MSHADOW_INSTANTIATE(Silu, float, double, half::half_t, bfloat::bf16_t);

/// Backward of SiLU: dx = dy s (1 + x (1 - s)), s = sigmoid(x).
/// \param in_grad gradient of the loss with respect to the input
/// \param out_grad gradient of the loss with respect to the output; may be in_grad
/// \param in input of the forward rule
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void SiluGrad(Tensor<xpu, dim, DType> in_grad,
                             const Tensor<xpu, dim, DType> &out_grad,
                             const Tensor<xpu, dim, DType> &in) {
  in_grad =
      tcast<DType>(F<silu_grad>(tcast<Promoted<DType>>(out_grad), tcast<Promoted<DType>>(in)));
}
MSHADOW_INSTANTIATE(SiluGrad, float, double, half::half_t, bfloat::bf16_t);

}  // namespace activation

#endif  // SPECS_ACTIVATION_SILU_H_
