// SPDX-License-Identifier: Apache-2.0
/// \file ftrl.h
/// Follow the regularised leader, proximal: the optimizer of sparse linear models.
#ifndef SPECS_OPTIM_FTRL_H_
#define SPECS_OPTIM_FTRL_H_

#include "ops.h"

namespace optim {
using namespace mshadow;
using namespace mshadow::expr;

/// FTRL-Proximal: z = z + g - (sqrt(n + g^2) - sqrt(n)) w / lr, n = n + g^2,
/// w = -sign(z) max(|z| - l1, 0) / ((beta + sqrt(n)) / lr + l2). McMahan et al. 2013, Algorithm 1.
/// The weight is a function of the states alone: with z = 0 at the start, the first step forgets
/// the initial weights.
/// \param weight parameters; the new ones do not depend on the old but through the states
/// \param linear sum of gradients, corrected for the changes of the learning rate
/// \param sum sum of squared gradients
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param beta added to the root: how slowly the learning rate falls at first
/// \param l1 L1 penalty: weights whose |z| is below it are zero
/// \param l2 L2 penalty
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Ftrl(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                         MSHADOW_STATE(0) Tensor<xpu, dim, float> linear,
                         MSHADOW_STATE(0) Tensor<xpu, dim, float> sum,
                         MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                         MSHADOW_HYPER float lr = 0.2f, MSHADOW_HYPER float beta = 1.0f,
                         MSHADOW_HYPER float l1 = 0.0f, MSHADOW_HYPER float l2 = 0.0f) {
  const float inv_lr = 1.0f / lr;
  auto g = tcast<float>(grad);
  auto grown = F<op::square_root>(sum + F<op::square>(g));
  linear = linear + g - (grown - F<op::square_root>(sum)) * inv_lr * tcast<float>(weight);
  sum = sum + F<op::square>(g);
  weight = tcast<DType>(-lr * F<shrink>(linear, l1) / (beta + lr * l2 + F<op::square_root>(sum)));
}
MSHADOW_INSTANTIATE(Ftrl, float, half::half_t, bfloat::bf16_t);

/// MXNet's Ftrl of the gradient clip(rescale_grad g), with wd as the L2 penalty.
/// The order of mxnet.optimizer.Ftrl of MXNet 1.9.1 and 2.0.0.beta.
/// \param weight parameters; the new ones do not depend on the old but through the states
/// \param linear sum of gradients, corrected for the changes of the learning rate
/// \param sum sum of squared gradients
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param lamda1 L1 penalty: weights whose |z| is below it are zero
/// \param beta added to the root: how slowly the learning rate falls at first
/// \param wd L2 penalty
/// \param rescale_grad factor of the gradient
/// \param clip_gradient limit of a gradient's magnitude; negative: none
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void MxnetFtrl(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                              MSHADOW_STATE(0) Tensor<xpu, dim, float> linear,
                              MSHADOW_STATE(0) Tensor<xpu, dim, float> sum,
                              MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                              MSHADOW_HYPER float lr = 0.2f, MSHADOW_HYPER float lamda1 = 0.01f,
                              MSHADOW_HYPER float beta = 1.0f, MSHADOW_HYPER float wd = 0.0f,
                              MSHADOW_HYPER float rescale_grad = 1.0f,
                              MSHADOW_HYPER float clip_gradient = -1.0f) {
  const float inv_lr = 1.0f / lr;
  auto g = F<clip_unless_negative>(rescale_grad * tcast<float>(grad), clip_gradient);
  auto grown = F<op::square_root>(sum + F<op::square>(g));
  linear = linear + g - (grown - F<op::square_root>(sum)) * inv_lr * tcast<float>(weight);
  sum = sum + F<op::square>(g);
  weight =
      tcast<DType>(-F<shrink>(linear, lamda1) / ((beta + F<op::square_root>(sum)) * inv_lr + wd));
}
MSHADOW_INSTANTIATE(MxnetFtrl, float, half::half_t, bfloat::bf16_t);

}  // namespace optim

#endif  // SPECS_OPTIM_FTRL_H_
