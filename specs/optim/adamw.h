// SPDX-License-Identifier: Apache-2.0
/// \file adamw.h
/// Adam with decoupled weight decay. Systems disagree on when the decay happens, so there is a rule
/// for each order. In the formulas m^ and v^ are the mean m and the variance v after bias
/// correction: m / (1 - beta1^t) and v / (1 - beta2^t).
#ifndef SPECS_OPTIM_ADAMW_H_
#define SPECS_OPTIM_ADAMW_H_

#include "ops.h"

namespace optim {
using namespace mshadow;
using namespace mshadow::expr;

/// AdamW: Adam with decoupled weight decay, applied before the step: w = (1 - lr decay) w -
/// lr / (1 - beta1^t) m / (sqrt(v) / sqrt(1 - beta2^t) + eps). Loshchilov & Hutter 2019,
/// Algorithm 2; the order of torch.optim.AdamW.
/// \param weight parameters, updated in place
/// \param mean running mean of the gradient
/// \param variance running mean of the squared gradient
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param beta1 decay rate of the mean
/// \param beta2 decay rate of the variance
/// \param eps added to the corrected root, against division by zero
/// \param decay decoupled weight decay, multiplied by the learning rate
/// \param step number of this update, from 1
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void AdamW(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                          MSHADOW_STATE(0) Tensor<xpu, dim, float> mean,
                          MSHADOW_STATE(0) Tensor<xpu, dim, float> variance,
                          MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                          MSHADOW_HYPER float lr = 0.001f, MSHADOW_HYPER float beta1 = 0.9f,
                          MSHADOW_HYPER float beta2 = 0.999f, MSHADOW_HYPER float eps = 1e-8f,
                          MSHADOW_HYPER float decay = 0.01f, MSHADOW_STEP int step = 1) {
  MSHADOW_CHECK_STEP(step);
  const float step_size = static_cast<float>(lr / bias_correction(beta1, step));
  const float inv_bias2 = static_cast<float>(1.0 / math::sqrt(bias_correction(beta2, step)));
  auto g = tcast<float>(grad);
  mean = beta1 * mean + (1.0f - beta1) * g;
  variance = beta2 * variance + (1.0f - beta2) * F<op::square>(g);
  weight = tcast<DType>((1.0f - lr * decay) * tcast<float>(weight) -
                        step_size * mean / (F<op::square_root>(variance) * inv_bias2 + eps));
}
MSHADOW_INSTANTIATE(AdamW, float, half::half_t, bfloat::bf16_t);

/// AdamW that computes the decay from the old weight, as part of the update: w = w - lr (m^ /
/// (sqrt(v^) + eps) + decay w). Equal to AdamW except for rounding. The order of apex, Transformer
/// Engine and DeepSpeed.
/// \param weight parameters, updated in place
/// \param mean running mean of the gradient
/// \param variance running mean of the squared gradient
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param beta1 decay rate of the mean
/// \param beta2 decay rate of the variance
/// \param eps added to the corrected root, against division by zero
/// \param decay decoupled weight decay, multiplied by the learning rate
/// \param step number of this update, from 1
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void AdamWInUpdate(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                                  MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> mean,
                                  MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> variance,
                                  MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                                  MSHADOW_HYPER double lr = 0.001, MSHADOW_HYPER double beta1 = 0.9,
                                  MSHADOW_HYPER double beta2 = 0.999,
                                  MSHADOW_HYPER double eps = 1e-8,
                                  MSHADOW_HYPER double decay = 0.01, MSHADOW_STEP int step = 1) {
  MSHADOW_CHECK_STEP(step);
  const double inv_bias1 = 1.0 / bias_correction(beta1, step);
  const double inv_bias2 = 1.0 / math::sqrt(bias_correction(beta2, step));
  auto w = tcast<Promoted<DType>>(weight);
  auto g = tcast<Promoted<DType>>(grad);
  mean = beta1 * mean + (1.0 - beta1) * g;
  variance = beta2 * variance + (1.0 - beta2) * F<op::square>(g);
  auto update = inv_bias1 * mean / (F<op::square_root>(variance) * inv_bias2 + eps);
  weight = tcast<DType>(w - lr * (update + decay * w));
}
MSHADOW_INSTANTIATE(AdamWInUpdate, float, double, half::half_t, bfloat::bf16_t);

/// AdamW whose decay is applied after the step, to the new weight: w = (1 - lr decay) (w - lr m^ /
/// (sqrt(v^) + eps)). The order of bitsandbytes.
/// \param weight parameters, updated in place
/// \param mean running mean of the gradient
/// \param variance running mean of the squared gradient
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param beta1 decay rate of the mean
/// \param beta2 decay rate of the variance
/// \param eps added to the corrected root, against division by zero
/// \param decay decoupled weight decay, multiplied by the learning rate
/// \param step number of this update, from 1
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void AdamWAfter(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                               MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> mean,
                               MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> variance,
                               MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                               MSHADOW_HYPER double lr = 0.001, MSHADOW_HYPER double beta1 = 0.9,
                               MSHADOW_HYPER double beta2 = 0.999, MSHADOW_HYPER double eps = 1e-8,
                               MSHADOW_HYPER double decay = 0.01, MSHADOW_STEP int step = 1) {
  MSHADOW_CHECK_STEP(step);
  const double step_size = lr / bias_correction(beta1, step);
  const double inv_bias2 = 1.0 / math::sqrt(bias_correction(beta2, step));
  auto g = tcast<Promoted<DType>>(grad);
  mean = beta1 * mean + (1.0 - beta1) * g;
  variance = beta2 * variance + (1.0 - beta2) * F<op::square>(g);
  auto update = step_size * mean / (F<op::square_root>(variance) * inv_bias2 + eps);
  weight = tcast<DType>((1.0 - lr * decay) * (tcast<Promoted<DType>>(weight) - update));
}
MSHADOW_INSTANTIATE(AdamWAfter, float, double, half::half_t, bfloat::bf16_t);

/// MXNet's AdamW: w = w - eta (lr m / (sqrt(v) + epsilon) + wd w), where the gradient is
/// clip(rescale_grad g). The decay is scaled by eta alone, and the bias is not corrected. The order
/// of adamw_update of MXNet 1.9.1 and 2.0.0.beta. MXNet's optimizer passes lr = 1, and as eta the
/// learning rate with the correction of the bias.
/// \param weight parameters, updated in place
/// \param mean running mean of the gradient
/// \param variance running mean of the squared gradient
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param eta factor of the whole update: the learning rate of the schedule
/// \param beta1 decay rate of the mean
/// \param beta2 decay rate of the variance
/// \param epsilon added to the uncorrected root
/// \param wd decoupled weight decay, multiplied by eta
/// \param rescale_grad factor of the gradient
/// \param clip_gradient limit of a gradient's magnitude; negative: none
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void MxnetAdamW(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                               MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> mean,
                               MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> variance,
                               MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                               MSHADOW_HYPER double lr = 0.001, MSHADOW_HYPER double eta = 1.0,
                               MSHADOW_HYPER double beta1 = 0.9, MSHADOW_HYPER double beta2 = 0.999,
                               MSHADOW_HYPER double epsilon = 1e-8, MSHADOW_HYPER double wd = 0.0,
                               MSHADOW_HYPER double rescale_grad = 1.0,
                               MSHADOW_HYPER double clip_gradient = -1.0) {
  auto w = tcast<Promoted<DType>>(weight);
  auto g = F<clip_unless_negative>(rescale_grad * tcast<Promoted<DType>>(grad), clip_gradient);
  mean = beta1 * mean + (1.0 - beta1) * g;
  variance = beta2 * variance + (1.0 - beta2) * F<op::square>(g);
  auto update = lr * mean / (F<op::square_root>(variance) + epsilon);
  weight = tcast<DType>(w - eta * (update + wd * w));
}
MSHADOW_INSTANTIATE(MxnetAdamW, float, double, half::half_t, bfloat::bf16_t);

}  // namespace optim

#endif  // SPECS_OPTIM_ADAMW_H_
