// SPDX-License-Identifier: Apache-2.0
/// \file nadam.h
/// Adam with Nesterov's momentum, and Adam that steps by its variance only when that is known well
/// enough; as PyTorch computes them.
#ifndef SPECS_OPTIM_NADAM_H_
#define SPECS_OPTIM_NADAM_H_

#include "ops.h"

namespace optim {
using namespace mshadow;
using namespace mshadow::expr;

/// NAdam's momentum in a step: beta1 (1 - 0.96^(psi t) / 2).
MSHADOW_XINLINE double nadam_momentum(double beta1, double psi, int step) {
  return beta1 * (1.0 - 0.5 * mshadow::math::pow(0.96, psi * step));
}

/// NAdam: mu = beta1 (1 - 0.96^(psi t) / 2), n = mu of the next step, p = product of all mu so far,
/// w = w - lr ((1 - mu) / (1 - p) g + n / (1 - n p) m) / (sqrt(v^) + eps), with Adam's m and v^.
/// Dozat 2016, Algorithm 2; the order of torch.optim.NAdam.
/// \param weight parameters, updated in place
/// \param exp_avg running mean of the gradient
/// \param exp_avg_sq running mean of the squared gradient
/// \param mu_product product of the momenta so far, one element
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param beta1 decay rate of the mean
/// \param beta2 decay rate of the variance
/// \param eps added to the corrected root, against division by zero
/// \param decay weight decay
/// \param momentum_decay psi, how fast the momentum grows to beta1
/// \param decoupled_decay whether w is multiplied by 1 - lr decay; else g includes decay w
/// \param step number of this update, from 1
/// \param maximize whether g is the negative gradient
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void NAdam(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                          MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> exp_avg,
                          MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> exp_avg_sq,
                          MSHADOW_STATE(1) Tensor<xpu, 1, Promoted<DType>> mu_product,
                          MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                          MSHADOW_HYPER double lr = 0.002, MSHADOW_HYPER double beta1 = 0.9,
                          MSHADOW_HYPER double beta2 = 0.999, MSHADOW_HYPER double eps = 1e-8,
                          MSHADOW_HYPER double decay = 0.0,
                          MSHADOW_HYPER double momentum_decay = 0.004,
                          MSHADOW_HYPER bool decoupled_decay = false, MSHADOW_STEP int step = 1,
                          MSHADOW_HYPER bool maximize = false) {
  MSHADOW_CHECK_STEP(step);
  const double sign = maximize ? -1.0 : 1.0;
  const double mu = nadam_momentum(beta1, momentum_decay, step);
  const double next = nadam_momentum(beta1, momentum_decay, step + 1);
  const double inv_bias2 = 1.0 / math::sqrt(bias_correction(beta2, step));
  const double l2 = l2_penalty(decoupled_decay, decay);
  const double keep = kept_share(decoupled_decay, lr * decay);
  mu_product = mu * mu_product;
  MSHADOW_STAGE();
  auto w = tcast<Promoted<DType>>(weight);
  auto g = sign * tcast<Promoted<DType>>(grad) + l2 * w;
  exp_avg = beta1 * exp_avg + (1.0 - beta1) * g;
  exp_avg_sq = beta2 * exp_avg_sq + (1.0 - beta2) * F<op::square>(g);
  // Both fractions over one denominator: one division for each element.
  auto bias = 1.0 - broadcast_scalar(mu_product, weight.shape_);
  auto bias_next = 1.0 - next * broadcast_scalar(mu_product, weight.shape_);
  auto ahead = lr * (1.0 - mu) * bias_next * g + lr * next * bias * exp_avg;
  auto root = F<op::square_root>(exp_avg_sq) * inv_bias2 + eps;
  weight = tcast<DType>(keep * w - ahead / (root * bias * bias_next));
}
MSHADOW_INSTANTIATE(NAdam, float, double, half::half_t, bfloat::bf16_t);

/// RAdam: with rho = 2 / (1 - beta2) - 1 and rho_t = rho - 2 t beta2^t / (1 - beta2^t), a step with
/// rho_t > 5 is w = w - lr r m^ / (sqrt(v^) + eps / sqrt(1 - beta2^t)), where r^2 = (rho_t - 4)
/// (rho_t - 2) rho / ((rho - 4) (rho - 2) rho_t). Else the variance is not known well enough, and
/// w = w - lr m^. Liu et al. 2020, Algorithm 2; the order of torch.optim.RAdam.
/// \param weight parameters, updated in place
/// \param exp_avg running mean of the gradient
/// \param exp_avg_sq running mean of the squared gradient
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param beta1 decay rate of the mean
/// \param beta2 decay rate of the variance
/// \param eps added to the uncorrected root, against division by zero
/// \param decay weight decay
/// \param decoupled_decay whether w is multiplied by 1 - lr decay; else g includes decay w
/// \param step number of this update, from 1
/// \param maximize whether g is the negative gradient
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void RAdam(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                          MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> exp_avg,
                          MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> exp_avg_sq,
                          MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                          MSHADOW_HYPER double lr = 0.001, MSHADOW_HYPER double beta1 = 0.9,
                          MSHADOW_HYPER double beta2 = 0.999, MSHADOW_HYPER double eps = 1e-8,
                          MSHADOW_HYPER double decay = 0.0,
                          MSHADOW_HYPER bool decoupled_decay = false, MSHADOW_STEP int step = 1,
                          MSHADOW_HYPER bool maximize = false) {
  MSHADOW_CHECK_STEP(step);
  const double sign = maximize ? -1.0 : 1.0;
  const double bias2 = bias_correction(beta2, step);
  const double rho = 2.0 / (1.0 - beta2) - 1.0;
  const double rho_now = rho - 2.0 * step * (1.0 - bias2) / bias2;
  const double squared =
      (rho_now - 4.0) * (rho_now - 2.0) * rho / ((rho - 4.0) * (rho - 2.0) * rho_now);
  const double step_size = lr / bias_correction(beta1, step);
  const double l2 = l2_penalty(decoupled_decay, decay);
  const double keep = kept_share(decoupled_decay, lr * decay);
  auto w = tcast<Promoted<DType>>(weight);
  auto g = sign * tcast<Promoted<DType>>(grad) + l2 * w;
  exp_avg = beta1 * exp_avg + (1.0 - beta1) * g;
  exp_avg_sq = beta2 * exp_avg_sq + (1.0 - beta2) * F<op::square>(g);
  if (rho_now > 5.0) {
    const double rectified = step_size * math::sqrt(squared * bias2);
    weight = tcast<DType>(keep * w - rectified * exp_avg / (F<op::square_root>(exp_avg_sq) + eps));
  } else {
    weight = tcast<DType>(keep * w - step_size * exp_avg);
  }
}
MSHADOW_INSTANTIATE(RAdam, float, double, half::half_t, bfloat::bf16_t);

}  // namespace optim

#endif  // SPECS_OPTIM_NADAM_H_
