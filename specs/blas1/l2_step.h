// SPDX-License-Identifier: Apache-2.0
/// \file l2_step.h
/// The expression that mshadow's guide begins with.
#ifndef SPECS_BLAS1_L2_STEP_H_
#define SPECS_BLAS1_L2_STEP_H_

#include <mshadow/kernel.h>

namespace blas1 {
using namespace mshadow;
using namespace mshadow::expr;

/// weight = -eta (grad + lambda weight): the step of gradient descent with L2 decay, in place of
/// the weights. All arithmetic is in the element type.
/// \param weight weights before, the step afterwards
/// \param grad gradient of the loss with respect to the weights
/// \param eta learning rate
/// \param lambda L2 penalty
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void L2Step(Tensor<xpu, dim, DType> weight, const Tensor<xpu, dim, DType> &grad,
                           MSHADOW_HYPER double eta = 0.1, MSHADOW_HYPER double lambda = 0.01) {
  weight = -eta * (grad + lambda * weight);
}
MSHADOW_INSTANTIATE(L2Step, float, double);

}  // namespace blas1

#endif  // SPECS_BLAS1_L2_STEP_H_
