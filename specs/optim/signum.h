// SPDX-License-Identifier: Apache-2.0
/// \file signum.h
/// signSGD and Signum: steps of one size, in the direction of a sign.
#ifndef SPECS_OPTIM_SIGNUM_H_
#define SPECS_OPTIM_SIGNUM_H_

#include "ops.h"

namespace optim {
using namespace mshadow;
using namespace mshadow::expr;

/// signSGD: w = (1 - lr wd) w - lr sign(g). The sign of a gradient that is clipped or scaled by a
/// positive factor is the same, so there are no such parameters. Bernstein et al. 2018,
/// Algorithm 1; the order of MXNet's signsgd_update, 1.9.1 and 2.0.0.beta.
/// \param weight parameters, updated in place
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate; every weight moves by as much
/// \param wd decoupled weight decay, multiplied by the learning rate
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void SignSGD(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                            MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                            MSHADOW_HYPER double lr = 0.0002, MSHADOW_HYPER double wd = 0.0) {
  weight = tcast<DType>((1.0 - lr * wd) * tcast<Promoted<DType>>(weight) -
                        lr * F<op::sign>(tcast<Promoted<DType>>(grad)));
}
MSHADOW_INSTANTIATE(SignSGD, float, double, half::half_t, bfloat::bf16_t);

/// Signum: m = momentum m - (1 - momentum) (clip(rescale_grad g) + wd w),
/// w = (1 - lr wd_lh) w + lr sign(m). Bernstein et al. 2018, Algorithm 3; the order of
/// mxnet.optimizer.Signum of MXNet 1.9.1 and 2.0.0.beta, with its decoupled decay wd_lh.
/// \param weight parameters, updated in place
/// \param buffer running mean of the negative gradient
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate; every weight moves by as much
/// \param momentum decay rate of the buffer
/// \param wd L2 penalty, added after the clip
/// \param rescale_grad factor of the gradient
/// \param clip_gradient limit of a gradient's magnitude; negative: none
/// \param wd_lh decoupled weight decay, multiplied by the learning rate
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Signum(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                           MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> buffer,
                           MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                           MSHADOW_HYPER double lr = 0.0001, MSHADOW_HYPER double momentum = 0.9,
                           MSHADOW_HYPER double wd = 0.0, MSHADOW_HYPER double rescale_grad = 1.0,
                           MSHADOW_HYPER double clip_gradient = -1.0,
                           MSHADOW_HYPER double wd_lh = 0.0) {
  auto w = tcast<Promoted<DType>>(weight);
  auto clipped =
      F<clip_unless_negative>(rescale_grad * tcast<Promoted<DType>>(grad), clip_gradient);
  buffer = momentum * buffer - (1.0 - momentum) * (clipped + wd * w);
  weight = tcast<DType>((1.0 - lr * wd_lh) * w + lr * F<op::sign>(buffer));
}
MSHADOW_INSTANTIATE(Signum, float, double, half::half_t, bfloat::bf16_t);

}  // namespace optim

#endif  // SPECS_OPTIM_SIGNUM_H_
