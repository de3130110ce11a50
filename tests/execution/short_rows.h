// SPDX-License-Identifier: Apache-2.0
// Rows of a few elements: one to four, as the spec says by the ends of its slices, several to a
// packet; and those of matrices that are read across.
#include <mshadow/kernel.h>

namespace short_rows {
using namespace mshadow;
using namespace mshadow::expr;

/// Pixels of four channels over pixels of three.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Over(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  auto alpha = broadcast_keepdim(tcast<int32_t>(slice<1>(in, 3, 4)), 1, 3);
  auto colour = tcast<int32_t>(slice<1>(in, 0, 3));
  out = tcast<DType>((colour * alpha + tcast<int32_t>(out) * (255 - alpha)) / 255);
}
MSHADOW_INSTANTIATE(Over, uint8_t);

/// Differences of neighbouring channels, each with a gain.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Channels(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &in,
                             const Tensor<xpu, 1, DType> &gain) {
  out = slice<2>(in, 1, 4) * broadcast<2>(gain, out.shape_) - slice<2>(in, 0, 3);
}
MSHADOW_INSTANTIATE(Channels, float, double, half::half_t, int8_t);

/// Two channels are written, and the others stay.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Pairs(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                          const Tensor<xpu, 1, DType> &row) {
  slice<1>(out, 1, 3) = slice<1>(in, 0, 2) + broadcast_with_axis(row, 0, 2);
}
MSHADOW_INSTANTIATE(Pairs, float, int8_t);

/// The two channels of complex numbers, each times an element of a matrix.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Scaled(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &in,
                           const Tensor<xpu, 2, DType> &factor) {
  slice<2>(out, 1, 3) = slice<2>(in, 0, 2) * broadcast_with_axis(factor, 1, 2);
  slice<2>(out, 0, 1) = slice<2>(in, 2, 3) - broadcast_with_axis(factor, 1, 1);
}
MSHADOW_INSTANTIATE(Scaled, float, half::half_t, int8_t);

/// The same of frames.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Frames(Tensor<xpu, 4, DType> out, const Tensor<xpu, 4, DType> &in,
                           const Tensor<xpu, 3, DType> &factor) {
  out = slice<3>(in, 0, 3) * broadcast_with_axis(factor, 2, 3);
}
MSHADOW_INSTANTIATE(Frames, float);

/// One channel for another.
template <typename xpu, typename DType>
MSHADOW_KERNEL void One(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  slice<1>(out, 2, 3) = slice<1>(in, 0, 1) * slice<1>(in, 1, 2);
}
MSHADOW_INSTANTIATE(One, float, double);

/// Four of any rank.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Four(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out += slice<dim - 1>(in, 0, 4) * 2.0f;
}
MSHADOW_INSTANTIATE(Four, float);

/// A matrix that is read across, with a value for each row.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Across(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &across,
                           const Tensor<xpu, 1, DType> &row) {
  out = across.T() - broadcast<0>(row, out.shape_);
}
MSHADOW_INSTANTIATE(Across, float, double, int8_t);
}  // namespace short_rows
