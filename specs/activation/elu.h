// SPDX-License-Identifier: Apache-2.0
/// \file elu.h
/// Exponential linear units.
#ifndef SPECS_ACTIVATION_ELU_H_
#define SPECS_ACTIVATION_ELU_H_

#include "ops.h"

namespace activation {
using namespace mshadow;
using namespace mshadow::expr;

/// ELU: y = x where x >= 0, else alpha (e^x - 1). Clevert, Unterthiner & Hochreiter 2016.
/// \param out value of the function
/// \param in input
/// \param alpha minus the limit for x to minus infinity
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Elu(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in,
                        MSHADOW_HYPER double alpha = 1.0) {
  out = tcast<DType>(F<elu>(tcast<Promoted<DType>>(in), alpha));
}
MSHADOW_INSTANTIATE(Elu, float, double, half::half_t, bfloat::bf16_t);

/// Backward of ELU: dx = dy where y > 0, else dy (y + alpha).
/// \param in_grad gradient of the loss with respect to the input
/// \param out_grad gradient of the loss with respect to the output; may be in_grad
/// \param out value of the function, as the forward rule gave it
/// \param alpha that of the forward rule
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void EluGrad(Tensor<xpu, dim, DType> in_grad,
                            const Tensor<xpu, dim, DType> &out_grad,
                            const Tensor<xpu, dim, DType> &out, MSHADOW_HYPER double alpha = 1.0) {
  in_grad = tcast<DType>(
      F<elu_grad>(tcast<Promoted<DType>>(out_grad), tcast<Promoted<DType>>(out), alpha));
}
MSHADOW_INSTANTIATE(EluGrad, float, double, half::half_t, bfloat::bf16_t);

}  // namespace activation

#endif  // SPECS_ACTIVATION_ELU_H_
