// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace example {
using namespace mshadow;
using namespace mshadow::expr;

/// A step of gradient descent with L2 decay.
/// \param weight weights, updated in place
/// \param grad gradient of the loss with respect to the weights
/// \param eta learning rate
/// \param lambda L2 penalty
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void UpdateRule(Tensor<xpu, dim, DType> weight, const Tensor<xpu, dim, DType> &grad,
                               float eta, float lambda) {
  weight -= eta * (grad + lambda * weight);
}
MSHADOW_INSTANTIATE(UpdateRule, float, double);
}  // namespace example
