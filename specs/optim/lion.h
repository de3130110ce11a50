// SPDX-License-Identifier: Apache-2.0
/// \file lion.h
/// Lion: the sign of an interpolated momentum.
#ifndef SPECS_OPTIM_LION_H_
#define SPECS_OPTIM_LION_H_

#include <mshadow/kernel.h>

namespace optim {
using namespace mshadow;
using namespace mshadow::expr;

/// Lion: w = w - lr (sign(beta1 m + (1 - beta1) g) + decay w), m = beta2 m + (1 - beta2) g, with
/// decoupled decay. sign(0) is 0: a weight without gradient stays. Chen et al. 2023, Algorithm 2.
/// \param weight parameters, updated in place
/// \param mean running mean of the gradient
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate; every weight moves by as much
/// \param beta1 weight of the mean in the step
/// \param beta2 decay rate of the mean
/// \param decay decoupled weight decay, multiplied by the learning rate
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Lion(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                         MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> mean,
                         MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                         MSHADOW_HYPER double lr = 0.0001, MSHADOW_HYPER double beta1 = 0.9,
                         MSHADOW_HYPER double beta2 = 0.99, MSHADOW_HYPER double decay = 0.0) {
  auto w = tcast<Promoted<DType>>(weight);
  auto g = tcast<Promoted<DType>>(grad);
  auto direction = F<op::sign>(beta1 * mean + (1.0 - beta1) * g);
  weight = tcast<DType>(w - lr * (direction + decay * w));
  mean = beta2 * mean + (1.0 - beta2) * g;
}
MSHADOW_INSTANTIATE(Lion, float, double, half::half_t, bfloat::bf16_t);

}  // namespace optim

#endif  // SPECS_OPTIM_LION_H_
