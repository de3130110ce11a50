// SPDX-License-Identifier: Apache-2.0
/// \file relu.h
/// Rectified linear units.
#ifndef SPECS_ACTIVATION_RELU_H_
#define SPECS_ACTIVATION_RELU_H_

#include "ops.h"

namespace activation {
using namespace mshadow;
using namespace mshadow::expr;

/// ReLU: y = max(x, 0). NaN stays NaN. Nair & Hinton 2010.
/// \param out value of the function
/// \param in input
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Relu(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = F<op::relu>(in);
}
MSHADOW_INSTANTIATE(Relu, float, double, half::half_t, bfloat::bf16_t);

/// Backward of ReLU: dx = dy where y > 0, else 0.
/// \param in_grad gradient of the loss with respect to the input
/// \param out_grad gradient of the loss with respect to the output; may be in_grad
/// \param out value of the function, as the forward rule gave it
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void ReluGrad(Tensor<xpu, dim, DType> in_grad,
                             const Tensor<xpu, dim, DType> &out_grad,
                             const Tensor<xpu, dim, DType> &out) {
  in_grad = F<relu_grad>(out_grad, out);
}
MSHADOW_INSTANTIATE(ReluGrad, float, double, half::half_t, bfloat::bf16_t);

/// Leaky ReLU: y = x where x >= 0, else slope x. Maas, Hannun & Ng 2013.
/// \param out value of the function
/// \param in input
/// \param slope factor of negative inputs
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void LeakyRelu(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in,
                              MSHADOW_HYPER double slope = 0.01) {
  out = tcast<DType>(F<leaky_relu>(tcast<Promoted<DType>>(in), slope));
}
MSHADOW_INSTANTIATE(LeakyRelu, float, double, half::half_t, bfloat::bf16_t);

/// Backward of leaky ReLU: dx = dy where x > 0, else slope dy.
/// \param in_grad gradient of the loss with respect to the input
/// \param out_grad gradient of the loss with respect to the output; may be in_grad
/// \param in input of the forward rule; with slope > 0 its output will do as well
/// \param slope factor of negative inputs
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void LeakyReluGrad(Tensor<xpu, dim, DType> in_grad,
                                  const Tensor<xpu, dim, DType> &out_grad,
                                  const Tensor<xpu, dim, DType> &in,
                                  MSHADOW_HYPER double slope = 0.01) {
  in_grad = tcast<DType>(
      F<leaky_relu_grad>(tcast<Promoted<DType>>(out_grad), tcast<Promoted<DType>>(in), slope));
}
MSHADOW_INSTANTIATE(LeakyReluGrad, float, double, half::half_t, bfloat::bf16_t);

}  // namespace activation

#endif  // SPECS_ACTIVATION_RELU_H_
