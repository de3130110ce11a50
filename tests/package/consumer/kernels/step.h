// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

#include "rate.h"

namespace toy {
using namespace mshadow;
using namespace mshadow::expr;

/// One step down the gradient.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Step(Tensor<xpu, dim, DType> weight, const Tensor<xpu, dim, DType> &grad) {
  weight -= F<rate>(grad);
}
MSHADOW_INSTANTIATE(Step, float);
}  // namespace toy
