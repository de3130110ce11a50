// SPDX-License-Identifier: Apache-2.0
/// \file adabelief.h
/// Adam with other second moments: AdaBelief and Yogi.
#ifndef SPECS_OPTIM_ADABELIEF_H_
#define SPECS_OPTIM_ADABELIEF_H_

#include "ops.h"

namespace optim {
using namespace mshadow;
using namespace mshadow::expr;

/// AdaBelief: s = beta2 s + (1 - beta2) (g - m)^2 + eps_root, w = w - lr m^ / (sqrt(s^) + eps):
/// Adam whose root is of the gradient's distance from its mean m. Zhuang et al. 2020, Algorithm 2,
/// whose two constants are one; the order of the authors' package adabelief-pytorch and of
/// optax.adabelief.
/// \param weight parameters, updated in place
/// \param exp_avg running mean of the gradient
/// \param exp_avg_var running mean of the squared distance of the gradient from exp_avg
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param beta1 decay rate of the mean
/// \param beta2 decay rate of the variance
/// \param eps added to the corrected root
/// \param eps_root added to the variance in every step, and kept there
/// \param decay weight decay
/// \param decoupled_decay whether w is multiplied by 1 - lr decay; else g includes decay w
/// \param step number of this update, from 1
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void AdaBelief(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                              MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> exp_avg,
                              MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> exp_avg_var,
                              MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                              MSHADOW_HYPER double lr = 0.001, MSHADOW_HYPER double beta1 = 0.9,
                              MSHADOW_HYPER double beta2 = 0.999, MSHADOW_HYPER double eps = 1e-16,
                              MSHADOW_HYPER double eps_root = 1e-16,
                              MSHADOW_HYPER double decay = 0.0,
                              MSHADOW_HYPER bool decoupled_decay = true,
                              MSHADOW_STEP int step = 1) {
  MSHADOW_CHECK_STEP(step);
  const double step_size = lr / bias_correction(beta1, step);
  const double inv_bias2 = 1.0 / math::sqrt(bias_correction(beta2, step));
  const double l2 = l2_penalty(decoupled_decay, decay);
  const double keep = kept_share(decoupled_decay, lr * decay);
  auto w = tcast<Promoted<DType>>(weight);
  auto g = tcast<Promoted<DType>>(grad) + l2 * w;
  exp_avg = beta1 * exp_avg + (1.0 - beta1) * g;
  exp_avg_var = beta2 * exp_avg_var + (1.0 - beta2) * F<op::square>(g - exp_avg) + eps_root;
  weight = tcast<DType>(keep * w -
                        step_size * exp_avg / (F<op::square_root>(exp_avg_var) * inv_bias2 + eps));
}
MSHADOW_INSTANTIATE(AdaBelief, float, double, half::half_t, bfloat::bf16_t);

/// Yogi: v = v - (1 - beta2) sign(v - g^2) g^2, w = w - lr m^ / (sqrt(v^) + eps): the variance
/// changes by g^2, whatever it is itself. Zaheer et al. 2018, Algorithm 2; bias corrections and the
/// states' first value as in optax.yogi.
/// \param weight parameters, updated in place
/// \param exp_avg running mean of the gradient
/// \param exp_avg_sq running variance of the gradient
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param beta1 decay rate of the mean
/// \param beta2 rate of the variance is 1 - beta2
/// \param eps added to the corrected root
/// \param decay L2 penalty, added to the gradient
/// \param step number of this update, from 1
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Yogi(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                         MSHADOW_STATE(1e-6) Tensor<xpu, dim, Promoted<DType>> exp_avg,
                         MSHADOW_STATE(1e-6) Tensor<xpu, dim, Promoted<DType>> exp_avg_sq,
                         MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                         MSHADOW_HYPER double lr = 0.01, MSHADOW_HYPER double beta1 = 0.9,
                         MSHADOW_HYPER double beta2 = 0.999, MSHADOW_HYPER double eps = 1e-3,
                         MSHADOW_HYPER double decay = 0.0, MSHADOW_STEP int step = 1) {
  MSHADOW_CHECK_STEP(step);
  const double step_size = lr / bias_correction(beta1, step);
  const double inv_bias2 = 1.0 / math::sqrt(bias_correction(beta2, step));
  auto w = tcast<Promoted<DType>>(weight);
  auto g = tcast<Promoted<DType>>(grad) + decay * w;
  auto square = F<op::square>(g);
  exp_avg = beta1 * exp_avg + (1.0 - beta1) * g;
  exp_avg_sq = exp_avg_sq - (1.0 - beta2) * F<op::sign>(exp_avg_sq - square) * square;
  weight =
      tcast<DType>(w - step_size * exp_avg / (F<op::square_root>(exp_avg_sq) * inv_bias2 + eps));
}
MSHADOW_INSTANTIATE(Yogi, float, double, half::half_t, bfloat::bf16_t);

}  // namespace optim

#endif  // SPECS_OPTIM_ADABELIEF_H_
