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
                         MSHADOW_STATE(0) Tensor<xpu, dim, float> momentum_buffer,
                         MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                         MSHADOW_HYPER float lr = 0.1f, MSHADOW_HYPER float momentum = 0.9f,
                         MSHADOW_HYPER float eta = 0.001f, MSHADOW_HYPER float eps = 1e-9f,
                         MSHADOW_HYPER float decay = 1e-4f) {
  Temporary<xpu, 1, float> weight_norm(Shape1(1), weight.stream_);
  Temporary<xpu, 1, float> grad_norm(Shape1(1), weight.stream_);
  Temporary<xpu, 1, float> rate(Shape1(1), weight.stream_);
  auto w = tcast<float>(weight);
  auto g = tcast<float>(grad);
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
MSHADOW_INSTANTIATE(Lars, float, half::half_t, bfloat::bf16_t);

}  // namespace optim

#endif  // SPECS_OPTIM_LARS_H_
