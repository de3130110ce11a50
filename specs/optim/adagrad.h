// SPDX-License-Identifier: Apache-2.0
/// \file adagrad.h
/// Adagrad: a learning rate for each parameter, from the sum of its squared gradients.
#ifndef SPECS_OPTIM_ADAGRAD_H_
#define SPECS_OPTIM_ADAGRAD_H_

#include "ops.h"

namespace optim {
using namespace mshadow;
using namespace mshadow::expr;

/// Adagrad: s = s + g^2, w = w - lr / (1 + (t - 1) lr_decay) g / (sqrt(s) + eps), where g includes
/// the L2 decay. Duchi, Hazan & Singer 2011; the order of torch.optim.Adagrad.
/// \param weight parameters, updated in place
/// \param sum sum of squared gradients
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param lr_decay how fast the learning rate falls with the steps
/// \param eps added to the root, against division by zero
/// \param decay L2 penalty, added to the gradient
/// \param step number of this update, from 1
/// \param maximize whether g is the negative gradient
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Adagrad(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                            MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> sum,
                            MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                            MSHADOW_HYPER double lr = 0.01, MSHADOW_HYPER double lr_decay = 0.0,
                            MSHADOW_HYPER double eps = 1e-10, MSHADOW_HYPER double decay = 0.0,
                            MSHADOW_STEP int step = 1, MSHADOW_HYPER bool maximize = false) {
  MSHADOW_CHECK_STEP(step);
  const double sign = maximize ? -1.0 : 1.0;
  const double step_size = lr / (1.0 + static_cast<double>(step - 1) * lr_decay);
  auto w = tcast<Promoted<DType>>(weight);
  auto g = sign * tcast<Promoted<DType>>(grad) + decay * w;
  sum = sum + F<op::square>(g);
  weight = tcast<DType>(w - step_size * g / (F<op::square_root>(sum) + eps));
}
MSHADOW_INSTANTIATE(Adagrad, float, double, half::half_t, bfloat::bf16_t);

/// MXNet's Adagrad of the gradient clip(rescale_grad g) + wd w: s = s + g^2,
/// w = w - lr g / (sqrt(s) + epsilon). The order of mxnet.optimizer.AdaGrad of MXNet 2.0.0.beta;
/// release 1 is Mxnet1Adagrad.
/// \param weight parameters, updated in place
/// \param sum sum of squared gradients
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param epsilon added to the root, against division by zero
/// \param wd L2 penalty, added after the clip
/// \param rescale_grad factor of the gradient
/// \param clip_gradient limit of a gradient's magnitude; negative: none
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void MxnetAdagrad(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                                 MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> sum,
                                 MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                                 MSHADOW_HYPER double lr = 0.01,
                                 MSHADOW_HYPER double epsilon = 1e-6, MSHADOW_HYPER double wd = 0.0,
                                 MSHADOW_HYPER double rescale_grad = 1.0,
                                 MSHADOW_HYPER double clip_gradient = -1.0) {
  auto w = tcast<Promoted<DType>>(weight);
  auto clipped =
      F<clip_unless_negative>(rescale_grad * tcast<Promoted<DType>>(grad), clip_gradient);
  auto g = clipped + wd * w;
  sum = sum + F<op::square>(g);
  weight = tcast<DType>(w - lr * g / (F<op::square_root>(sum) + epsilon));
}
MSHADOW_INSTANTIATE(MxnetAdagrad, float, double, half::half_t, bfloat::bf16_t);

/// Adagrad of MXNet 1, of the gradient g = clip(rescale_grad g), with a decay that is no part of
/// it: s = s + g^2, w = w - lr (g / sqrt(s + epsilon) + wd w). The order of mxnet.optimizer.AdaGrad
/// of MXNet 1.9.1, which calls epsilon eps.
/// \param weight parameters, updated in place
/// \param sum sum of the squared gradients
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param epsilon added to the sum
/// \param wd decoupled weight decay, multiplied by the learning rate
/// \param rescale_grad factor of the gradient
/// \param clip_gradient limit of a gradient's magnitude; negative: none
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Mxnet1Adagrad(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                                  MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> sum,
                                  MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                                  MSHADOW_HYPER double lr = 0.01,
                                  MSHADOW_HYPER double epsilon = 1e-7,
                                  MSHADOW_HYPER double wd = 0.0,
                                  MSHADOW_HYPER double rescale_grad = 1.0,
                                  MSHADOW_HYPER double clip_gradient = -1.0) {
  auto w = tcast<Promoted<DType>>(weight);
  auto g = F<clip_unless_negative>(rescale_grad * tcast<Promoted<DType>>(grad), clip_gradient);
  sum = sum + F<op::square>(g);
  weight = tcast<DType>(w - lr * (g / F<op::square_root>(sum + epsilon) + wd * w));
}
MSHADOW_INSTANTIATE(Mxnet1Adagrad, float, double, half::half_t, bfloat::bf16_t);

/// TensorFlow's Adagrad: s = s + g^2, w = w - lr g / sqrt(s + eps): s begins at 0.1, and epsilon
/// stands inside the root. Duchi et al. 2011; the order of tf.keras' optimizer Adagrad. Without
/// epsilon it is ApplyAdagrad of TensorFlow 1.
/// \param weight parameters, updated in place
/// \param accumulator sum of squared gradients
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param eps added inside the root
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void TensorFlowAdagrad(
    MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
    MSHADOW_STATE(0.1) Tensor<xpu, dim, Promoted<DType>> accumulator,
    MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad, MSHADOW_HYPER double lr = 0.01,
    MSHADOW_HYPER double eps = 1e-7) {
  auto g = tcast<Promoted<DType>>(grad);
  accumulator = accumulator + F<op::square>(g);
  weight =
      tcast<DType>(tcast<Promoted<DType>>(weight) - lr * g / F<op::square_root>(accumulator + eps));
}
MSHADOW_INSTANTIATE(TensorFlowAdagrad, float, double, half::half_t, bfloat::bf16_t);

}  // namespace optim

#endif  // SPECS_OPTIM_ADAGRAD_H_
