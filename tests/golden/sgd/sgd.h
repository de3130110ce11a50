// SPDX-License-Identifier: Apache-2.0
// Scalar conditions, one inside the other; a tensor that only some variants write.
#include <mshadow/kernel.h>

namespace optim {
using namespace mshadow;
using namespace mshadow::expr;

/// Gradient descent with momentum, plain or in Nesterov's form.
/// \param lr learning rate; with 0 only the momentum is tracked
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void SGD(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                        MSHADOW_STATE(0) Tensor<xpu, dim, DType> momentum,
                        MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                        MSHADOW_HYPER float lr = 0.1f, MSHADOW_HYPER float mu = 0.9f,
                        MSHADOW_HYPER bool nesterov = false) {
  momentum = mu * momentum + grad;
  if (lr > 0.0f) {
    if (nesterov) {
      weight -= lr * (grad + mu * momentum);
    } else {
      weight -= lr * momentum;
    }
  }
}
MSHADOW_INSTANTIATE(SGD, float, double);
}  // namespace optim
