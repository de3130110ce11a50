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

/// Two kernels of two shapes: beside each other.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Join(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &a,
                         const Tensor<xpu, 2, DType> &b) {
  slice<1>(out, 0, a.size(1)) = a * 2.0f;
  MSHADOW_STAGE();
  slice<1>(out, a.size(1), out.size(1)) += b;
}
MSHADOW_INSTANTIATE(Join, float);

/// Some columns of a tensor out of others.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Shift(Tensor<xpu, 2, DType> t, int from, int count) {
  slice<1>(t, 0, count) = slice<1>(t, from, from + count) + 1.0f;
}
MSHADOW_INSTANTIATE(Shift, float);

/// A view of what an earlier kernel wrote.
template <typename xpu, typename DType>
MSHADOW_KERNEL void FlipLater(Tensor<xpu, 2, DType> out, Tensor<xpu, 2, DType> twice,
                              const Tensor<xpu, 2, DType> &in) {
  twice = in * 2.0f;
  MSHADOW_STAGE();
  out = flip(twice, 0);
}
MSHADOW_INSTANTIATE(FlipLater, float);
}  // namespace view_shapes
