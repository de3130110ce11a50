// SPDX-License-Identifier: Apache-2.0
/// \file averaging.h
/// Methods whose result is an average of the weights: averaged SGD, and the schedule-free methods.
#ifndef SPECS_OPTIM_AVERAGING_H_
#define SPECS_OPTIM_AVERAGING_H_

#include "ops.h"

namespace optim {
using namespace mshadow;
using namespace mshadow::expr;

/// Averaged SGD: eta = lr / (1 + lambd lr (t - 1))^alpha, w = (1 - lambd eta) w - eta g,
/// ax = ax + mu (w - ax) with mu = 1 / max(1, t - 1 - t0), where g includes the L2 decay. The
/// result of training is ax. Polyak & Juditsky 1992, with the schedule of Bottou 2010, section 2.1;
/// the order of torch.optim.ASGD, which keeps eta and mu as states.
/// \param weight parameters, updated in place
/// \param ax average of the weights, from step t0 on
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate of the first step
/// \param lambd decay of the weights, and of the learning rate
/// \param alpha power of the learning rate's decay
/// \param t0 step at which averaging starts
/// \param decay L2 penalty, added to the gradient
/// \param step number of this update, from 1
/// \param maximize whether g is the negative gradient
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void ASGD(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                         MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> ax,
                         MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                         MSHADOW_HYPER double lr = 0.01, MSHADOW_HYPER double lambd = 0.0001,
                         MSHADOW_HYPER double alpha = 0.75, MSHADOW_HYPER double t0 = 1e6,
                         MSHADOW_HYPER double decay = 0.0, MSHADOW_STEP int step = 1,
                         MSHADOW_HYPER bool maximize = false) {
  MSHADOW_CHECK_STEP(step);
  const double sign = maximize ? -1.0 : 1.0;
  const double before = static_cast<double>(step - 1);
  const double eta = lr / math::pow(1.0 + lambd * lr * before, alpha);
  const double mu = before - t0 > 1.0 ? 1.0 / (before - t0) : 1.0;
  auto w = tcast<Promoted<DType>>(weight);
  auto g = sign * tcast<Promoted<DType>>(grad) + decay * w;
  weight = tcast<DType>((1.0 - lambd * eta) * w - eta * g);
  ax = (1.0 - mu) * ax + mu * tcast<Promoted<DType>>(weight);
}
MSHADOW_INSTANTIATE(ASGD, float, double, half::half_t, bfloat::bf16_t);

/// \name What the schedule-free methods compute from the number of the step
/// The factor of the learning rate, which grows linearly over `warmup` steps; and the share of z in
/// the average, whose weights are the squares of the learning rates so far.
/// \{
MSHADOW_XINLINE double warmed_up(int step, int warmup) {
  return step < warmup ? static_cast<double>(step) / warmup : 1.0;
}
MSHADOW_XINLINE double schedule_free_share(int step, int warmup) {
  const double t = step, w = warmup;
  if (step <= warmup) return 6.0 * t / ((t + 1.0) * (2.0 * t + 1.0));
  return 1.0 / (warmup > 0 ? (w + 1.0) * (2.0 * w + 1.0) / (6.0 * w) + t - w : t);
}
/// \}

/// Schedule-free SGD: r = lr min(1, t / warmup), c = r^2 over the sum of all r^2 so far,
/// z = z - r g, w = w + c (z - w) - r (1 - momentum) (1 - c) g, where g includes the L2 decay. The
/// result of training is what ScheduleFreeWeights computes. Defazio et al. 2024, (3) to (5), solved
/// for y as in Algorithm 1; the order of the authors' package schedulefree.
/// \param weight y of the paper, where the gradient is taken; updated in place
/// \param z weights of plain SGD; the first step adds `weight` to the 0 that is there
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param momentum share of the average in y
/// \param decay L2 penalty, added to the gradient
/// \param warmup steps over which the learning rate grows
/// \param step number of this update, from 1
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void ScheduleFreeSGD(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                                    MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> z,
                                    MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                                    MSHADOW_HYPER double lr = 0.1,
                                    MSHADOW_HYPER double momentum = 0.9,
                                    MSHADOW_HYPER double decay = 0.0, MSHADOW_HYPER int warmup = 0,
                                    MSHADOW_STEP int step = 1) {
  MSHADOW_CHECK_STEP(step);
  const double rate = lr * warmed_up(step, warmup), share = schedule_free_share(step, warmup);
  const double direct = rate * (1.0 - momentum) * (1.0 - share);
  const double first = step == 1 ? 1.0 : 0.0;
  auto w = tcast<Promoted<DType>>(weight);
  auto g = tcast<Promoted<DType>>(grad) + decay * w;
  z = z + first * w - rate * g;
  weight = tcast<DType>(w + share * (z - w) - direct * g);
}
MSHADOW_INSTANTIATE(ScheduleFreeSGD, float, double, half::half_t, bfloat::bf16_t);

/// Schedule-free AdamW: as ScheduleFreeSGD, with d = g / (sqrt(v^) + eps) + decay w in the place of
/// the gradient, where v = beta2 v + (1 - beta2) g^2. Defazio et al. 2024, Algorithm 1; the order
/// of the authors' package schedulefree.
/// \param weight y of the paper, where the gradient is taken; updated in place
/// \param z weights without averaging; the first step adds `weight` to the 0 that is there
/// \param exp_avg_sq running mean of the squared gradient
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param beta1 share of the average in y
/// \param beta2 decay rate of the variance
/// \param eps added to the corrected root, against division by zero
/// \param decay weight decay, multiplied by the learning rate, taken at y
/// \param warmup steps over which the learning rate grows
/// \param step number of this update, from 1
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void ScheduleFreeAdamW(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                                      MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> z,
                                      MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> exp_avg_sq,
                                      MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                                      MSHADOW_HYPER double lr = 0.0025,
                                      MSHADOW_HYPER double beta1 = 0.9,
                                      MSHADOW_HYPER double beta2 = 0.999,
                                      MSHADOW_HYPER double eps = 1e-8,
                                      MSHADOW_HYPER double decay = 0.0,
                                      MSHADOW_HYPER int warmup = 0, MSHADOW_STEP int step = 1) {
  MSHADOW_CHECK_STEP(step);
  const double rate = lr * warmed_up(step, warmup), share = schedule_free_share(step, warmup);
  const double direct = rate * (1.0 - beta1) * (1.0 - share);
  const double inv_bias2 = 1.0 / math::sqrt(bias_correction(beta2, step));
  const double first = step == 1 ? 1.0 : 0.0;
  auto w = tcast<Promoted<DType>>(weight);
  auto g = tcast<Promoted<DType>>(grad);
  exp_avg_sq = beta2 * exp_avg_sq + (1.0 - beta2) * F<op::square>(g);
  auto d = g / (F<op::square_root>(exp_avg_sq) * inv_bias2 + eps) + decay * w;
  z = z + first * w - rate * d;
  weight = tcast<DType>(w + share * (z - w) - direct * d);
}
MSHADOW_INSTANTIATE(ScheduleFreeAdamW, float, double, half::half_t, bfloat::bf16_t);

/// The weights of a schedule-free method for use without training: x = w + (1 - 1 / momentum)
/// (z - w). Defazio et al. 2024, (3), solved for x.
/// \param out x of the paper
/// \param weight y of the paper
/// \param z state z of ScheduleFreeSGD or ScheduleFreeAdamW
/// \param momentum their `momentum` or `beta1`
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void ScheduleFreeWeights(Tensor<xpu, dim, DType> out,
                                        const Tensor<xpu, dim, DType> &weight,
                                        const Tensor<xpu, dim, Promoted<DType>> &z,
                                        MSHADOW_HYPER double momentum = 0.9) {
  const double beyond = 1.0 - 1.0 / momentum;
  auto w = tcast<Promoted<DType>>(weight);
  out = tcast<DType>(w + beyond * (z - w));
}
MSHADOW_INSTANTIATE(ScheduleFreeWeights, float, double, half::half_t, bfloat::bf16_t);

}  // namespace optim

#endif  // SPECS_OPTIM_AVERAGING_H_
