// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace specs {
using namespace mshadow;
using namespace mshadow::expr;

/// Shares its name with the next rule.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Fill(Tensor<xpu, 1, DType> out, float value) {
  out = value;
}
template <typename xpu, typename DType>
MSHADOW_KERNEL void Fill(Tensor<xpu, 2, DType> out, const Tensor<xpu, 1, DType> &row) {
  out = broadcast<1>(row, out.shape_);
}
MSHADOW_INSTANTIATE(Fill, float, double);

namespace inner {
/// Has its name alone: the others are in another namespace.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Fill(Tensor<xpu, dim, DType> out) {
  out = 1.0f;
}
MSHADOW_INSTANTIATE(Fill, float);
}  // namespace inner
}  // namespace specs
