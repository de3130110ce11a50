// SPDX-License-Identifier: Apache-2.0
/// \file sigmoid.h
/// The logistic function.
#ifndef SPECS_ACTIVATION_SIGMOID_H_
#define SPECS_ACTIVATION_SIGMOID_H_

#include "ops.h"

namespace activation {
using namespace mshadow;
using namespace mshadow::expr;

/// Sigmoid: y = 1 / (1 + e^-x), without overflow for any x.
/// \param out value of the function
/// \param in input
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Sigmoid(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = tcast<DType>(F<op::sigmoid>(tcast<Promoted<DType>>(in)));
}
MSHADOW_INSTANTIATE(Sigmoid, float, double, half::half_t, bfloat::bf16_t);

/// Backward of sigmoid: dx = dy y (1 - y).
/// \param in_grad gradient of the loss with respect to the input
/// \param out_grad gradient of the loss with respect to the output; may be in_grad
/// \param out value of the function, as the forward rule gave it
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void SigmoidGrad(Tensor<xpu, dim, DType> in_grad,
                                const Tensor<xpu, dim, DType> &out_grad,
                                const Tensor<xpu, dim, DType> &out) {
  in_grad =
      tcast<DType>(F<sigmoid_grad>(tcast<Promoted<DType>>(out_grad), tcast<Promoted<DType>>(out)));
}
MSHADOW_INSTANTIATE(SigmoidGrad, float, double, half::half_t, bfloat::bf16_t);

}  // namespace activation

#endif  // SPECS_ACTIVATION_SIGMOID_H_
