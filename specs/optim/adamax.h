// SPDX-License-Identifier: Apache-2.0
/// \file adamax.h
/// AdaMax: Adam with the infinity norm.
#ifndef SPECS_OPTIM_ADAMAX_H_
#define SPECS_OPTIM_ADAMAX_H_

#include "ops.h"

namespace optim {
using namespace mshadow;
using namespace mshadow::expr;

/// AdaMax: m = beta1 m + (1 - beta1) g, u = max(beta2 u, |g| + eps), w = w - lr / (1 - beta1^t)
/// m / u, where g includes the L2 decay. Kingma & Ba 2015, Algorithm 2; the order of
/// torch.optim.Adamax.
/// \param weight parameters, updated in place
/// \param exp_avg running mean of the gradient
/// \param exp_inf exponentially weighted infinity norm
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param beta1 decay rate of the mean
/// \param beta2 decay rate of the norm
/// \param eps added to the gradient's magnitude, against division by zero
/// \param decay L2 penalty, added to the gradient
/// \param step number of this update, from 1
/// \param maximize whether g is the negative gradient
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void AdaMax(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                           MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> exp_avg,
                           MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> exp_inf,
                           MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                           MSHADOW_HYPER double lr = 0.002, MSHADOW_HYPER double beta1 = 0.9,
                           MSHADOW_HYPER double beta2 = 0.999, MSHADOW_HYPER double eps = 1e-8,
                           MSHADOW_HYPER double decay = 0.0, MSHADOW_STEP int step = 1,
                           MSHADOW_HYPER bool maximize = false) {
  MSHADOW_CHECK_STEP(step);
  const double sign = maximize ? -1.0 : 1.0;
  const double step_size = lr / bias_correction(beta1, step);
  auto w = tcast<Promoted<DType>>(weight);
  auto g = sign * tcast<Promoted<DType>>(grad) + decay * w;
  exp_avg = beta1 * exp_avg + (1.0 - beta1) * g;
  exp_inf = F<op::maximum>(beta2 * exp_inf, F<op::abs>(g) + eps);
  weight = tcast<DType>(w - step_size * exp_avg / exp_inf);
}
MSHADOW_INSTANTIATE(AdaMax, float, double, half::half_t, bfloat::bf16_t);

/// MXNet's AdaMax of the gradient clip(rescale_grad g) + wd w: u = max(beta2 u, |g|),
/// w = w - lr / (1 - beta1^t) m / (u + epsilon). The order of mxnet.optimizer.Adamax of MXNet
/// 2.0.0.beta; release 1 clips the decay, too (Mxnet1AdaMax).
/// \param weight parameters, updated in place
/// \param mean running mean of the gradient
/// \param norm exponentially weighted infinity norm
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param beta1 decay rate of the mean
/// \param beta2 decay rate of the norm
/// \param epsilon added to the norm, against division by zero
/// \param wd L2 penalty, added after the clip
/// \param rescale_grad factor of the gradient
/// \param clip_gradient limit of a gradient's magnitude; negative: none
/// \param step number of this update, from 1
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void MxnetAdaMax(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                                MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> mean,
                                MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> norm,
                                MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                                MSHADOW_HYPER double lr = 0.002, MSHADOW_HYPER double beta1 = 0.9,
                                MSHADOW_HYPER double beta2 = 0.999,
                                MSHADOW_HYPER double epsilon = 1e-8, MSHADOW_HYPER double wd = 0.0,
                                MSHADOW_HYPER double rescale_grad = 1.0,
                                MSHADOW_HYPER double clip_gradient = -1.0,
                                MSHADOW_STEP int step = 1) {
  MSHADOW_CHECK_STEP(step);
  const double step_size = lr / bias_correction(beta1, step);
  auto w = tcast<Promoted<DType>>(weight);
  auto clipped =
      F<clip_unless_negative>(rescale_grad * tcast<Promoted<DType>>(grad), clip_gradient);
  auto g = clipped + wd * w;
  mean = beta1 * mean + (1.0 - beta1) * g;
  norm = F<op::maximum>(beta2 * norm, F<op::abs>(g));
  weight = tcast<DType>(w - step_size * mean / (norm + epsilon));
}
MSHADOW_INSTANTIATE(MxnetAdaMax, float, double, half::half_t, bfloat::bf16_t);

/// AdaMax of MXNet 1: as MxnetAdaMax, of the gradient clip(rescale_grad g + wd w): the decay is
/// clipped, too. The order of mxnet.optimizer.Adamax of MXNet 1.9.1, which has no epsilon: with 0,
/// a weight whose gradient has always been zero becomes NaN.
/// \param weight parameters, updated in place
/// \param mean running mean of the gradient
/// \param norm exponentially weighted infinity norm
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param beta1 decay rate of the mean
/// \param beta2 decay rate of the norm
/// \param epsilon added to the norm, against division by zero
/// \param wd L2 penalty, added before the clip
/// \param rescale_grad factor of the gradient
/// \param clip_gradient limit of a gradient's magnitude; negative: none
/// \param step number of this update, from 1
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Mxnet1AdaMax(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                                 MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> mean,
                                 MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> norm,
                                 MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                                 MSHADOW_HYPER double lr = 0.002, MSHADOW_HYPER double beta1 = 0.9,
                                 MSHADOW_HYPER double beta2 = 0.999,
                                 MSHADOW_HYPER double epsilon = 1e-8, MSHADOW_HYPER double wd = 0.0,
                                 MSHADOW_HYPER double rescale_grad = 1.0,
                                 MSHADOW_HYPER double clip_gradient = -1.0,
                                 MSHADOW_STEP int step = 1) {
  MSHADOW_CHECK_STEP(step);
  const double step_size = lr / bias_correction(beta1, step);
  auto w = tcast<Promoted<DType>>(weight);
  auto g =
      F<clip_unless_negative>(rescale_grad * tcast<Promoted<DType>>(grad) + wd * w, clip_gradient);
  mean = beta1 * mean + (1.0 - beta1) * g;
  norm = F<op::maximum>(beta2 * norm, F<op::abs>(g));
  weight = tcast<DType>(w - step_size * mean / (norm + epsilon));
}
MSHADOW_INSTANTIATE(Mxnet1AdaMax, float, double, half::half_t, bfloat::bf16_t);

}  // namespace optim

#endif  // SPECS_OPTIM_ADAMAX_H_
