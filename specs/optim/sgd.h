// SPDX-License-Identifier: Apache-2.0
/// \file sgd.h
/// Stochastic gradient descent: plain, with momentum, with Nesterov's momentum; as PyTorch and as
/// MXNet compute it. With a constant learning rate the two agree; MXNet keeps the learning rate
/// inside the buffer, so they differ when it changes.
#ifndef SPECS_OPTIM_SGD_H_
#define SPECS_OPTIM_SGD_H_

#include "ops.h"

namespace optim {
using namespace mshadow;
using namespace mshadow::expr;

/// Stochastic gradient descent with L2 decay: w = w - lr (g + decay w).
/// Robbins & Monro 1951; the order of torch.optim.SGD.
/// \param weight parameters, updated in place
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param decay L2 penalty, added to the gradient
/// \param maximize whether g is the negative gradient
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void SGD(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                        MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                        MSHADOW_HYPER double lr = 0.1, MSHADOW_HYPER double decay = 0.0,
                        MSHADOW_HYPER bool maximize = false) {
  const double sign = maximize ? -1.0 : 1.0;
  auto w = tcast<Promoted<DType>>(weight);
  weight = tcast<DType>(w - lr * (sign * tcast<Promoted<DType>>(grad) + decay * w));
}
MSHADOW_INSTANTIATE(SGD, float, double, half::half_t, bfloat::bf16_t);

/// SGD with momentum: b = momentum b + (1 - dampening) g, w = w - lr b, where g includes the L2
/// decay. The first step takes g undampened. Polyak 1964; the order of torch.optim.SGD.
/// \param weight parameters, updated in place
/// \param momentum_buffer running sum of gradients
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param momentum decay rate of the buffer
/// \param dampening share of the gradient that is left out, from the second step on
/// \param decay L2 penalty, added to the gradient
/// \param step number of this update, from 1
/// \param maximize whether g is the negative gradient
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void SGDMomentum(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                                MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> momentum_buffer,
                                MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                                MSHADOW_HYPER double lr = 0.1, MSHADOW_HYPER double momentum = 0.9,
                                MSHADOW_HYPER double dampening = 0.0,
                                MSHADOW_HYPER double decay = 0.0, MSHADOW_STEP int step = 1,
                                MSHADOW_HYPER bool maximize = false) {
  MSHADOW_CHECK_STEP(step);
  const double sign = maximize ? -1.0 : 1.0;
  const double fresh = step == 1 ? 1.0 : 1.0 - dampening;
  auto w = tcast<Promoted<DType>>(weight);
  momentum_buffer =
      momentum * momentum_buffer + fresh * (sign * tcast<Promoted<DType>>(grad) + decay * w);
  weight = tcast<DType>(w - lr * momentum_buffer);
}
MSHADOW_INSTANTIATE(SGDMomentum, float, double, half::half_t, bfloat::bf16_t);

/// Nesterov's accelerated gradient: b = momentum b + g, w = w - lr (g + momentum b), where g
/// includes the L2 decay. Sutskever et al. 2013; torch.optim.SGD(nesterov=True).
/// \param weight parameters, updated in place
/// \param momentum_buffer running sum of gradients
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param momentum decay rate of the buffer
/// \param decay L2 penalty, added to the gradient
/// \param maximize whether g is the negative gradient
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void NAG(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                        MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> momentum_buffer,
                        MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                        MSHADOW_HYPER double lr = 0.1, MSHADOW_HYPER double momentum = 0.9,
                        MSHADOW_HYPER double decay = 0.0, MSHADOW_HYPER bool maximize = false) {
  const double sign = maximize ? -1.0 : 1.0;
  auto w = tcast<Promoted<DType>>(weight);
  auto g = sign * tcast<Promoted<DType>>(grad) + decay * w;
  momentum_buffer = momentum * momentum_buffer + g;
  weight = tcast<DType>(w - lr * (g + momentum * momentum_buffer));
}
MSHADOW_INSTANTIATE(NAG, float, double, half::half_t, bfloat::bf16_t);

/// MXNet's SGD: w = w - lr (clip(rescale_grad g) + wd w). The order of mxnet.optimizer.SGD of MXNet
/// 1.9.1 and 2.0.0.beta.
/// \param weight parameters, updated in place
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param wd L2 penalty, added after the clip
/// \param rescale_grad factor of the gradient
/// \param clip_gradient limit of a gradient's magnitude; negative: none
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void MxnetSGD(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                             MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                             MSHADOW_HYPER double lr = 0.1, MSHADOW_HYPER double wd = 0.0,
                             MSHADOW_HYPER double rescale_grad = 1.0,
                             MSHADOW_HYPER double clip_gradient = -1.0) {
  auto w = tcast<Promoted<DType>>(weight);
  auto clipped =
      F<clip_unless_negative>(rescale_grad * tcast<Promoted<DType>>(grad), clip_gradient);
  weight = tcast<DType>(w - lr * (clipped + wd * w));
}
MSHADOW_INSTANTIATE(MxnetSGD, float, double, half::half_t, bfloat::bf16_t);

/// MXNet's SGD with momentum: m = momentum m - lr (clip(rescale_grad g) + wd w), w = w + m. The
/// learning rate is inside the buffer. The order of mxnet.optimizer.SGD of MXNet 1.9.1 and
/// 2.0.0.beta.
/// \param weight parameters, updated in place
/// \param buffer running update
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param momentum decay rate of the buffer
/// \param wd L2 penalty, added after the clip
/// \param rescale_grad factor of the gradient
/// \param clip_gradient limit of a gradient's magnitude; negative: none
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void MxnetSGDMomentum(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                                     MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> buffer,
                                     MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                                     MSHADOW_HYPER double lr = 0.1,
                                     MSHADOW_HYPER double momentum = 0.9,
                                     MSHADOW_HYPER double wd = 0.0,
                                     MSHADOW_HYPER double rescale_grad = 1.0,
                                     MSHADOW_HYPER double clip_gradient = -1.0) {
  auto w = tcast<Promoted<DType>>(weight);
  auto clipped =
      F<clip_unless_negative>(rescale_grad * tcast<Promoted<DType>>(grad), clip_gradient);
  buffer = momentum * buffer - lr * (clipped + wd * w);
  weight = tcast<DType>(w + buffer);
}
MSHADOW_INSTANTIATE(MxnetSGDMomentum, float, double, half::half_t, bfloat::bf16_t);

/// MXNet's Nesterov momentum: d = lr (clip(rescale_grad g) + wd w), m = momentum m - d,
/// w = w + momentum m - d. The order of mxnet.optimizer.NAG of MXNet 1.9.1 and 2.0.0.beta.
/// \param weight parameters, updated in place
/// \param buffer running update
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param momentum decay rate of the buffer
/// \param wd L2 penalty, added after the clip
/// \param rescale_grad factor of the gradient
/// \param clip_gradient limit of a gradient's magnitude; negative: none
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void MxnetNAG(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                             MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> buffer,
                             MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                             MSHADOW_HYPER double lr = 0.1, MSHADOW_HYPER double momentum = 0.9,
                             MSHADOW_HYPER double wd = 0.0, MSHADOW_HYPER double rescale_grad = 1.0,
                             MSHADOW_HYPER double clip_gradient = -1.0) {
  auto w = tcast<Promoted<DType>>(weight);
  auto clipped =
      F<clip_unless_negative>(rescale_grad * tcast<Promoted<DType>>(grad), clip_gradient);
  auto d = lr * (clipped + wd * w);
  buffer = momentum * buffer - d;
  weight = tcast<DType>(w + momentum * buffer - d);
}
MSHADOW_INSTANTIATE(MxnetNAG, float, double, half::half_t, bfloat::bf16_t);

/// SGD with momentum as apex' FusedSGD with wd_after_momentum: b = momentum b + (1 - dampening) g,
/// w = w - lr (b + decay w), with g + momentum b in the place of b if `nesterov`. The first step
/// takes g undampened. (Without wd_after_momentum FusedSGD is SGDMomentum or NAG.)
/// \param weight parameters, updated in place
/// \param momentum_buffer running sum of gradients
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param momentum decay rate of the buffer
/// \param dampening share of the gradient that is left out, from the second step on
/// \param decay weight decay, which the buffer does not remember
/// \param nesterov whether the step is that of Nesterov's momentum
/// \param step number of this update, from 1
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void ApexSGDDecayAfter(
    MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
    MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> momentum_buffer,
    MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad, MSHADOW_HYPER double lr = 0.1,
    MSHADOW_HYPER double momentum = 0.9, MSHADOW_HYPER double dampening = 0.0,
    MSHADOW_HYPER double decay = 0.0, MSHADOW_HYPER bool nesterov = false,
    MSHADOW_STEP int step = 1) {
  MSHADOW_CHECK_STEP(step);
  const double fresh = step == 1 ? 1.0 : 1.0 - dampening;
  const double of_buffer = nesterov ? momentum : 1.0, of_grad = nesterov ? 1.0 : 0.0;
  auto w = tcast<Promoted<DType>>(weight);
  auto g = tcast<Promoted<DType>>(grad);
  momentum_buffer = momentum * momentum_buffer + fresh * g;
  weight = tcast<DType>(w - lr * (of_grad * g + of_buffer * momentum_buffer + decay * w));
}
MSHADOW_INSTANTIATE(ApexSGDDecayAfter, float, double, half::half_t, bfloat::bf16_t);

/// cxxnet's Nesterov momentum: n = momentum m - lr (g + decay w),
/// w = w + (1 + momentum) n - momentum m, m = n. Equal to MxnetNAG except for rounding. The order
/// of cxxnet's NAGUpdater, nag_updater-inl.hpp.
/// \param weight parameters, updated in place
/// \param buffer running update
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param momentum decay rate of the buffer
/// \param decay L2 penalty, added to the gradient
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void CxxnetNAG(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                              MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> buffer,
                              MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                              MSHADOW_HYPER double lr = 0.1, MSHADOW_HYPER double momentum = 0.9,
                              MSHADOW_HYPER double decay = 0.0) {
  Temporary<xpu, dim, Promoted<DType>> next(weight.shape_, weight.stream_);
  auto w = tcast<Promoted<DType>>(weight);
  next = momentum * buffer - lr * (tcast<Promoted<DType>>(grad) + decay * w);
  weight = tcast<DType>(w + ((1.0 + momentum) * next - momentum * buffer));
  buffer = F<op::identity>(next);
}
MSHADOW_INSTANTIATE(CxxnetNAG, float, double, half::half_t, bfloat::bf16_t);

/// SGLD: w = w - lr / 2 (g + decay w) + sqrt(lr) noise: samples of the posterior, from gradients of
/// minus its logarithm. Welling and Teh 2011, (4); the order of mxnet.optimizer.SGLD.
/// \param weight parameters, updated in place
/// \param grad gradient of the loss with respect to the parameters
/// \param noise independent samples of the standard normal distribution, new in each step
/// \param lr variance of the noise in a step
/// \param decay L2 penalty, added to the gradient: that of a normal prior
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void SGLD(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                         MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                         const Tensor<xpu, dim, Promoted<DType>> &noise,
                         MSHADOW_HYPER double lr = 0.01, MSHADOW_HYPER double decay = 0.0) {
  const double half_lr = 0.5 * lr, deviation = math::sqrt(lr);
  auto w = tcast<Promoted<DType>>(weight);
  weight =
      tcast<DType>(w - half_lr * (tcast<Promoted<DType>>(grad) + decay * w) + deviation * noise);
}
MSHADOW_INSTANTIATE(SGLD, float, double, half::half_t, bfloat::bf16_t);

}  // namespace optim

#endif  // SPECS_OPTIM_SGD_H_
