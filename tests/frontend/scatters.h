// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace specs {
using namespace mshadow;
using namespace mshadow::expr;

/// Rows of an argument, of a slice and of a temporary; indices out of range count in two ways.
template <typename xpu, typename DType, typename IType>
MSHADOW_KERNEL void Scatters(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                             const Tensor<xpu, 1, IType> &index, bool wraps) {
  Temporary<xpu, 2, DType> rows(in.shape_, in.stream_);
  rows = 2.0f * in;
  out = 0.0f;
  AddTakeGrad(out, index, rows);
  if (wraps) AddTakeGrad<false>(out.Slice(0, 4), index, in);
}
MSHADOW_INSTANTIATE(Scatters, Types<float, int64_t>, Types<half::half_t, float>);

}  // namespace specs
