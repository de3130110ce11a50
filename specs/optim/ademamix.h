// SPDX-License-Identifier: Apache-2.0
/// \file ademamix.h
/// AdEMAMix: Adam with a second mean of the gradient, which remembers for longer.
#ifndef SPECS_OPTIM_ADEMAMIX_H_
#define SPECS_OPTIM_ADEMAMIX_H_

#include "ops.h"

namespace optim {
using namespace mshadow;
using namespace mshadow::expr;

/// AdEMAMix's slow decay rate while it warms up: from beta1 to beta3, so that the time after which
/// half is forgotten grows linearly over `warmup` steps.
MSHADOW_XINLINE double ademamix_beta3(double beta1, double beta3, int step, int warmup) {
  if (step >= warmup) return beta3;
  const double fast = mshadow::math::log(beta1), slow = mshadow::math::log(beta3);
  const double part = static_cast<double>(step) / warmup;
  return mshadow::math::exp(fast * slow / ((1.0 - part) * slow + part * fast));
}

/// AdEMAMix: m = beta1 m + (1 - beta1) g, s = b s + (1 - b) g, v = beta2 v + (1 - beta2) g^2,
/// w = (1 - lr decay) w - lr (m^ + a s) / (sqrt(v^) + eps), where a grows from 0 to alpha and b
/// from beta1 to beta3 over the first `warmup` steps. Pagliardini et al. 2024, Algorithm 1.
/// \param weight parameters, updated in place
/// \param exp_avg running mean of the gradient
/// \param exp_avg_slow running mean that remembers for longer, without a bias correction
/// \param exp_avg_sq running mean of the squared gradient
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param beta1 decay rate of the mean
/// \param beta2 decay rate of the variance
/// \param beta3 decay rate of the slow mean
/// \param alpha weight of the slow mean
/// \param eps added to the corrected root, against division by zero
/// \param decay decoupled weight decay, multiplied by the learning rate
/// \param warmup steps over which alpha and beta3 are reached; 0: at once
/// \param step number of this update, from 1
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void AdEMAMix(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                             MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> exp_avg,
                             MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> exp_avg_slow,
                             MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> exp_avg_sq,
                             MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                             MSHADOW_HYPER double lr = 0.001, MSHADOW_HYPER double beta1 = 0.9,
                             MSHADOW_HYPER double beta2 = 0.999,
                             MSHADOW_HYPER double beta3 = 0.9999, MSHADOW_HYPER double alpha = 5.0,
                             MSHADOW_HYPER double eps = 1e-8, MSHADOW_HYPER double decay = 0.0,
                             MSHADOW_HYPER int warmup = 0, MSHADOW_STEP int step = 1) {
  MSHADOW_CHECK_STEP(step);
  const double part = step >= warmup ? 1.0 : static_cast<double>(step) / warmup;
  const double slow = ademamix_beta3(beta1, beta3, step, warmup);
  const double of_mean = lr / bias_correction(beta1, step);
  const double of_slow = lr * alpha * part;
  const double inv_bias2 = 1.0 / math::sqrt(bias_correction(beta2, step));
  auto g = tcast<Promoted<DType>>(grad);
  exp_avg = beta1 * exp_avg + (1.0 - beta1) * g;
  exp_avg_slow = slow * exp_avg_slow + (1.0 - slow) * g;
  exp_avg_sq = beta2 * exp_avg_sq + (1.0 - beta2) * F<op::square>(g);
  weight = tcast<DType>((1.0 - lr * decay) * tcast<Promoted<DType>>(weight) -
                        (of_mean * exp_avg + of_slow * exp_avg_slow) /
                            (F<op::square_root>(exp_avg_sq) * inv_bias2 + eps));
}
MSHADOW_INSTANTIATE(AdEMAMix, float, double, half::half_t, bfloat::bf16_t);

}  // namespace optim

#endif  // SPECS_OPTIM_ADEMAMIX_H_
