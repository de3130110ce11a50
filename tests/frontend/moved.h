// SPDX-License-Identifier: Apache-2.0
// Arithmetic inside views moves out of them.
#include <mshadow/kernel.h>

namespace specs {
using namespace mshadow;
using namespace mshadow::expr;

/// Also out of parentheses, and of a name that stands for such an expression.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Moved(Tensor<xpu, 3, DType> out, const Tensor<xpu, 2, DType> &a,
                          const Tensor<xpu, 2, uint8_t> &b, const Tensor<xpu, 1, DType> &v) {
  auto difference = (tcast<DType>(b) - broadcast<0>(v, b.shape_));
  out = broadcast_with_axis((difference) * a, 1, out.size(2));
  out += broadcast_with_axis((a - 2.0f), 1, out.size(2));
}
MSHADOW_INSTANTIATE(Moved, float);
}  // namespace specs
