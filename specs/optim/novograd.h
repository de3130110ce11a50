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
                             MSHADOW_STATE(0) Tensor<xpu, dim, float> mean,
                             MSHADOW_STATE(0) Tensor<xpu, 1, float> variance,
                             MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                             MSHADOW_HYPER float lr = 0.01f, MSHADOW_HYPER float beta1 = 0.95f,
                             MSHADOW_HYPER float beta2 = 0.98f, MSHADOW_HYPER float eps = 1e-8f,
                             MSHADOW_HYPER float decay = 0.001f, MSHADOW_STEP int step = 1) {
  MSHADOW_CHECK_STEP(step);
  Temporary<xpu, 1, float> length(Shape1(1), weight.stream_);
  Temporary<xpu, 1, float> inv_root(Shape1(1), weight.stream_);
  auto w = tcast<float>(weight);
  auto g = tcast<float>(grad);
  length = reduce_all<red::sum>(F<op::square>(g));
  if (step == 1) {
    variance = tcast<float>(length);
  } else {
    variance = beta2 * variance + (1.0f - beta2) * length;
  }
  inv_root = 1.0f / (F<op::square_root>(variance) + eps);
  mean = beta1 * mean + (g * broadcast_scalar(inv_root, weight.shape_) + decay * w);
  weight = tcast<DType>(w - lr * mean);
}
MSHADOW_INSTANTIATE(NovoGrad, float, half::half_t, bfloat::bf16_t);

}  // namespace optim

#endif  // SPECS_OPTIM_NOVOGRAD_H_
