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
                         MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> linear,
                         MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> sum,
                         MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                         MSHADOW_HYPER double lr = 0.2, MSHADOW_HYPER double beta = 1.0,
                         MSHADOW_HYPER double l1 = 0.0, MSHADOW_HYPER double l2 = 0.0) {
  const double inv_lr = 1.0 / lr;
  auto g = tcast<Promoted<DType>>(grad);
  auto grown = F<op::square_root>(sum + F<op::square>(g));
  linear = linear + g - (grown - F<op::square_root>(sum)) * inv_lr * tcast<Promoted<DType>>(weight);
  sum = sum + F<op::square>(g);
  weight = tcast<DType>(-lr * F<shrink>(linear, l1) / (beta + lr * l2 + F<op::square_root>(sum)));
}
MSHADOW_INSTANTIATE(Ftrl, float, double, half::half_t, bfloat::bf16_t);

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
                              MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> linear,
                              MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> sum,
                              MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                              MSHADOW_HYPER double lr = 0.2, MSHADOW_HYPER double lamda1 = 0.01,
                              MSHADOW_HYPER double beta = 1.0, MSHADOW_HYPER double wd = 0.0,
                              MSHADOW_HYPER double rescale_grad = 1.0,
                              MSHADOW_HYPER double clip_gradient = -1.0) {
  const double inv_lr = 1.0 / lr;
  auto g = F<clip_unless_negative>(rescale_grad * tcast<Promoted<DType>>(grad), clip_gradient);
  auto grown = F<op::square_root>(sum + F<op::square>(g));
  linear = linear + g - (grown - F<op::square_root>(sum)) * inv_lr * tcast<Promoted<DType>>(weight);
  sum = sum + F<op::square>(g);
  weight =
      tcast<DType>(-F<shrink>(linear, lamda1) / ((beta + F<op::square_root>(sum)) * inv_lr + wd));
}
MSHADOW_INSTANTIATE(MxnetFtrl, float, double, half::half_t, bfloat::bf16_t);

/// FTML: v = beta2 v + (1 - beta2) g^2, e = (1 - beta1^t) / lr (sqrt(v^) + eps),
/// z = beta1 z + (1 - beta1) g - (e - beta1 d) w, d = e, w = -z / d, where g includes the L2 decay.
/// The leader moves, since recent gradients count more. Zheng and Kwok 2017, Algorithm 1; the order
/// of mxnet.optimizer.FTML without its clip.
/// \param weight parameters, updated in place
/// \param d curvature of the leader's objective in the last step
/// \param v running mean of the squared gradient
/// \param z linear part of the leader's objective
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param beta1 decay rate of the leader's memory
/// \param beta2 decay rate of the variance
/// \param eps added to the corrected root, against division by zero
/// \param decay L2 penalty, added to the gradient
/// \param step number of this update, from 1
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Ftml(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                         MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> d,
                         MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> v,
                         MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> z,
                         MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                         MSHADOW_HYPER double lr = 0.0025, MSHADOW_HYPER double beta1 = 0.6,
                         MSHADOW_HYPER double beta2 = 0.999, MSHADOW_HYPER double eps = 1e-8,
                         MSHADOW_HYPER double decay = 0.0, MSHADOW_STEP int step = 1) {
  MSHADOW_CHECK_STEP(step);
  const double curvature = bias_correction(beta1, step) / lr;
  const double inv_bias2 = 1.0 / math::sqrt(bias_correction(beta2, step));
  auto w = tcast<Promoted<DType>>(weight);
  auto g = tcast<Promoted<DType>>(grad) + decay * w;
  v = beta2 * v + (1.0 - beta2) * F<op::square>(g);
  auto e = curvature * (F<op::square_root>(v) * inv_bias2 + eps);
  z = beta1 * z + (1.0 - beta1) * g - (e - beta1 * d) * w;
  d = tcast<Promoted<DType>>(e);
  weight = tcast<DType>(-z / d);
}
MSHADOW_INSTANTIATE(Ftml, float, double, half::half_t, bfloat::bf16_t);

/// TensorFlow's Ftrl: n' = n + g^2, z = z + s - (n'^p - n^p) / lr w, n = n',
/// w = -sign(z) max(abs(z) - l1, 0) / (n^p / lr + 2 l2 + beta / lr), with p = -lr_power and
/// s = g + 2 l2_shrinkage w. McMahan et al. 2013; the order of ApplyFtrlV2, and of tf.keras'
/// optimizer Ftrl, whose l2 is that of the loss and so half of the paper's.
/// \param weight parameters; the new ones do not depend on the old but through the states
/// \param linear sum of gradients, corrected for the changes of the learning rate
/// \param accumulator sum of squared gradients
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param lr_power power by which the learning rate falls with the sum, at most 0
/// \param l1 L1 penalty
/// \param l2 L2 penalty
/// \param l2_shrinkage L2 penalty that is added to the gradient, but not to the sum of squares
/// \param beta added to the root
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void TensorFlowFtrl(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                                   MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> linear,
                                   MSHADOW_STATE(0.1) Tensor<xpu, dim, Promoted<DType>> accumulator,
                                   MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                                   MSHADOW_HYPER double lr = 0.2,
                                   MSHADOW_HYPER double lr_power = -0.5,
                                   MSHADOW_HYPER double l1 = 0.0, MSHADOW_HYPER double l2 = 0.0,
                                   MSHADOW_HYPER double l2_shrinkage = 0.0,
                                   MSHADOW_HYPER double beta = 0.0) {
  const double power = -lr_power, inv_lr = 1.0 / lr;
  const double added = 2.0 * l2 + beta * inv_lr;
  auto g = tcast<Promoted<DType>>(grad);
  auto w = tcast<Promoted<DType>>(weight);
  auto grown = F<op::power>(accumulator + F<op::square>(g), power);
  linear = linear + (g + 2.0 * l2_shrinkage * w) -
           (grown - F<op::power>(accumulator, power)) * inv_lr * w;
  accumulator = accumulator + F<op::square>(g);
  weight =
      tcast<DType>(-F<shrink>(linear, l1) / (F<op::power>(accumulator, power) * inv_lr + added));
}
MSHADOW_INSTANTIATE(TensorFlowFtrl, float, double, half::half_t, bfloat::bf16_t);

}  // namespace optim

#endif  // SPECS_OPTIM_FTRL_H_
