// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace own {
using namespace mshadow;
using namespace mshadow::expr;

/// A step of gradient descent with momentum. Each element of the gradient is clipped.
/// \param weight weights, updated in place
/// \param velocity running sum of steps, updated in place
/// \param grad gradient of the loss with respect to the weights
/// \param lr learning rate
/// \param momentum share of the velocity that is kept
/// \param limit largest absolute value of the gradient
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void ClippedSGD(Tensor<xpu, dim, DType> weight, Tensor<xpu, dim, DType> velocity,
                               const Tensor<xpu, dim, DType> &grad, float lr,
                               float momentum = 0.9f, float limit = 1.0f) {
  velocity = momentum * velocity - lr * F<op::clip>(grad, limit);
  weight += velocity;
}
MSHADOW_INSTANTIATE(ClippedSGD, float, double);
}  // namespace own
