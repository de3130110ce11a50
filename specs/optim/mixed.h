// SPDX-License-Identifier: Apache-2.0
/// \file mixed.h
/// Optimizers whose tensors have types of their own: the weights that are kept exactly (the master
/// weights), the running mean, the copy of the weights that the model computes with, and the
/// gradient. One pass writes the copy as well. Micikevicius et al. 2018, section 3.1.
///
/// The types of an instance are those of the tensors, in the order of parameters. All arithmetic is
/// in the type of the weights. A narrow mean is rounded after the step has used it. If beta2 is
/// 0.999, the variance changes by less than half a unit in the last place of a bf16_t, so that
/// rounding to nearest would undo each change. It is narrow in StochasticAdamW alone, which rounds
/// it up or down at random.
#ifndef SPECS_OPTIM_MIXED_H_
#define SPECS_OPTIM_MIXED_H_

#include "ops.h"
#include "sgd.h"

namespace optim {
using namespace mshadow;
using namespace mshadow::expr;

/// SGDMomentum with a copy of the weights: b = momentum b + g, w = w - lr b, copy = w, where g
/// includes the L2 decay. Polyak 1964; the order of torch.optim.SGD without dampening.
/// \param weight parameters, updated in place
/// \param momentum_buffer running sum of gradients
/// \param copy the new weights in another type
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param momentum decay rate of the buffer
/// \param decay L2 penalty, added to the gradient
template <typename xpu, int dim, typename WType, typename MType, typename CType, typename GType>
MSHADOW_KERNEL void MixedSGDMomentum(MSHADOW_PARAMETER Tensor<xpu, dim, WType> weight,
                                     MSHADOW_STATE(0) Tensor<xpu, dim, MType> momentum_buffer,
                                     Tensor<xpu, dim, CType> copy,
                                     MSHADOW_GRADIENT const Tensor<xpu, dim, GType> &grad,
                                     MSHADOW_HYPER double lr = 0.1,
                                     MSHADOW_HYPER double momentum = 0.9,
                                     MSHADOW_HYPER double decay = 0.0) {
  Temporary<xpu, dim, WType> b(weight.shape_, weight.stream_);
  b = momentum * tcast<WType>(momentum_buffer) + (tcast<WType>(grad) + decay * weight);
  momentum_buffer = tcast<MType>(b);
  weight -= lr * b;
  copy = tcast<CType>(weight);
}
MSHADOW_INSTANTIATE(MixedSGDMomentum, Types<float, float, bfloat::bf16_t, bfloat::bf16_t>,
                    Types<float, bfloat::bf16_t, bfloat::bf16_t, bfloat::bf16_t>,
                    Types<float, float, half::half_t, half::half_t>);

/// Nesterov's accelerated gradient with a copy of the weights: b = momentum b + g,
/// w = w - lr (g + momentum b), copy = w, where g includes the L2 decay. Sutskever et al. 2013;
/// torch.optim.SGD(nesterov=True).
/// \param weight parameters, updated in place
/// \param momentum_buffer running sum of gradients
/// \param copy the new weights in another type
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param momentum decay rate of the buffer
/// \param decay L2 penalty, added to the gradient
template <typename xpu, int dim, typename WType, typename CType, typename GType>
MSHADOW_KERNEL void MixedNAG(MSHADOW_PARAMETER Tensor<xpu, dim, WType> weight,
                             MSHADOW_STATE(0) Tensor<xpu, dim, WType> momentum_buffer,
                             Tensor<xpu, dim, CType> copy,
                             MSHADOW_GRADIENT const Tensor<xpu, dim, GType> &grad,
                             MSHADOW_HYPER double lr = 0.1, MSHADOW_HYPER double momentum = 0.9,
                             MSHADOW_HYPER double decay = 0.0) {
  Temporary<xpu, dim, WType> g(grad.shape_, grad.stream_);
  g = tcast<WType>(grad);
  NAG(weight, momentum_buffer, g, lr, momentum, decay);
  copy = tcast<CType>(weight);
}
MSHADOW_INSTANTIATE(MixedNAG, Types<float, bfloat::bf16_t, bfloat::bf16_t>,
                    Types<float, half::half_t, half::half_t>);

/// Adam with a copy of the weights: m = beta1 m + (1 - beta1) g, v = beta2 v + (1 - beta2) g^2,
/// w = w - lr / (1 - beta1^t) m / (sqrt(v) / sqrt(1 - beta2^t) + eps), copy = w, where g includes
/// the L2 decay. Kingma & Ba 2015, Algorithm 1; the order of torch.optim.Adam.
/// \param weight parameters, updated in place
/// \param exp_avg running mean of the gradient
/// \param exp_avg_sq running mean of the squared gradient
/// \param copy the new weights in another type
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param beta1 decay rate of the mean
/// \param beta2 decay rate of the variance
/// \param eps added to the corrected root, against division by zero
/// \param decay L2 penalty, added to the gradient
/// \param step number of this update, from 1
template <typename xpu, int dim, typename WType, typename MType, typename CType, typename GType>
MSHADOW_KERNEL void MixedAdam(MSHADOW_PARAMETER Tensor<xpu, dim, WType> weight,
                              MSHADOW_STATE(0) Tensor<xpu, dim, MType> exp_avg,
                              MSHADOW_STATE(0) Tensor<xpu, dim, WType> exp_avg_sq,
                              Tensor<xpu, dim, CType> copy,
                              MSHADOW_GRADIENT const Tensor<xpu, dim, GType> &grad,
                              MSHADOW_HYPER double lr = 0.001, MSHADOW_HYPER double beta1 = 0.9,
                              MSHADOW_HYPER double beta2 = 0.999, MSHADOW_HYPER double eps = 1e-8,
                              MSHADOW_HYPER double decay = 0.0, MSHADOW_STEP int step = 1) {
  MSHADOW_CHECK_STEP(step);
  const double step_size = lr / bias_correction(beta1, step);
  const double inv_bias2 = 1.0 / math::sqrt(bias_correction(beta2, step));
  Temporary<xpu, dim, WType> mean(weight.shape_, weight.stream_);
  auto g = tcast<WType>(grad) + decay * weight;
  mean = beta1 * tcast<WType>(exp_avg) + (1.0 - beta1) * g;
  exp_avg = tcast<MType>(mean);
  exp_avg_sq = beta2 * exp_avg_sq + (1.0 - beta2) * F<op::square>(g);
  weight -= step_size * mean / (F<op::square_root>(exp_avg_sq) * inv_bias2 + eps);
  copy = tcast<CType>(weight);
}
MSHADOW_INSTANTIATE(MixedAdam, Types<float, float, bfloat::bf16_t, bfloat::bf16_t>,
                    Types<float, bfloat::bf16_t, bfloat::bf16_t, bfloat::bf16_t>,
                    Types<float, float, half::half_t, half::half_t>);

/// AdamW with a copy of the weights: MixedAdam with decoupled weight decay, applied before the
/// step: w = (1 - lr decay) w - lr / (1 - beta1^t) m / (sqrt(v) / sqrt(1 - beta2^t) + eps),
/// copy = w. Loshchilov & Hutter 2019, Algorithm 2; the order of torch.optim.AdamW.
/// \param weight parameters, updated in place
/// \param exp_avg running mean of the gradient
/// \param exp_avg_sq running mean of the squared gradient
/// \param copy the new weights in another type
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param beta1 decay rate of the mean
/// \param beta2 decay rate of the variance
/// \param eps added to the corrected root, against division by zero
/// \param decay decoupled weight decay, multiplied by the learning rate
/// \param step number of this update, from 1
template <typename xpu, int dim, typename WType, typename MType, typename CType, typename GType>
MSHADOW_KERNEL void MixedAdamW(MSHADOW_PARAMETER Tensor<xpu, dim, WType> weight,
                               MSHADOW_STATE(0) Tensor<xpu, dim, MType> exp_avg,
                               MSHADOW_STATE(0) Tensor<xpu, dim, WType> exp_avg_sq,
                               Tensor<xpu, dim, CType> copy,
                               MSHADOW_GRADIENT const Tensor<xpu, dim, GType> &grad,
                               MSHADOW_HYPER double lr = 0.001, MSHADOW_HYPER double beta1 = 0.9,
                               MSHADOW_HYPER double beta2 = 0.999, MSHADOW_HYPER double eps = 1e-8,
                               MSHADOW_HYPER double decay = 0.01, MSHADOW_STEP int step = 1) {
  MSHADOW_CHECK_STEP(step);
  const double step_size = lr / bias_correction(beta1, step);
  const double inv_bias2 = 1.0 / math::sqrt(bias_correction(beta2, step));
  Temporary<xpu, dim, WType> mean(weight.shape_, weight.stream_);
  auto g = tcast<WType>(grad);
  mean = beta1 * tcast<WType>(exp_avg) + (1.0 - beta1) * g;
  exp_avg = tcast<MType>(mean);
  exp_avg_sq = beta2 * exp_avg_sq + (1.0 - beta2) * F<op::square>(g);
  weight = (1.0 - lr * decay) * weight -
           step_size * mean / (F<op::square_root>(exp_avg_sq) * inv_bias2 + eps);
  copy = tcast<CType>(weight);
}
MSHADOW_INSTANTIATE(MixedAdamW, Types<float, float, bfloat::bf16_t, bfloat::bf16_t>,
                    Types<float, bfloat::bf16_t, bfloat::bf16_t, bfloat::bf16_t>,
                    Types<float, float, bfloat::bf16_t, float>,
                    Types<float, float, half::half_t, half::half_t>,
                    Types<double, double, float, float>);

/// AdamW with a copy of the weights, and with both running means in 16 bits: MixedAdamW whose
/// variance v = beta2 v + (1 - beta2) g^2 is rounded up or down at random, so that the mean of the
/// results is v. The step uses m and v before they are rounded. Gupta et al. 2015, section 3, for
/// the rounding; the order of optim::MixedAdamW.
/// \param weight parameters, updated in place
/// \param exp_avg running mean of the gradient
/// \param exp_avg_sq running mean of the squared gradient
/// \param copy the new weights in another type
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param beta1 decay rate of the mean
/// \param beta2 decay rate of the variance
/// \param eps added to the corrected root, against division by zero
/// \param decay decoupled weight decay, multiplied by the learning rate
/// \param step number of this update, from 1; each has random numbers of its own
/// \param seed of the random numbers
template <typename xpu, int dim, typename SType, typename CType, typename GType>
MSHADOW_KERNEL void StochasticAdamW(
    MSHADOW_PARAMETER Tensor<xpu, dim, float> weight,
    MSHADOW_STATE(0) Tensor<xpu, dim, SType> exp_avg,
    MSHADOW_STATE(0) Tensor<xpu, dim, SType> exp_avg_sq, Tensor<xpu, dim, CType> copy,
    MSHADOW_GRADIENT const Tensor<xpu, dim, GType> &grad, MSHADOW_HYPER double lr = 0.001,
    MSHADOW_HYPER double beta1 = 0.9, MSHADOW_HYPER double beta2 = 0.999,
    MSHADOW_HYPER double eps = 1e-8, MSHADOW_HYPER double decay = 0.01, MSHADOW_STEP int step = 1,
    MSHADOW_HYPER int64_t seed = 0) {
  MSHADOW_CHECK_STEP(step);
  const double step_size = lr / bias_correction(beta1, step);
  const double inv_bias2 = 1.0 / math::sqrt(bias_correction(beta2, step));
  Temporary<xpu, dim, float> mean(weight.shape_, weight.stream_);
  Temporary<xpu, dim, float> variance(weight.shape_, weight.stream_);
  auto g = tcast<float>(grad);
  mean = beta1 * tcast<float>(exp_avg) + (1.0 - beta1) * g;
  exp_avg = tcast<SType>(mean);
  variance = beta2 * tcast<float>(exp_avg_sq) + (1.0 - beta2) * F<op::square>(g);
  exp_avg_sq = round_stochastic<SType>(variance, random_uniform<float>(weight.shape_, seed, step));
  weight = (1.0 - lr * decay) * weight -
           step_size * mean / (F<op::square_root>(variance) * inv_bias2 + eps);
  copy = tcast<CType>(weight);
}
MSHADOW_INSTANTIATE(StochasticAdamW, Types<bfloat::bf16_t, bfloat::bf16_t, bfloat::bf16_t>,
                    Types<bfloat::bf16_t, bfloat::bf16_t, float>);

/// Lion with a copy of the weights: w = w - lr (sign(beta1 m + (1 - beta1) g) + decay w), copy = w,
/// m = beta2 m + (1 - beta2) g, with decoupled decay. Chen et al. 2023, Algorithm 2.
/// \param weight parameters, updated in place
/// \param mean running mean of the gradient
/// \param copy the new weights in another type
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate; every weight moves by as much
/// \param beta1 weight of the mean in the step
/// \param beta2 decay rate of the mean
/// \param decay decoupled weight decay, multiplied by the learning rate
template <typename xpu, int dim, typename WType, typename MType, typename CType, typename GType>
MSHADOW_KERNEL void MixedLion(MSHADOW_PARAMETER Tensor<xpu, dim, WType> weight,
                              MSHADOW_STATE(0) Tensor<xpu, dim, MType> mean,
                              Tensor<xpu, dim, CType> copy,
                              MSHADOW_GRADIENT const Tensor<xpu, dim, GType> &grad,
                              MSHADOW_HYPER double lr = 0.0001, MSHADOW_HYPER double beta1 = 0.9,
                              MSHADOW_HYPER double beta2 = 0.99, MSHADOW_HYPER double decay = 0.0) {
  auto m = tcast<WType>(mean);
  auto g = tcast<WType>(grad);
  weight -= lr * (F<op::sign>(beta1 * m + (1.0 - beta1) * g) + decay * weight);
  copy = tcast<CType>(weight);
  mean = tcast<MType>(beta2 * m + (1.0 - beta2) * g);
}
MSHADOW_INSTANTIATE(MixedLion, Types<float, float, bfloat::bf16_t, bfloat::bf16_t>,
                    Types<float, bfloat::bf16_t, bfloat::bf16_t, bfloat::bf16_t>,
                    Types<float, float, half::half_t, half::half_t>);

}  // namespace optim

#endif  // SPECS_OPTIM_MIXED_H_
