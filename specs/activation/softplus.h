// SPDX-License-Identifier: Apache-2.0
/// \file softplus.h
/// Softplus, the smooth ReLU.
#ifndef SPECS_ACTIVATION_SOFTPLUS_H_
#define SPECS_ACTIVATION_SOFTPLUS_H_

#include "ops.h"

namespace activation {
using namespace mshadow;
using namespace mshadow::expr;

/// Softplus: y = log(1 + e^(beta x)) / beta, without overflow for any x. Dugas et al. 2001.
/// \param out value of the function
/// \param in input
/// \param beta sharpness; the larger, the closer to ReLU
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Softplus(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in,
                             MSHADOW_HYPER double beta = 1.0) {
  out = tcast<DType>(F<softplus>(beta * tcast<Promoted<DType>>(in)) / beta);
}
MSHADOW_INSTANTIATE(Softplus, float, double, half::half_t, bfloat::bf16_t);

/// Backward of softplus: dx = dy sigmoid(beta x).
/// \param in_grad gradient of the loss with respect to the input
/// \param out_grad gradient of the loss with respect to the output; may be in_grad
/// \param in input of the forward rule
/// \param beta that of the forward rule
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void SoftplusGrad(Tensor<xpu, dim, DType> in_grad,
                                 const Tensor<xpu, dim, DType> &out_grad,
                                 const Tensor<xpu, dim, DType> &in,
                                 MSHADOW_HYPER double beta = 1.0) {
  in_grad = tcast<DType>(tcast<Promoted<DType>>(out_grad) *
                         F<op::sigmoid>(beta * tcast<Promoted<DType>>(in)));
}
MSHADOW_INSTANTIATE(SoftplusGrad, float, double, half::half_t, bfloat::bf16_t);

}  // namespace activation

#endif  // SPECS_ACTIVATION_SOFTPLUS_H_
