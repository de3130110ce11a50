// SPDX-License-Identifier: Apache-2.0
/// \file adan.h
/// Methods that keep the last gradient and step by how the gradient changes: Adan and MARS.
#ifndef SPECS_OPTIM_ADAN_H_
#define SPECS_OPTIM_ADAN_H_

#include "ops.h"

namespace optim {
using namespace mshadow;
using namespace mshadow::expr;

/// Adan: d = g - g_last (0 in the first step), m = beta1 m + (1 - beta1) g,
/// c = beta2 c + (1 - beta2) d, n = beta3 n + (1 - beta3) (g + beta2 d)^2,
/// w = (w - lr (m^ + beta2 c^) / (sqrt(n^) + eps)) / (1 + lr decay). Xie et al. 2022, Algorithm 1
/// with 1 - beta for each beta; the order of the authors' code. The decay divides (a proximal
/// step).
/// \param weight parameters, updated in place
/// \param exp_avg running mean of the gradient
/// \param exp_avg_diff running mean of its changes
/// \param exp_avg_sq running mean of (g + beta2 d)^2
/// \param last_grad gradient of the last step
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param beta1 decay rate of the mean
/// \param beta2 decay rate of the mean of changes, and their share in the update
/// \param beta3 decay rate of the mean square
/// \param eps added to the corrected root, against division by zero
/// \param decay decoupled weight decay, multiplied by the learning rate
/// \param step number of this update, from 1
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Adan(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                         MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> exp_avg,
                         MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> exp_avg_diff,
                         MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> exp_avg_sq,
                         MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> last_grad,
                         MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                         MSHADOW_HYPER double lr = 0.001, MSHADOW_HYPER double beta1 = 0.98,
                         MSHADOW_HYPER double beta2 = 0.92, MSHADOW_HYPER double beta3 = 0.99,
                         MSHADOW_HYPER double eps = 1e-8, MSHADOW_HYPER double decay = 0.0,
                         MSHADOW_STEP int step = 1) {
  MSHADOW_CHECK_STEP(step);
  const double of_mean = lr / bias_correction(beta1, step);
  const double of_diff = lr * beta2 / bias_correction(beta2, step);
  const double inv_bias3 = 1.0 / math::sqrt(bias_correction(beta3, step));
  const double keep = 1.0 / (1.0 + lr * decay);
  const double known = step == 1 ? 0.0 : 1.0;
  auto g = tcast<Promoted<DType>>(grad);
  auto diff = known * (g - last_grad);
  exp_avg = beta1 * exp_avg + (1.0 - beta1) * g;
  exp_avg_diff = beta2 * exp_avg_diff + (1.0 - beta2) * diff;
  exp_avg_sq = beta3 * exp_avg_sq + (1.0 - beta3) * F<op::square>(g + beta2 * diff);
  last_grad = tcast<Promoted<DType>>(grad);
  weight = tcast<DType>(keep * (tcast<Promoted<DType>>(weight) -
                                (of_mean * exp_avg + of_diff * exp_avg_diff) /
                                    (F<op::square_root>(exp_avg_sq) * inv_bias3 + eps)));
}
MSHADOW_INSTANTIATE(Adan, float, double, half::half_t, bfloat::bf16_t);

/// MARS with AdamW: c = g + gamma beta1 / (1 - beta1) (g - g_last), shortened to a length of 1;
/// m = beta1 m + (1 - beta1) c, v = beta2 v + (1 - beta2) c^2,
/// w = (1 - lr decay) w - lr m^ / (sqrt(v^) + eps). Yuan et al. 2024, Algorithm 2, with g_last the
/// gradient of the last step on its own batch (the paper's approximate form).
/// \param weight parameters of one layer, updated in place
/// \param exp_avg running mean of the corrected gradient
/// \param exp_avg_sq running mean of its square
/// \param last_grad gradient of the last step
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param beta1 decay rate of the mean
/// \param beta2 decay rate of the variance
/// \param gamma how much the change of the gradient counts
/// \param eps added to the root before the correction
/// \param decay decoupled weight decay, multiplied by the learning rate
/// \param step number of this update, from 1
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Mars(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                         MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> exp_avg,
                         MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> exp_avg_sq,
                         MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> last_grad,
                         MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                         MSHADOW_HYPER double lr = 0.003, MSHADOW_HYPER double beta1 = 0.95,
                         MSHADOW_HYPER double beta2 = 0.99, MSHADOW_HYPER double gamma = 0.025,
                         MSHADOW_HYPER double eps = 1e-8, MSHADOW_HYPER double decay = 0.0,
                         MSHADOW_STEP int step = 1) {
  MSHADOW_CHECK_STEP(step);
  Temporary<xpu, 1, Promoted<DType>> shorten(Shape1(1), weight.stream_);
  const double correction = math::sqrt(bias_correction(beta2, step));
  const double step_size = lr * correction / bias_correction(beta1, step);
  const double of_change = gamma * beta1 / (1.0 - beta1);
  auto g = tcast<Promoted<DType>>(grad);
  auto corrected = g + of_change * (g - last_grad);
  shorten = reduce_all<red::sum>(F<op::square>(corrected));
  shorten = 1.0 / F<op::maximum>(F<op::square_root>(shorten), 1.0);
  auto c = corrected * broadcast_scalar(shorten, weight.shape_);
  exp_avg = beta1 * exp_avg + (1.0 - beta1) * c;
  exp_avg_sq = beta2 * exp_avg_sq + (1.0 - beta2) * F<op::square>(c);
  last_grad = tcast<Promoted<DType>>(grad);
  weight = tcast<DType>((1.0 - lr * decay) * tcast<Promoted<DType>>(weight) -
                        step_size * exp_avg / (F<op::square_root>(exp_avg_sq) + eps));
}
MSHADOW_INSTANTIATE(Mars, float, double, half::half_t, bfloat::bf16_t);

}  // namespace optim

#endif  // SPECS_OPTIM_ADAN_H_
