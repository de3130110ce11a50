// SPDX-License-Identifier: Apache-2.0
// Kernels that read across the rows of a tensor, in tiles.
#include <mshadow/kernel.h>

namespace tiled_views {
using namespace mshadow;
using namespace mshadow::expr;

/// A transposed matrix.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Transpose(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = in.T();
}
MSHADOW_INSTANTIATE(Transpose, float, double, half::half_t, int8_t);

/// Two of them, and the number of the row.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Combine(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &a,
                            const Tensor<xpu, 2, DType> &b) {
  auto row = broadcast<0>(range<DType>(0, out.size(0)), out.shape_);
  out += a.T() * 2.0f - b.T() + row;
}
MSHADOW_INSTANTIATE(Combine, float, double);

/// Each plane is transposed: rows of a tile may be those of several planes.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Planes(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &in) {
  out = swapaxis<2, 1>(in) + 1.0f;
}
MSHADOW_INSTANTIATE(Planes, float, uint8_t);

/// Images of channels from images of pixels: neighbours in memory are rows apart.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Channels(Tensor<xpu, 4, DType> out, const Tensor<xpu, 4, DType> &in) {
  out = transpose(in, Shape4(0, 3, 1, 2));
}
MSHADOW_INSTANTIATE(Channels, float, uint8_t);

/// Images of pixels from images of channels, beside another tensor: rows are as short as a pixel.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Pixels(Tensor<xpu, 4, DType> out, const Tensor<xpu, 4, DType> &in) {
  out += transpose(in, Shape4(0, 2, 3, 1));
}
MSHADOW_INSTANTIATE(Pixels, float, double, half::half_t, uint8_t);

/// Two images, of which only one may have gaps between its rows.
template <typename xpu, typename DType>
MSHADOW_KERNEL void TwoImages(Tensor<xpu, 4, DType> out, const Tensor<xpu, 4, DType> &a,
                              const Tensor<xpu, 4, DType> &b) {
  out = transpose(a, Shape4(0, 2, 3, 1)) - transpose(b, Shape4(0, 2, 3, 1));
}
MSHADOW_INSTANTIATE(TwoImages, float, double);

/// Zeros around it.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Padded(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out += pad(in.T(), 2);
}
MSHADOW_INSTANTIATE(Padded, float, half::half_t);

/// A part of it.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Inner(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = crop(in.T(), out.shape_, 3, 1);
}
MSHADOW_INSTANTIATE(Inner, float, double);

/// It is read under a condition.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Perhaps(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in, bool adds) {
  if (adds) {
    out += in.T();
  } else {
    out = out * 2.0f;
  }
}
MSHADOW_INSTANTIATE(Perhaps, float);
}  // namespace tiled_views
