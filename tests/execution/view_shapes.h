// SPDX-License-Identifier: Apache-2.0
// Rules whose views have other shapes than their sources.
#include <mshadow/kernel.h>

namespace view_shapes {
using namespace mshadow;
using namespace mshadow::expr;

/// The first half of each row times the second.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Gate(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  const index_t half = in.size(1) / 2;
  out = slice<1>(in, 0, half) * slice<1>(in, half, in.size(1));
}
MSHADOW_INSTANTIATE(Gate, float);

/// Rows of a table, and something of them added up.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Embed(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &table,
                          const Tensor<xpu, 1, int32_t> &index, bool scaled) {
  if (scaled) {
    out = take(index, table) * 2.0f;
  } else {
    out = 1.0f;
  }
}
MSHADOW_INSTANTIATE(Embed, float);

/// Patches of images as columns.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Patches(Tensor<xpu, 2, DType> out, const Tensor<xpu, 4, DType> &images) {
  out = unpack_patch2col(images, 2, 3, 1) + 1.0f;
}
MSHADOW_INSTANTIATE(Patches, float);

/// A transpose, and one matrix of several.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Cross(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &a,
                          const Tensor<xpu, 3, DType> &b, int which) {
  out = a.T() - b[which];
}
MSHADOW_INSTANTIATE(Cross, float);
}  // namespace view_shapes
