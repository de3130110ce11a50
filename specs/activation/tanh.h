// SPDX-License-Identifier: Apache-2.0
/// \file tanh.h
/// The hyperbolic tangent.
#ifndef SPECS_ACTIVATION_TANH_H_
#define SPECS_ACTIVATION_TANH_H_

#include "ops.h"

namespace activation {
using namespace mshadow;
using namespace mshadow::expr;

/// Tanh: y = tanh(x).
/// \param out value of the function
/// \param in input
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Tanh(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = tcast<DType>(F<op::tanh>(tcast<Promoted<DType>>(in)));
}
MSHADOW_INSTANTIATE(Tanh, float, double, half::half_t, bfloat::bf16_t);

/// Backward of tanh: dx = dy (1 - y) (1 + y), which is dy (1 - y^2).
/// \param in_grad gradient of the loss with respect to the input
/// \param out_grad gradient of the loss with respect to the output; may be in_grad
/// \param out value of the function, as the forward rule gave it
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void TanhGrad(Tensor<xpu, dim, DType> in_grad,
                             const Tensor<xpu, dim, DType> &out_grad,
                             const Tensor<xpu, dim, DType> &out) {
  in_grad =
      tcast<DType>(F<tanh_grad>(tcast<Promoted<DType>>(out_grad), tcast<Promoted<DType>>(out)));
}
MSHADOW_INSTANTIATE(TanhGrad, float, double, half::half_t, bfloat::bf16_t);

}  // namespace activation

#endif  // SPECS_ACTIVATION_TANH_H_
