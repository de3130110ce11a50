// SPDX-License-Identifier: Apache-2.0
/// \file mixed_adam.h
/// Relatives of Adam, Adagrad and RMSProp with a copy of the weights, as in mixed.h. All but NAdam
/// call the rule of one type, with a gradient that is converted before. One pass writes the copy as
/// well.
///
/// The types of an instance are those of the weights, the copy and the gradient. The states have
/// the type of the weights.
#ifndef SPECS_OPTIM_MIXED_ADAM_H_
#define SPECS_OPTIM_MIXED_ADAM_H_

#include "adadelta.h"
#include "adagrad.h"
#include "adam.h"
#include "adamax.h"
#include "adan.h"
#include "ademamix.h"
#include "averaging.h"
#include "nadam.h"
#include "rmsprop.h"
#include "sophia.h"

namespace optim {
using namespace mshadow;
using namespace mshadow::expr;

/// AMSGrad with a copy of the weights: u = max(u, v), w = w - lr m^ / (sqrt(u^) + eps), copy = w,
/// with Adam's m and v. Reddi et al. 2018, Algorithm 2; the order of
/// torch.optim.Adam(amsgrad=True), and with `decoupled_decay` of torch.optim.AdamW(amsgrad=True).
/// \param weight parameters, updated in place
/// \param exp_avg running mean of the gradient
/// \param exp_avg_sq running mean of the squared gradient
/// \param max_exp_avg_sq largest variance so far
/// \param copy the new weights in another type
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param beta1 decay rate of the mean
/// \param beta2 decay rate of the variance
/// \param eps added to the corrected root, against division by zero
/// \param decay weight decay
/// \param decoupled_decay whether w is multiplied by 1 - lr decay; else g includes decay w
/// \param step number of this update, from 1
template <typename xpu, int dim, typename WType, typename CType, typename GType>
MSHADOW_KERNEL void MixedAMSGrad(MSHADOW_PARAMETER Tensor<xpu, dim, WType> weight,
                                 MSHADOW_STATE(0) Tensor<xpu, dim, WType> exp_avg,
                                 MSHADOW_STATE(0) Tensor<xpu, dim, WType> exp_avg_sq,
                                 MSHADOW_STATE(0) Tensor<xpu, dim, WType> max_exp_avg_sq,
                                 Tensor<xpu, dim, CType> copy,
                                 MSHADOW_GRADIENT const Tensor<xpu, dim, GType> &grad,
                                 MSHADOW_HYPER double lr = 0.001, MSHADOW_HYPER double beta1 = 0.9,
                                 MSHADOW_HYPER double beta2 = 0.999,
                                 MSHADOW_HYPER double eps = 1e-8, MSHADOW_HYPER double decay = 0.0,
                                 MSHADOW_HYPER bool decoupled_decay = false,
                                 MSHADOW_STEP int step = 1) {
  Temporary<xpu, dim, WType> g(grad.shape_, grad.stream_);
  g = tcast<WType>(grad);
  AMSGrad(weight, exp_avg, exp_avg_sq, max_exp_avg_sq, g, lr, beta1, beta2, eps, decay, step, false,
          decoupled_decay);
  copy = tcast<CType>(weight);
}
MSHADOW_INSTANTIATE(MixedAMSGrad, Types<float, bfloat::bf16_t, bfloat::bf16_t>,
                    Types<float, half::half_t, half::half_t>);

/// AdaMax with a copy of the weights: m = beta1 m + (1 - beta1) g, u = max(beta2 u, |g| + eps),
/// w = w - lr / (1 - beta1^t) m / u, copy = w, where g includes the L2 decay. Kingma & Ba 2015,
/// Algorithm 2; the order of torch.optim.Adamax.
/// \param weight parameters, updated in place
/// \param exp_avg running mean of the gradient
/// \param exp_inf exponentially weighted infinity norm
/// \param copy the new weights in another type
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param beta1 decay rate of the mean
/// \param beta2 decay rate of the norm
/// \param eps added to the gradient's magnitude, against division by zero
/// \param decay L2 penalty, added to the gradient
/// \param step number of this update, from 1
template <typename xpu, int dim, typename WType, typename CType, typename GType>
MSHADOW_KERNEL void MixedAdaMax(MSHADOW_PARAMETER Tensor<xpu, dim, WType> weight,
                                MSHADOW_STATE(0) Tensor<xpu, dim, WType> exp_avg,
                                MSHADOW_STATE(0) Tensor<xpu, dim, WType> exp_inf,
                                Tensor<xpu, dim, CType> copy,
                                MSHADOW_GRADIENT const Tensor<xpu, dim, GType> &grad,
                                MSHADOW_HYPER double lr = 0.002, MSHADOW_HYPER double beta1 = 0.9,
                                MSHADOW_HYPER double beta2 = 0.999, MSHADOW_HYPER double eps = 1e-8,
                                MSHADOW_HYPER double decay = 0.0, MSHADOW_STEP int step = 1) {
  Temporary<xpu, dim, WType> g(grad.shape_, grad.stream_);
  g = tcast<WType>(grad);
  AdaMax(weight, exp_avg, exp_inf, g, lr, beta1, beta2, eps, decay, step);
  copy = tcast<CType>(weight);
}
MSHADOW_INSTANTIATE(MixedAdaMax, Types<float, bfloat::bf16_t, bfloat::bf16_t>,
                    Types<float, half::half_t, half::half_t>);

/// NAdam with a copy of the weights: mu = beta1 (1 - 0.96^(psi t) / 2), n = mu of the next step,
/// p = product of all mu so far, w = w - lr ((1 - mu) / (1 - p) g + n / (1 - n p) m) / (sqrt(v^) +
/// eps), copy = w, with Adam's m and v^. Dozat 2016, Algorithm 2; the order of torch.optim.NAdam.
/// \param weight parameters, updated in place
/// \param exp_avg running mean of the gradient
/// \param exp_avg_sq running mean of the squared gradient
/// \param mu_product product of the momenta so far, one element
/// \param copy the new weights in another type
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param beta1 decay rate of the mean
/// \param beta2 decay rate of the variance
/// \param eps added to the corrected root, against division by zero
/// \param decay weight decay
/// \param momentum_decay psi, how fast the momentum grows to beta1
/// \param decoupled_decay whether w is multiplied by 1 - lr decay; else g includes decay w
/// \param step number of this update, from 1
template <typename xpu, int dim, typename WType, typename CType, typename GType>
MSHADOW_KERNEL void MixedNAdam(MSHADOW_PARAMETER Tensor<xpu, dim, WType> weight,
                               MSHADOW_STATE(0) Tensor<xpu, dim, WType> exp_avg,
                               MSHADOW_STATE(0) Tensor<xpu, dim, WType> exp_avg_sq,
                               MSHADOW_STATE(1) Tensor<xpu, 1, WType> mu_product,
                               Tensor<xpu, dim, CType> copy,
                               MSHADOW_GRADIENT const Tensor<xpu, dim, GType> &grad,
                               MSHADOW_HYPER double lr = 0.002, MSHADOW_HYPER double beta1 = 0.9,
                               MSHADOW_HYPER double beta2 = 0.999, MSHADOW_HYPER double eps = 1e-8,
                               MSHADOW_HYPER double decay = 0.0,
                               MSHADOW_HYPER double momentum_decay = 0.004,
                               MSHADOW_HYPER bool decoupled_decay = false,
                               MSHADOW_STEP int step = 1) {
  MSHADOW_CHECK_STEP(step);
  const double mu = nadam_momentum(beta1, momentum_decay, step);
  const double next = nadam_momentum(beta1, momentum_decay, step + 1);
  const double inv_bias2 = 1.0 / math::sqrt(bias_correction(beta2, step));
  const double l2 = l2_penalty(decoupled_decay, decay);
  const double keep = kept_share(decoupled_decay, lr * decay);
  mu_product = mu * mu_product;
  MSHADOW_STAGE();  // A call of NAdam would store a converted gradient across this.
  auto g = tcast<WType>(grad) + l2 * weight;
  exp_avg = beta1 * exp_avg + (1.0 - beta1) * g;
  exp_avg_sq = beta2 * exp_avg_sq + (1.0 - beta2) * F<op::square>(g);
  auto bias = 1.0 - broadcast_scalar(mu_product, weight.shape_);
  auto bias_next = 1.0 - next * broadcast_scalar(mu_product, weight.shape_);
  auto ahead = lr * (1.0 - mu) * bias_next * g + lr * next * bias * exp_avg;
  auto root = F<op::square_root>(exp_avg_sq) * inv_bias2 + eps;
  weight = keep * weight - ahead / (root * bias * bias_next);
  copy = tcast<CType>(weight);
}
MSHADOW_INSTANTIATE(MixedNAdam, Types<float, bfloat::bf16_t, bfloat::bf16_t>,
                    Types<float, half::half_t, half::half_t>);

/// RAdam with a copy of the weights: w = w - lr r m^ / (sqrt(v^) + eps / sqrt(1 - beta2^t)) with
/// r of optim::RAdam, or w = w - lr m^ in the first steps; copy = w. Liu et al. 2020, Algorithm 2;
/// the order of torch.optim.RAdam.
/// \param weight parameters, updated in place
/// \param exp_avg running mean of the gradient
/// \param exp_avg_sq running mean of the squared gradient
/// \param copy the new weights in another type
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param beta1 decay rate of the mean
/// \param beta2 decay rate of the variance
/// \param eps added to the uncorrected root, against division by zero
/// \param decay weight decay
/// \param decoupled_decay whether w is multiplied by 1 - lr decay; else g includes decay w
/// \param step number of this update, from 1
template <typename xpu, int dim, typename WType, typename CType, typename GType>
MSHADOW_KERNEL void MixedRAdam(MSHADOW_PARAMETER Tensor<xpu, dim, WType> weight,
                               MSHADOW_STATE(0) Tensor<xpu, dim, WType> exp_avg,
                               MSHADOW_STATE(0) Tensor<xpu, dim, WType> exp_avg_sq,
                               Tensor<xpu, dim, CType> copy,
                               MSHADOW_GRADIENT const Tensor<xpu, dim, GType> &grad,
                               MSHADOW_HYPER double lr = 0.001, MSHADOW_HYPER double beta1 = 0.9,
                               MSHADOW_HYPER double beta2 = 0.999, MSHADOW_HYPER double eps = 1e-8,
                               MSHADOW_HYPER double decay = 0.0,
                               MSHADOW_HYPER bool decoupled_decay = false,
                               MSHADOW_STEP int step = 1) {
  Temporary<xpu, dim, WType> g(grad.shape_, grad.stream_);
  g = tcast<WType>(grad);
  RAdam(weight, exp_avg, exp_avg_sq, g, lr, beta1, beta2, eps, decay, decoupled_decay, step);
  copy = tcast<CType>(weight);
}
MSHADOW_INSTANTIATE(MixedRAdam, Types<float, bfloat::bf16_t, bfloat::bf16_t>,
                    Types<float, half::half_t, half::half_t>);

/// Adan with a copy of the weights, d being the change of the gradient: m = beta1 m + (1 - beta1)
/// g, c = beta2 c + (1 - beta2) d, n = beta3 n + (1 - beta3) (g + beta2 d)^2, w = (w - lr (m^ +
/// beta2 c^) / (sqrt(n^) + eps)) / (1 + lr decay), copy = w. Xie et al. 2022, Algorithm 1 with
/// 1 - beta for each beta; the order of the authors' code. The last gradient is kept in the type in
/// which it came, without an error.
/// \param weight parameters, updated in place
/// \param exp_avg running mean of the gradient
/// \param exp_avg_diff running mean of its changes
/// \param exp_avg_sq running mean of (g + beta2 d)^2
/// \param last_grad gradient of the last step
/// \param copy the new weights in another type
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param beta1 decay rate of the mean
/// \param beta2 decay rate of the mean of changes, and their share in the update
/// \param beta3 decay rate of the mean square
/// \param eps added to the corrected root, against division by zero
/// \param decay decoupled weight decay, multiplied by the learning rate
/// \param step number of this update, from 1
template <typename xpu, int dim, typename WType, typename CType, typename GType>
MSHADOW_KERNEL void MixedAdan(MSHADOW_PARAMETER Tensor<xpu, dim, WType> weight,
                              MSHADOW_STATE(0) Tensor<xpu, dim, WType> exp_avg,
                              MSHADOW_STATE(0) Tensor<xpu, dim, WType> exp_avg_diff,
                              MSHADOW_STATE(0) Tensor<xpu, dim, WType> exp_avg_sq,
                              MSHADOW_STATE(0) Tensor<xpu, dim, GType> last_grad,
                              Tensor<xpu, dim, CType> copy,
                              MSHADOW_GRADIENT const Tensor<xpu, dim, GType> &grad,
                              MSHADOW_HYPER double lr = 0.001, MSHADOW_HYPER double beta1 = 0.98,
                              MSHADOW_HYPER double beta2 = 0.92, MSHADOW_HYPER double beta3 = 0.99,
                              MSHADOW_HYPER double eps = 1e-8, MSHADOW_HYPER double decay = 0.0,
                              MSHADOW_STEP int step = 1) {
  Temporary<xpu, dim, WType> g(grad.shape_, grad.stream_);
  Temporary<xpu, dim, WType> last(grad.shape_, grad.stream_);
  g = tcast<WType>(grad);
  last = tcast<WType>(last_grad);
  Adan(weight, exp_avg, exp_avg_diff, exp_avg_sq, last, g, lr, beta1, beta2, beta3, eps, decay,
       step);
  last_grad = tcast<GType>(last);
  copy = tcast<CType>(weight);
}
MSHADOW_INSTANTIATE(MixedAdan, Types<float, bfloat::bf16_t, bfloat::bf16_t>,
                    Types<float, half::half_t, half::half_t>);

/// AdEMAMix with a copy of the weights: m = beta1 m + (1 - beta1) g, s = b s + (1 - b) g, v = beta2
/// v + (1 - beta2) g^2, w = (1 - lr decay) w - lr (m^ + a s) / (sqrt(v^) + eps), copy = w, where a
/// grows from 0 to alpha and b from beta1 to beta3 over the first `warmup` steps. Pagliardini et
/// al. 2024, Algorithm 1.
/// \param weight parameters, updated in place
/// \param exp_avg running mean of the gradient
/// \param exp_avg_slow running mean that remembers for longer, without a bias correction
/// \param exp_avg_sq running mean of the squared gradient
/// \param copy the new weights in another type
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
template <typename xpu, int dim, typename WType, typename CType, typename GType>
MSHADOW_KERNEL void MixedAdEMAMix(MSHADOW_PARAMETER Tensor<xpu, dim, WType> weight,
                                  MSHADOW_STATE(0) Tensor<xpu, dim, WType> exp_avg,
                                  MSHADOW_STATE(0) Tensor<xpu, dim, WType> exp_avg_slow,
                                  MSHADOW_STATE(0) Tensor<xpu, dim, WType> exp_avg_sq,
                                  Tensor<xpu, dim, CType> copy,
                                  MSHADOW_GRADIENT const Tensor<xpu, dim, GType> &grad,
                                  MSHADOW_HYPER double lr = 0.001, MSHADOW_HYPER double beta1 = 0.9,
                                  MSHADOW_HYPER double beta2 = 0.999,
                                  MSHADOW_HYPER double beta3 = 0.9999,
                                  MSHADOW_HYPER double alpha = 5.0, MSHADOW_HYPER double eps = 1e-8,
                                  MSHADOW_HYPER double decay = 0.0, MSHADOW_HYPER int warmup = 0,
                                  MSHADOW_STEP int step = 1) {
  Temporary<xpu, dim, WType> g(grad.shape_, grad.stream_);
  g = tcast<WType>(grad);
  AdEMAMix(weight, exp_avg, exp_avg_slow, exp_avg_sq, g, lr, beta1, beta2, beta3, alpha, eps, decay,
           warmup, step);
  copy = tcast<CType>(weight);
}
MSHADOW_INSTANTIATE(MixedAdEMAMix, Types<float, bfloat::bf16_t, bfloat::bf16_t>,
                    Types<float, half::half_t, half::half_t>);

/// Schedule-free AdamW with a copy of the weights: v = beta2 v + (1 - beta2) g^2, d = g /
/// (sqrt(v^) + eps) + decay w, r = lr min(1, t / warmup), c = r^2 over the sum of all r^2 so far,
/// z = z - r d, w = w + c (z - w) - r (1 - beta1) (1 - c) d, copy = w. Defazio et al. 2024,
/// Algorithm 1; the order of the authors' package schedulefree.
/// \param weight y of the paper, where the gradient is taken; updated in place
/// \param z weights without averaging; the first step adds `weight` to the 0 that is there
/// \param exp_avg_sq running mean of the squared gradient
/// \param copy the new weights in another type
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param beta1 share of the average in y
/// \param beta2 decay rate of the variance
/// \param eps added to the corrected root, against division by zero
/// \param decay weight decay, multiplied by the learning rate, taken at y
/// \param warmup steps over which the learning rate grows
/// \param step number of this update, from 1
template <typename xpu, int dim, typename WType, typename CType, typename GType>
MSHADOW_KERNEL void MixedScheduleFreeAdamW(
    MSHADOW_PARAMETER Tensor<xpu, dim, WType> weight, MSHADOW_STATE(0) Tensor<xpu, dim, WType> z,
    MSHADOW_STATE(0) Tensor<xpu, dim, WType> exp_avg_sq, Tensor<xpu, dim, CType> copy,
    MSHADOW_GRADIENT const Tensor<xpu, dim, GType> &grad, MSHADOW_HYPER double lr = 0.0025,
    MSHADOW_HYPER double beta1 = 0.9, MSHADOW_HYPER double beta2 = 0.999,
    MSHADOW_HYPER double eps = 1e-8, MSHADOW_HYPER double decay = 0.0, MSHADOW_HYPER int warmup = 0,
    MSHADOW_STEP int step = 1) {
  Temporary<xpu, dim, WType> g(grad.shape_, grad.stream_);
  g = tcast<WType>(grad);
  ScheduleFreeAdamW(weight, z, exp_avg_sq, g, lr, beta1, beta2, eps, decay, warmup, step);
  copy = tcast<CType>(weight);
}
MSHADOW_INSTANTIATE(MixedScheduleFreeAdamW, Types<float, bfloat::bf16_t, bfloat::bf16_t>,
                    Types<float, half::half_t, half::half_t>);

/// Sophia-G with a copy of the weights: m = beta1 m + (1 - beta1) g, w = (1 - lr decay) w -
/// lr clip(m / (rho batch h + eps), 1), copy = w. Liu et al. 2023, Algorithm 3; the order of the
/// authors' code.
/// \param weight parameters, updated in place
/// \param exp_avg running mean of the gradient
/// \param hessian diagonal of the Hessian, from SophiaHessian
/// \param copy the new weights in another type
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate; no weight moves by more
/// \param beta1 decay rate of the mean
/// \param rho factor of the Hessian: the smaller, the more weights move by lr
/// \param batch number of samples of a batch
/// \param eps added to the denominator, against division by zero
/// \param decay decoupled weight decay, multiplied by the learning rate
template <typename xpu, int dim, typename WType, typename CType, typename GType>
MSHADOW_KERNEL void MixedSophiaG(
    MSHADOW_PARAMETER Tensor<xpu, dim, WType> weight,
    MSHADOW_STATE(0) Tensor<xpu, dim, WType> exp_avg, const Tensor<xpu, dim, WType> &hessian,
    Tensor<xpu, dim, CType> copy, MSHADOW_GRADIENT const Tensor<xpu, dim, GType> &grad,
    MSHADOW_HYPER double lr = 0.0001, MSHADOW_HYPER double beta1 = 0.965,
    MSHADOW_HYPER double rho = 0.04, MSHADOW_HYPER double batch = 1.0,
    MSHADOW_HYPER double eps = 1e-15, MSHADOW_HYPER double decay = 0.1) {
  Temporary<xpu, dim, WType> g(grad.shape_, grad.stream_);
  g = tcast<WType>(grad);
  SophiaG(weight, exp_avg, hessian, g, lr, beta1, rho, batch, eps, decay);
  copy = tcast<CType>(weight);
}
MSHADOW_INSTANTIATE(MixedSophiaG, Types<float, bfloat::bf16_t, bfloat::bf16_t>,
                    Types<float, half::half_t, half::half_t>);

/// Adagrad with a copy of the weights: s = s + g^2, w = w - lr / (1 + (t - 1) lr_decay) g /
/// (sqrt(s) + eps), copy = w, where g includes the L2 decay. Duchi, Hazan & Singer 2011; the order
/// of torch.optim.Adagrad.
/// \param weight parameters, updated in place
/// \param sum sum of squared gradients
/// \param copy the new weights in another type
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param lr_decay how fast the learning rate falls with the steps
/// \param eps added to the root, against division by zero
/// \param decay L2 penalty, added to the gradient
/// \param step number of this update, from 1
template <typename xpu, int dim, typename WType, typename CType, typename GType>
MSHADOW_KERNEL void MixedAdagrad(
    MSHADOW_PARAMETER Tensor<xpu, dim, WType> weight, MSHADOW_STATE(0) Tensor<xpu, dim, WType> sum,
    Tensor<xpu, dim, CType> copy, MSHADOW_GRADIENT const Tensor<xpu, dim, GType> &grad,
    MSHADOW_HYPER double lr = 0.01, MSHADOW_HYPER double lr_decay = 0.0,
    MSHADOW_HYPER double eps = 1e-10, MSHADOW_HYPER double decay = 0.0, MSHADOW_STEP int step = 1) {
  Temporary<xpu, dim, WType> g(grad.shape_, grad.stream_);
  g = tcast<WType>(grad);
  Adagrad(weight, sum, g, lr, lr_decay, eps, decay, step);
  copy = tcast<CType>(weight);
}
MSHADOW_INSTANTIATE(MixedAdagrad, Types<float, bfloat::bf16_t, bfloat::bf16_t>,
                    Types<float, half::half_t, half::half_t>);

/// RMSProp with a copy of the weights: v = alpha v + (1 - alpha) g^2, w = w - lr g / (sqrt(v) +
/// eps), copy = w, where g includes the L2 decay. Tieleman & Hinton 2012, lecture 6.5; the order of
/// torch.optim.RMSprop.
/// \param weight parameters, updated in place
/// \param square_avg running mean of the squared gradient
/// \param copy the new weights in another type
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param alpha decay rate of the variance
/// \param eps added to the root, against division by zero
/// \param decay L2 penalty, added to the gradient
template <typename xpu, int dim, typename WType, typename CType, typename GType>
MSHADOW_KERNEL void MixedRMSProp(MSHADOW_PARAMETER Tensor<xpu, dim, WType> weight,
                                 MSHADOW_STATE(0) Tensor<xpu, dim, WType> square_avg,
                                 Tensor<xpu, dim, CType> copy,
                                 MSHADOW_GRADIENT const Tensor<xpu, dim, GType> &grad,
                                 MSHADOW_HYPER double lr = 0.001, MSHADOW_HYPER double alpha = 0.99,
                                 MSHADOW_HYPER double eps = 1e-8,
                                 MSHADOW_HYPER double decay = 0.0) {
  Temporary<xpu, dim, WType> g(grad.shape_, grad.stream_);
  g = tcast<WType>(grad);
  RMSProp(weight, square_avg, g, lr, alpha, eps, decay);
  copy = tcast<CType>(weight);
}
MSHADOW_INSTANTIATE(MixedRMSProp, Types<float, bfloat::bf16_t, bfloat::bf16_t>,
                    Types<float, half::half_t, half::half_t>);

/// RMSProp with momentum and a copy of the weights: b = momentum b + g / (sqrt(v) + eps), w = w -
/// lr b, copy = w, with RMSProp's v and g. torch.optim.RMSprop(momentum > 0).
/// \param weight parameters, updated in place
/// \param square_avg running mean of the squared gradient
/// \param momentum_buffer running sum of normalised gradients
/// \param copy the new weights in another type
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param alpha decay rate of the variance
/// \param momentum decay rate of the buffer
/// \param eps added to the root, against division by zero
/// \param decay L2 penalty, added to the gradient
template <typename xpu, int dim, typename WType, typename CType, typename GType>
MSHADOW_KERNEL void MixedRMSPropMomentum(
    MSHADOW_PARAMETER Tensor<xpu, dim, WType> weight,
    MSHADOW_STATE(0) Tensor<xpu, dim, WType> square_avg,
    MSHADOW_STATE(0) Tensor<xpu, dim, WType> momentum_buffer, Tensor<xpu, dim, CType> copy,
    MSHADOW_GRADIENT const Tensor<xpu, dim, GType> &grad, MSHADOW_HYPER double lr = 0.0003,
    MSHADOW_HYPER double alpha = 0.99, MSHADOW_HYPER double momentum = 0.9,
    MSHADOW_HYPER double eps = 1e-8, MSHADOW_HYPER double decay = 0.0) {
  Temporary<xpu, dim, WType> g(grad.shape_, grad.stream_);
  g = tcast<WType>(grad);
  RMSPropMomentum(weight, square_avg, momentum_buffer, g, lr, alpha, momentum, eps, decay);
  copy = tcast<CType>(weight);
}
MSHADOW_INSTANTIATE(MixedRMSPropMomentum, Types<float, bfloat::bf16_t, bfloat::bf16_t>,
                    Types<float, half::half_t, half::half_t>);

/// Adadelta with a copy of the weights: v = rho v + (1 - rho) g^2, d = sqrt(u + eps) / sqrt(v +
/// eps) g, w = w - lr d, u = rho u + (1 - rho) d^2, copy = w. Zeiler 2012, Algorithm 1; the order
/// of torch.optim.Adadelta.
/// \param weight parameters, updated in place
/// \param square_avg running mean of the squared gradient
/// \param acc_delta running mean of the squared step
/// \param copy the new weights in another type
/// \param grad gradient of the loss with respect to the parameters
/// \param lr factor of the step
/// \param rho decay rate of both means
/// \param eps added inside both roots
template <typename xpu, int dim, typename WType, typename CType, typename GType>
MSHADOW_KERNEL void MixedAdadelta(MSHADOW_PARAMETER Tensor<xpu, dim, WType> weight,
                                  MSHADOW_STATE(0) Tensor<xpu, dim, WType> square_avg,
                                  MSHADOW_STATE(0) Tensor<xpu, dim, WType> acc_delta,
                                  Tensor<xpu, dim, CType> copy,
                                  MSHADOW_GRADIENT const Tensor<xpu, dim, GType> &grad,
                                  MSHADOW_HYPER double lr = 1.0, MSHADOW_HYPER double rho = 0.9,
                                  MSHADOW_HYPER double eps = 1e-6) {
  Temporary<xpu, dim, WType> g(grad.shape_, grad.stream_);
  g = tcast<WType>(grad);
  Adadelta(weight, square_avg, acc_delta, g, lr, rho, eps);
  copy = tcast<CType>(weight);
}
MSHADOW_INSTANTIATE(MixedAdadelta, Types<float, bfloat::bf16_t, bfloat::bf16_t>,
                    Types<float, half::half_t, half::half_t>);

}  // namespace optim

#endif  // SPECS_OPTIM_MIXED_ADAM_H_
