// SPDX-License-Identifier: Apache-2.0
/// \file lars.h
/// LARS: momentum SGD whose step is in proportion to the layer's weights.
#ifndef SPECS_OPTIM_LARS_H_
#define SPECS_OPTIM_LARS_H_

#include "ops.h"

namespace optim {
using namespace mshadow;
using namespace mshadow::expr;

/// LARS: m = momentum m + rate (g + decay w), w = w - m, with rate = lr eta |w| / (|g| + decay |w|
/// + eps), or lr if one of the norms is 0. You, Gitman and Ginsburg 2017, Algorithm 1; eps and the
/// case of 0 as MXNet has them.
/// \param weight parameters of one layer, updated in place
/// \param momentum_buffer running sum of the steps
/// \param grad gradient of the loss with respect to the parameters
/// \param lr global learning rate
/// \param momentum decay rate of the buffer
/// \param eta trust coefficient
/// \param eps added to the norm of the update, against division by zero
/// \param decay weight decay
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Lars(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                         MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> momentum_buffer,
                         MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                         MSHADOW_HYPER double lr = 0.1, MSHADOW_HYPER double momentum = 0.9,
                         MSHADOW_HYPER double eta = 0.001, MSHADOW_HYPER double eps = 1e-9,
                         MSHADOW_HYPER double decay = 1e-4) {
  Temporary<xpu, 1, Promoted<DType>> weight_norm(Shape1(1), weight.stream_);
  Temporary<xpu, 1, Promoted<DType>> grad_norm(Shape1(1), weight.stream_);
  Temporary<xpu, 1, Promoted<DType>> rate(Shape1(1), weight.stream_);
  auto w = tcast<Promoted<DType>>(weight);
  auto g = tcast<Promoted<DType>>(grad);
  weight_norm = reduce_all<red::sum>(F<op::square>(w));
  weight_norm = F<op::square_root>(weight_norm);
  grad_norm = reduce_all<red::sum>(F<op::square>(g));
  grad_norm = F<op::square_root>(grad_norm);
  rate =
      lr * F<norm_ratio>(eta * weight_norm, F<nonzero_plus>(grad_norm, decay * weight_norm + eps));
  momentum_buffer =
      momentum * momentum_buffer + broadcast_scalar(rate, weight.shape_) * (g + decay * w);
  weight = tcast<DType>(w - momentum_buffer);
}
MSHADOW_INSTANTIATE(Lars, float, double, half::half_t, bfloat::bf16_t);

}  // namespace optim

#endif  // SPECS_OPTIM_LARS_H_
