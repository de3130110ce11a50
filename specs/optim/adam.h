// SPDX-License-Identifier: Apache-2.0
/// \file adam.h
/// Adam with L2 decay, in the forms that differ in where epsilon stands, and AMSGrad. Adam and
/// AMSGrad also have PyTorch's decoupled decay; its other orders are in adamw.h.
#ifndef SPECS_OPTIM_ADAM_H_
#define SPECS_OPTIM_ADAM_H_

#include "ops.h"

namespace optim {
using namespace mshadow;
using namespace mshadow::expr;

/// Adam: m = beta1 m + (1 - beta1) g, v = beta2 v + (1 - beta2) g^2,
/// w = w - lr / (1 - beta1^t) m / (sqrt(v) / sqrt(1 - beta2^t) + eps). Kingma & Ba 2015,
/// Algorithm 1; the order of torch.optim.Adam, and with `decoupled_decay` of torch.optim.AdamW.
/// \param weight parameters, updated in place
/// \param exp_avg running mean of the gradient
/// \param exp_avg_sq running mean of the squared gradient
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param beta1 decay rate of the mean
/// \param beta2 decay rate of the variance
/// \param eps added to the corrected root, against division by zero
/// \param decay weight decay
/// \param step number of this update, from 1
/// \param maximize whether g is the negative gradient
/// \param decoupled_decay whether w is multiplied by 1 - lr decay; else g includes decay w
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Adam(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                         MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> exp_avg,
                         MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> exp_avg_sq,
                         MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                         MSHADOW_HYPER double lr = 0.001, MSHADOW_HYPER double beta1 = 0.9,
                         MSHADOW_HYPER double beta2 = 0.999, MSHADOW_HYPER double eps = 1e-8,
                         MSHADOW_HYPER double decay = 0.0, MSHADOW_STEP int step = 1,
                         MSHADOW_HYPER bool maximize = false,
                         MSHADOW_HYPER bool decoupled_decay = false) {
  MSHADOW_CHECK_STEP(step);
  const double sign = maximize ? -1.0 : 1.0;
  const double step_size = lr / bias_correction(beta1, step);
  const double inv_bias2 = 1.0 / math::sqrt(bias_correction(beta2, step));
  const double l2 = l2_penalty(decoupled_decay, decay);
  const double keep = kept_share(decoupled_decay, lr * decay);
  auto w = tcast<Promoted<DType>>(weight);
  auto g = sign * tcast<Promoted<DType>>(grad) + l2 * w;
  exp_avg = beta1 * exp_avg + (1.0 - beta1) * g;
  exp_avg_sq = beta2 * exp_avg_sq + (1.0 - beta2) * F<op::square>(g);
  weight = tcast<DType>(keep * w -
                        step_size * exp_avg / (F<op::square_root>(exp_avg_sq) * inv_bias2 + eps));
}
MSHADOW_INSTANTIATE(Adam, float, double, half::half_t, bfloat::bf16_t);

/// Adam in its epsilon-hat form: the bias corrections are folded into the learning rate, so that
/// epsilon meets the uncorrected root: w = w - lr sqrt(1 - beta2^t) / (1 - beta1^t) m /
/// (sqrt(v) + eps). Kingma & Ba 2015, end of section 2; the order of TensorFlow and cxxnet.
/// \param weight parameters, updated in place
/// \param mean running mean of the gradient
/// \param variance running mean of the squared gradient
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param beta1 decay rate of the mean
/// \param beta2 decay rate of the variance
/// \param eps added to the uncorrected root
/// \param decay L2 penalty, added to the gradient
/// \param step number of this update, from 1
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void AdamEpsilonHat(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                                   MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> mean,
                                   MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> variance,
                                   MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                                   MSHADOW_HYPER double lr = 0.001,
                                   MSHADOW_HYPER double beta1 = 0.9,
                                   MSHADOW_HYPER double beta2 = 0.999,
                                   MSHADOW_HYPER double eps = 1e-7,
                                   MSHADOW_HYPER double decay = 0.0, MSHADOW_STEP int step = 1) {
  MSHADOW_CHECK_STEP(step);
  const double correction = math::sqrt(bias_correction(beta2, step));
  const double step_size = lr * correction / bias_correction(beta1, step);
  auto w = tcast<Promoted<DType>>(weight);
  auto g = tcast<Promoted<DType>>(grad) + decay * w;
  mean = beta1 * mean + (1.0 - beta1) * g;
  variance = beta2 * variance + (1.0 - beta2) * F<op::square>(g);
  weight = tcast<DType>(w - step_size * mean / (F<op::square_root>(variance) + eps));
}
MSHADOW_INSTANTIATE(AdamEpsilonHat, float, double, half::half_t, bfloat::bf16_t);

/// AMSGrad: Adam whose root is that of the largest variance so far; the maximum is taken before the
/// bias correction. Reddi et al. 2018, Algorithm 2; the order of torch.optim.Adam(amsgrad=True),
/// and with `decoupled_decay` of torch.optim.AdamW(amsgrad=True).
/// \param weight parameters, updated in place
/// \param exp_avg running mean of the gradient
/// \param exp_avg_sq running mean of the squared gradient
/// \param max_exp_avg_sq largest variance so far
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param beta1 decay rate of the mean
/// \param beta2 decay rate of the variance
/// \param eps added to the corrected root, against division by zero
/// \param decay weight decay
/// \param step number of this update, from 1
/// \param maximize whether g is the negative gradient
/// \param decoupled_decay whether w is multiplied by 1 - lr decay; else g includes decay w
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void AMSGrad(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                            MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> exp_avg,
                            MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> exp_avg_sq,
                            MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> max_exp_avg_sq,
                            MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                            MSHADOW_HYPER double lr = 0.001, MSHADOW_HYPER double beta1 = 0.9,
                            MSHADOW_HYPER double beta2 = 0.999, MSHADOW_HYPER double eps = 1e-8,
                            MSHADOW_HYPER double decay = 0.0, MSHADOW_STEP int step = 1,
                            MSHADOW_HYPER bool maximize = false,
                            MSHADOW_HYPER bool decoupled_decay = false) {
  MSHADOW_CHECK_STEP(step);
  const double sign = maximize ? -1.0 : 1.0;
  const double step_size = lr / bias_correction(beta1, step);
  const double inv_bias2 = 1.0 / math::sqrt(bias_correction(beta2, step));
  const double l2 = l2_penalty(decoupled_decay, decay);
  const double keep = kept_share(decoupled_decay, lr * decay);
  auto w = tcast<Promoted<DType>>(weight);
  auto g = sign * tcast<Promoted<DType>>(grad) + l2 * w;
  exp_avg = beta1 * exp_avg + (1.0 - beta1) * g;
  exp_avg_sq = beta2 * exp_avg_sq + (1.0 - beta2) * F<op::square>(g);
  max_exp_avg_sq = F<op::maximum>(max_exp_avg_sq, exp_avg_sq);
  weight = tcast<DType>(keep * w - step_size * exp_avg /
                                       (F<op::square_root>(max_exp_avg_sq) * inv_bias2 + eps));
}
MSHADOW_INSTANTIATE(AMSGrad, float, double, half::half_t, bfloat::bf16_t);

/// MXNet's Adam: the epsilon-hat form of the gradient clip(rescale_grad g) + wd w, with the
/// learning rate lr sqrt(1 - beta2^t) / (1 - beta1^t). The order of mxnet.optimizer.Adam of MXNet
/// 2.0.0.beta; release 1 clips the decay, too (Mxnet1Adam).
/// \param weight parameters, updated in place
/// \param mean running mean of the gradient
/// \param variance running mean of the squared gradient
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param beta1 decay rate of the mean
/// \param beta2 decay rate of the variance
/// \param epsilon added to the uncorrected root
/// \param wd L2 penalty, added after the clip
/// \param rescale_grad factor of the gradient
/// \param clip_gradient limit of a gradient's magnitude; negative: none
/// \param step number of this update, from 1
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void MxnetAdam(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                              MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> mean,
                              MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> variance,
                              MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                              MSHADOW_HYPER double lr = 0.001, MSHADOW_HYPER double beta1 = 0.9,
                              MSHADOW_HYPER double beta2 = 0.999,
                              MSHADOW_HYPER double epsilon = 1e-8, MSHADOW_HYPER double wd = 0.0,
                              MSHADOW_HYPER double rescale_grad = 1.0,
                              MSHADOW_HYPER double clip_gradient = -1.0,
                              MSHADOW_STEP int step = 1) {
  MSHADOW_CHECK_STEP(step);
  const double correction = math::sqrt(bias_correction(beta2, step));
  const double step_size = lr * correction / bias_correction(beta1, step);
  auto w = tcast<Promoted<DType>>(weight);
  auto clipped =
      F<clip_unless_negative>(rescale_grad * tcast<Promoted<DType>>(grad), clip_gradient);
  auto g = clipped + wd * w;
  mean = beta1 * mean + (1.0 - beta1) * g;
  variance = beta2 * variance + (1.0 - beta2) * F<op::square>(g);
  weight = tcast<DType>(w - step_size * mean / (F<op::square_root>(variance) + epsilon));
}
MSHADOW_INSTANTIATE(MxnetAdam, float, double, half::half_t, bfloat::bf16_t);

/// Adam of MXNet 1: as MxnetAdam, of the gradient clip(rescale_grad g + wd w): the decay is
/// clipped, too. The order of MXNet 1.9.1, mxnet.optimizer.Adam and adam_update.
/// \param weight parameters, updated in place
/// \param mean running mean of the gradient
/// \param variance running mean of the squared gradient
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param beta1 decay rate of the mean
/// \param beta2 decay rate of the variance
/// \param epsilon added to the uncorrected root
/// \param wd L2 penalty, added before the clip
/// \param rescale_grad factor of the gradient
/// \param clip_gradient limit of a gradient's magnitude; negative: none
/// \param step number of this update, from 1
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Mxnet1Adam(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                               MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> mean,
                               MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> variance,
                               MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                               MSHADOW_HYPER double lr = 0.001, MSHADOW_HYPER double beta1 = 0.9,
                               MSHADOW_HYPER double beta2 = 0.999,
                               MSHADOW_HYPER double epsilon = 1e-8, MSHADOW_HYPER double wd = 0.0,
                               MSHADOW_HYPER double rescale_grad = 1.0,
                               MSHADOW_HYPER double clip_gradient = -1.0,
                               MSHADOW_STEP int step = 1) {
  MSHADOW_CHECK_STEP(step);
  const double correction = math::sqrt(bias_correction(beta2, step));
  const double step_size = lr * correction / bias_correction(beta1, step);
  auto w = tcast<Promoted<DType>>(weight);
  auto g =
      F<clip_unless_negative>(rescale_grad * tcast<Promoted<DType>>(grad) + wd * w, clip_gradient);
  mean = beta1 * mean + (1.0 - beta1) * g;
  variance = beta2 * variance + (1.0 - beta2) * F<op::square>(g);
  weight = tcast<DType>(w - step_size * mean / (F<op::square_root>(variance) + epsilon));
}
MSHADOW_INSTANTIATE(Mxnet1Adam, float, double, half::half_t, bfloat::bf16_t);

/// cxxnet's Adam: the epsilon-hat form with decay rates 1 - beta1 and 1 - beta2, of the gradient
/// g - decay w. The sign of the decay is cxxnet's, which grows the weights; AdamEpsilonHat has the
/// other one. The order of cxxnet's AdamUpdater, adam_updater-inl.hpp, whose t counts from 0.
/// \param weight parameters, updated in place
/// \param mean running mean of the gradient
/// \param variance running mean of the squared gradient
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param beta1 share of a new gradient in the mean
/// \param beta2 share of a new square in the variance
/// \param eps added to the uncorrected root
/// \param decay subtracted from the gradient, times the weight
/// \param step number of this update, from 1
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void CxxnetAdam(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                               MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> mean,
                               MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> variance,
                               MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                               MSHADOW_HYPER double lr = 0.001, MSHADOW_HYPER double beta1 = 0.1,
                               MSHADOW_HYPER double beta2 = 0.001, MSHADOW_HYPER double eps = 1e-8,
                               MSHADOW_HYPER double decay = 0.0, MSHADOW_STEP int step = 1) {
  MSHADOW_CHECK_STEP(step);
  const double fix1 = bias_correction(1.0 - beta1, step), fix2 = bias_correction(1.0 - beta2, step);
  const double step_size = lr * math::sqrt(fix2) / fix1;
  auto w = tcast<Promoted<DType>>(weight);
  auto g = tcast<Promoted<DType>>(grad) - decay * w;
  mean = mean + beta1 * (g - mean);
  variance = variance + beta2 * (F<op::square>(g) - variance);
  weight = tcast<DType>(w - step_size * mean / (F<op::square_root>(variance) + eps));
}
MSHADOW_INSTANTIATE(CxxnetAdam, float, double, half::half_t, bfloat::bf16_t);

}  // namespace optim

#endif  // SPECS_OPTIM_ADAM_H_
