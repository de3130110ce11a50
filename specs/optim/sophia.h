// SPDX-License-Identifier: Apache-2.0
/// \file sophia.h
/// Sophia-G: the mean of the gradient over the diagonal of the Hessian, limited for each weight.
/// Every few steps SophiaHessian takes a gradient for labels that are drawn from the model.
#ifndef SPECS_OPTIM_SOPHIA_H_
#define SPECS_OPTIM_SOPHIA_H_

#include "ops.h"

namespace optim {
using namespace mshadow;
using namespace mshadow::expr;

/// Sophia-G, the estimate of the Hessian's diagonal: h = beta2 h + (1 - beta2) g^2. Liu et al.
/// 2023, Algorithm 2 (Gauss-Newton-Bartlett); as in the authors' code the size of the batch is a
/// factor of SophiaG.
/// \param hessian running estimate of the diagonal
/// \param grad gradient of the loss for labels that are sampled from the outputs of the model
/// \param beta2 decay rate of the estimate
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void SophiaHessian(MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> hessian,
                                  MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                                  MSHADOW_HYPER double beta2 = 0.99) {
  hessian = beta2 * hessian + (1.0 - beta2) * F<op::square>(tcast<Promoted<DType>>(grad));
}
MSHADOW_INSTANTIATE(SophiaHessian, float, double, half::half_t, bfloat::bf16_t);

/// Sophia-G, the step: m = beta1 m + (1 - beta1) g,
/// w = (1 - lr decay) w - lr clip(m / (rho batch h + eps), 1). Liu et al. 2023, Algorithm 3; the
/// order of the authors' code.
/// \param weight parameters, updated in place
/// \param exp_avg running mean of the gradient
/// \param hessian diagonal of the Hessian, from SophiaHessian
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate; no weight moves by more
/// \param beta1 decay rate of the mean
/// \param rho factor of the Hessian: the smaller, the more weights move by lr
/// \param batch number of samples of a batch
/// \param eps added to the denominator, against division by zero
/// \param decay decoupled weight decay, multiplied by the learning rate
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void SophiaG(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                            MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> exp_avg,
                            const Tensor<xpu, dim, Promoted<DType>> &hessian,
                            MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                            MSHADOW_HYPER double lr = 0.0001, MSHADOW_HYPER double beta1 = 0.965,
                            MSHADOW_HYPER double rho = 0.04, MSHADOW_HYPER double batch = 1.0,
                            MSHADOW_HYPER double eps = 1e-15, MSHADOW_HYPER double decay = 0.1) {
  const double scale = rho * batch;
  exp_avg = beta1 * exp_avg + (1.0 - beta1) * tcast<Promoted<DType>>(grad);
  weight = tcast<DType>((1.0 - lr * decay) * tcast<Promoted<DType>>(weight) -
                        lr * F<op::clip>(exp_avg / (scale * hessian + eps), 1.0));
}
MSHADOW_INSTANTIATE(SophiaG, float, double, half::half_t, bfloat::bf16_t);

}  // namespace optim

#endif  // SPECS_OPTIM_SOPHIA_H_
