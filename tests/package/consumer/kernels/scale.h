// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace toy {
using namespace mshadow;
using namespace mshadow::expr;

/// Every element times a factor.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Scale(Tensor<xpu, dim, DType> out, float factor) {
  out *= factor;
}
MSHADOW_INSTANTIATE(Scale, float);
}  // namespace toy
