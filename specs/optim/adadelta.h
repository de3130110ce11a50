// SPDX-License-Identifier: Apache-2.0
/// \file adadelta.h
/// Adadelta: steps in the units of the parameters, from running means of squared gradients and of
/// squared steps. The paper has no L2 decay. With one in the gradient, as MXNet has it, the step
/// needs a Temporary: it is used twice, and the second time the weight is the new one.
#ifndef SPECS_OPTIM_ADADELTA_H_
#define SPECS_OPTIM_ADADELTA_H_

#include "ops.h"

namespace optim {
using namespace mshadow;
using namespace mshadow::expr;

/// Adadelta: v = rho v + (1 - rho) g^2, d = sqrt(u + eps) / sqrt(v + eps) g, w = w - lr d,
/// u = rho u + (1 - rho) d^2. Zeiler 2012, Algorithm 1; the order of torch.optim.Adadelta.
/// \param weight parameters, updated in place
/// \param square_avg running mean of the squared gradient
/// \param acc_delta running mean of the squared step
/// \param grad gradient of the loss with respect to the parameters
/// \param lr factor of the step
/// \param rho decay rate of both means
/// \param eps added inside both roots
/// \param maximize whether g is the negative gradient
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Adadelta(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                             MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> square_avg,
                             MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> acc_delta,
                             MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                             MSHADOW_HYPER double lr = 1.0, MSHADOW_HYPER double rho = 0.9,
                             MSHADOW_HYPER double eps = 1e-6, MSHADOW_HYPER bool maximize = false) {
  const double sign = maximize ? -1.0 : 1.0;
  auto g = sign * tcast<Promoted<DType>>(grad);
  square_avg = rho * square_avg + (1.0 - rho) * F<op::square>(g);
  auto root = F<op::square_root>(acc_delta + eps);
  auto d = root / F<op::square_root>(square_avg + eps) * g;
  weight = tcast<DType>(tcast<Promoted<DType>>(weight) - lr * d);
  acc_delta = rho * acc_delta + (1.0 - rho) * F<op::square>(d);
}
MSHADOW_INSTANTIATE(Adadelta, float, double, half::half_t, bfloat::bf16_t);

/// MXNet's Adadelta: as Adadelta, of the gradient clip(rescale_grad g) + wd w. The order of
/// mxnet.optimizer.AdaDelta of MXNet 2.0.0.beta; release 1 is Mxnet1Adadelta.
/// \param weight parameters, updated in place
/// \param variance running mean of the squared gradient
/// \param delta running mean of the squared step
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param rho decay rate of both means
/// \param epsilon added inside both roots
/// \param wd L2 penalty, added after the clip
/// \param rescale_grad factor of the gradient
/// \param clip_gradient limit of a gradient's magnitude; negative: none
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void MxnetAdadelta(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                                  MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> variance,
                                  MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> delta,
                                  MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                                  MSHADOW_HYPER double lr = 1.0, MSHADOW_HYPER double rho = 0.9,
                                  MSHADOW_HYPER double epsilon = 1e-6,
                                  MSHADOW_HYPER double wd = 0.0,
                                  MSHADOW_HYPER double rescale_grad = 1.0,
                                  MSHADOW_HYPER double clip_gradient = -1.0) {
  Temporary<xpu, dim, Promoted<DType>> step(weight.shape_, weight.stream_);
  auto w = tcast<Promoted<DType>>(weight);
  auto g =
      F<clip_unless_negative>(rescale_grad * tcast<Promoted<DType>>(grad), clip_gradient) + wd * w;
  variance = rho * variance + (1.0 - rho) * F<op::square>(g);
  step = F<op::square_root>(delta + epsilon) / F<op::square_root>(variance + epsilon) * g;
  weight = tcast<DType>(w - lr * step);
  delta = rho * delta + (1.0 - rho) * F<op::square>(step);
}
MSHADOW_INSTANTIATE(MxnetAdadelta, float, double, half::half_t, bfloat::bf16_t);

/// Adadelta of MXNet 1, of the gradient clip(rescale_grad g), with a decay that is no part of it:
/// w = w - lr d - wd w. The order of mxnet.optimizer.AdaDelta of MXNet 1.9.1, where lr is 1.
/// \param weight parameters, updated in place
/// \param variance running mean of the squared gradient
/// \param delta running mean of the squared step
/// \param grad gradient of the loss with respect to the parameters
/// \param lr factor of the step
/// \param rho decay rate of both means
/// \param epsilon added inside both roots
/// \param wd decoupled weight decay
/// \param rescale_grad factor of the gradient
/// \param clip_gradient limit of a gradient's magnitude; negative: none
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Mxnet1Adadelta(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                                   MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> variance,
                                   MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> delta,
                                   MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                                   MSHADOW_HYPER double lr = 1.0, MSHADOW_HYPER double rho = 0.9,
                                   MSHADOW_HYPER double epsilon = 1e-5,
                                   MSHADOW_HYPER double wd = 0.0,
                                   MSHADOW_HYPER double rescale_grad = 1.0,
                                   MSHADOW_HYPER double clip_gradient = -1.0) {
  auto w = tcast<Promoted<DType>>(weight);
  auto g = F<clip_unless_negative>(rescale_grad * tcast<Promoted<DType>>(grad), clip_gradient);
  variance = rho * variance + (1.0 - rho) * F<op::square>(g);
  auto root = F<op::square_root>(delta + epsilon);
  auto d = root / F<op::square_root>(variance + epsilon) * g;
  weight = tcast<DType>(w - lr * d - wd * w);
  delta = rho * delta + (1.0 - rho) * F<op::square>(d);
}
MSHADOW_INSTANTIATE(Mxnet1Adadelta, float, double, half::half_t, bfloat::bf16_t);

}  // namespace optim

#endif  // SPECS_OPTIM_ADADELTA_H_
