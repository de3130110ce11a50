// SPDX-License-Identifier: Apache-2.0
/// \file novograd.h
/// NovoGrad: one second moment for each layer.
#ifndef SPECS_OPTIM_NOVOGRAD_H_
#define SPECS_OPTIM_NOVOGRAD_H_

#include "ops.h"

namespace optim {
using namespace mshadow;
using namespace mshadow::expr;

/// NovoGrad: v = beta2 v + (1 - beta2) |g|^2 (at first |g|^2), m = beta1 m + g / (sqrt(v) + eps) +
/// decay w, w = w - lr m. Ginsburg et al. 2019, Algorithm 1.
/// \param weight parameters of one layer, updated in place
/// \param mean running sum of the normalised gradient
/// \param variance running mean of the gradient's squared length, one element
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param beta1 decay rate of the mean
/// \param beta2 decay rate of the variance
/// \param eps added to the root, against division by zero
/// \param decay decoupled weight decay
/// \param step number of this update, from 1
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void NovoGrad(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                             MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> mean,
                             MSHADOW_STATE(0) Tensor<xpu, 1, Promoted<DType>> variance,
                             MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                             MSHADOW_HYPER double lr = 0.01, MSHADOW_HYPER double beta1 = 0.95,
                             MSHADOW_HYPER double beta2 = 0.98, MSHADOW_HYPER double eps = 1e-8,
                             MSHADOW_HYPER double decay = 0.001, MSHADOW_STEP int step = 1) {
  MSHADOW_CHECK_STEP(step);
  Temporary<xpu, 1, Promoted<DType>> length(Shape1(1), weight.stream_);
  Temporary<xpu, 1, Promoted<DType>> inv_root(Shape1(1), weight.stream_);
  auto w = tcast<Promoted<DType>>(weight);
  auto g = tcast<Promoted<DType>>(grad);
  length = reduce_all<red::sum>(F<op::square>(g));
  if (step == 1) {
    variance = tcast<Promoted<DType>>(length);
  } else {
    variance = beta2 * variance + (1.0 - beta2) * length;
  }
  inv_root = 1.0 / (F<op::square_root>(variance) + eps);
  mean = beta1 * mean + (g * broadcast_scalar(inv_root, weight.shape_) + decay * w);
  weight = tcast<DType>(w - lr * mean);
}
MSHADOW_INSTANTIATE(NovoGrad, float, double, half::half_t, bfloat::bf16_t);

}  // namespace optim

#endif  // SPECS_OPTIM_NOVOGRAD_H_
