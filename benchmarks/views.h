// SPDX-License-Identifier: Apache-2.0
// Rules that read and write at other places: some for any rank and with the rank fixed, some to be
// compared with loops by hand.
#include <mshadow/kernel.h>

namespace views {
using namespace mshadow;
using namespace mshadow::expr;

/// Rows in reverse.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void FlipAny(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = flip(in, dim - 1) * 2.0f + in;
}
MSHADOW_INSTANTIATE(FlipAny, float);
template <typename xpu, typename DType>
MSHADOW_KERNEL void Flip(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = flip(in, 1) * 2.0f + in;
}
MSHADOW_INSTANTIATE(Flip, float);

/// The first dimension in reverse.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void FlipFirstAny(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = flip(in, 0) * 2.0f + in;
}
MSHADOW_INSTANTIATE(FlipFirstAny, float);
template <typename xpu, typename DType>
MSHADOW_KERNEL void FlipFirst(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = flip(in, 0) * 2.0f + in;
}
MSHADOW_INSTANTIATE(FlipFirst, float);

/// A row for all rows, by its extent of 1.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Spread(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                           const Tensor<xpu, 2, DType> &row) {
  out = in * broadcast_to(row, in.shape_);
}
MSHADOW_INSTANTIATE(Spread, float);

/// Halves of rows that change places.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void SwapAny(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  const index_t cols = in.size(dim - 1), half = cols / 2;
  out = concat<dim - 1>(slice<dim - 1>(in, half, cols), slice<dim - 1>(in, 0, half)) - in;
}
MSHADOW_INSTANTIATE(SwapAny, float);
template <typename xpu, typename DType>
MSHADOW_KERNEL void Swap(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  const index_t cols = in.size(1), half = cols / 2;
  out = concat<1>(slice<1>(in, half, cols), slice<1>(in, 0, half)) - in;
}
MSHADOW_INSTANTIATE(Swap, float);

/// The maximum of three neighbours.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void PoolAny(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = pool<red::maximum>(pad(in, 0, 1), 1, 3, 1) - in;
}
MSHADOW_INSTANTIATE(PoolAny, float);
template <typename xpu, typename DType>
MSHADOW_KERNEL void Pool(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = pool<red::maximum>(pad(in, 0, 1), 1, 3, 1) - in;
}
MSHADOW_INSTANTIATE(Pool, float);

/// A gate: one half of each row for the other, written to the first half of the result's.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void GateAny(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  const index_t cols = in.size(dim - 1), half = cols / 2;
  slice<dim - 1>(out, 0, half) = slice<dim - 1>(in, 0, half) * slice<dim - 1>(in, half, 2 * half);
}
MSHADOW_INSTANTIATE(GateAny, float);
template <typename xpu, typename DType>
MSHADOW_KERNEL void Gate(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  const index_t cols = in.size(1), half = cols / 2;
  slice<1>(out, 0, half) = slice<1>(in, 0, half) * slice<1>(in, half, 2 * half);
}
MSHADOW_INSTANTIATE(Gate, float);

/// Four neighbours; outside of the image there are zeros.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Stencil(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  auto wide = pad(in, 1);
  out = in + 0.25f * (crop(wide, in.shape_, 0, 1) + crop(wide, in.shape_, 2, 1) +
                      crop(wide, in.shape_, 1, 0) + crop(wide, in.shape_, 1, 2));
}
MSHADOW_INSTANTIATE(Stencil, float);

/// Columns as rows.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Transposed(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = in.T() * 2.0f + in;
}
MSHADOW_INSTANTIATE(Transposed, float);

/// Columns as rows, each divided by the sum of its squares.
template <typename xpu, typename DType>
MSHADOW_KERNEL void ScaledRows(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  auto total = reduce_keepdim<red::sum, false>(in.T() * in.T(), 1);
  out = in.T() / broadcast_keepdim(total, 1, out.size(1));
}
MSHADOW_INSTANTIATE(ScaledRows, float);

/// An image of channels from one of pixels.
template <typename xpu, typename DType>
MSHADOW_KERNEL void ToChannels(Tensor<xpu, 4, DType> out, const Tensor<xpu, 4, DType> &in) {
  out = transpose(in, Shape4(0, 3, 1, 2)) * 2.0f;
}
MSHADOW_INSTANTIATE(ToChannels, float);

/// An image of pixels from one of channels.
template <typename xpu, typename DType>
MSHADOW_KERNEL void ToPixels(Tensor<xpu, 4, DType> out, const Tensor<xpu, 4, DType> &in) {
  out = transpose(in, Shape4(0, 2, 3, 1)) * 2.0f;
}
MSHADOW_INSTANTIATE(ToPixels, float);

/// What all others do to each element of a row.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Forces(Tensor<xpu, 1, DType> out, const Tensor<xpu, 1, DType> &in) {
  auto distance = broadcast_with_axis(in, -1, in.size(0)) - broadcast_with_axis(in, 0, in.size(0));
  out = reduce_with_axis<red::sum, false>(distance / (distance * distance + 1.0f), 1);
}
MSHADOW_INSTANTIATE(Forces, float);
/// A normalisation of dimensions 1 and 3 of five: each sum has a kernel of its own.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Normalise(Tensor<xpu, 5, DType> out, const Tensor<xpu, 5, DType> &in) {
  const index_t n = in.size(1), m = in.size(3);
  const DType share = DType(1.0f / (n * m));
  auto sum = reduce_keepdim<red::sum, false>(reduce_keepdim<red::sum, false>(in, 3), 1);
  auto centred = in - broadcast_keepdim(broadcast_keepdim(share * sum, 3, m), 1, n);
  auto squares = reduce_keepdim<red::sum, false>(centred * centred, 3);
  auto variance = share * reduce_keepdim<red::sum, false>(squares, 1);
  auto root = F<op::square_root>(variance + DType(1));
  out = centred / broadcast_keepdim(broadcast_keepdim(root, 3, m), 1, n);
}
MSHADOW_INSTANTIATE(Normalise, float);

/// Each element four times.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Upsample(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = upsampling_nearest(in, 2) * 2.0f;
}
MSHADOW_INSTANTIATE(Upsample, float);
/// The same elements in another shape.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Reshape(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = reshape(in, out.shape_) * 2.0f;
}
MSHADOW_INSTANTIATE(Reshape, float);
/// Each element of a row twice: a new dimension, which becomes a part of the last one.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Repeat(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = reshape(broadcast_with_axis(in, 1, 2), out.shape_) * 2.0f;
}
MSHADOW_INSTANTIATE(Repeat, float);
/// Rows of a table.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Take(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &table,
                         const Tensor<xpu, 1, int32_t> &index) {
  out = take(index, table) * 2.0f;
}
MSHADOW_INSTANTIATE(Take, float);
/// Less 1 in one column of each row.
template <typename xpu, typename DType>
MSHADOW_KERNEL void OneHot(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                           const Tensor<xpu, 1, int32_t> &index) {
  out = in - one_hot_encode<DType>(index, in.size(1));
}
MSHADOW_INSTANTIATE(OneHot, float);
/// Times the number of the column.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Count(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = in * broadcast<1>(range<DType>(0, in.size(1)), in.shape_);
}
MSHADOW_INSTANTIATE(Count, float);
/// Windows of 2 x 2 elements beside each other, and of 3 x 3 around each element.
template <typename xpu, typename DType>
MSHADOW_KERNEL void MaxOfFour(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = pool<red::maximum>(in, 2, 2, 2) * 2.0f;
}
MSHADOW_INSTANTIATE(MaxOfFour, float);
template <typename xpu, typename DType>
MSHADOW_KERNEL void SumOfNine(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = pool<red::sum>(pad(in, 1), 3, 3, 1) * 2.0f;
}
MSHADOW_INSTANTIATE(SumOfNine, float);
template <typename xpu, typename DType>
MSHADOW_KERNEL void MaxOfFourGrad(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                                  const Tensor<xpu, 2, DType> &pooled,
                                  const Tensor<xpu, 2, DType> &grad) {
  out = unpool<red::maximum>(in, pooled, grad, 2, 2, 2) * 2.0f;
}
MSHADOW_INSTANTIATE(MaxOfFourGrad, float);
/// A pool as layers of networks have it: with a border, and as many windows as `out` has, of which
/// the last are cut off; and its gradient.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Layer(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in, int size,
                          int stride, int border) {
  out = pool<red::maximum>(pad(in, border), out.shape_, size, size, stride, stride) * 2.0f;
}
MSHADOW_INSTANTIATE(Layer, float);
template <typename xpu, typename DType>
MSHADOW_KERNEL void LayerGrad(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                              const Tensor<xpu, 2, DType> &pooled,
                              const Tensor<xpu, 2, DType> &grad, int size, int stride, int border) {
  auto padded = unpool<red::maximum>(pad(in, border), pooled, grad, size, size, stride, stride);
  out = crop(padded, out.shape_, border, border) * 2.0f;
}
MSHADOW_INSTANTIATE(LayerGrad, float);
/// The same where the spec says all.
template <typename xpu, typename DType>
MSHADOW_KERNEL void KnownLayer(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = pool<red::maximum>(pad(in, 1), out.shape_, 3, 3, 2, 2) * 2.0f;
}
MSHADOW_INSTANTIATE(KnownLayer, float);
template <typename xpu, typename DType>
MSHADOW_KERNEL void KnownLayerGrad(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                                   const Tensor<xpu, 2, DType> &pooled,
                                   const Tensor<xpu, 2, DType> &grad) {
  auto padded = unpool<red::maximum>(pad(in, 1), pooled, grad, 3, 3, 2, 2);
  out = crop(padded, out.shape_, 1, 1) * 2.0f;
}
MSHADOW_INSTANTIATE(KnownLayerGrad, float);
/// The gradient of windows whose elements are two apart, one around each element.
template <typename xpu, typename DType>
MSHADOW_KERNEL void DilatedGrad(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                                const Tensor<xpu, 2, DType> &pooled,
                                const Tensor<xpu, 2, DType> &grad) {
  out = crop(unpool<red::maximum>(pad(in, 2), pooled, grad, 3, 3, 1, 1, 2, 2), out.shape_, 2, 2);
}
MSHADOW_INSTANTIATE(DilatedGrad, float);
/// The same where only the launch knows the numbers.
template <typename xpu, typename DType>
MSHADOW_KERNEL void LaunchDilatedGrad(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                                      const Tensor<xpu, 2, DType> &pooled,
                                      const Tensor<xpu, 2, DType> &grad, int size, int stride,
                                      int dilation, int border) {
  auto padded = unpool<red::maximum>(pad(in, border), pooled, grad, size, size, stride, stride,
                                     dilation, dilation);
  out = crop(padded, out.shape_, border, border);
}
MSHADOW_INSTANTIATE(LaunchDilatedGrad, float);
/// Windows of columns and of what is computed; windows in another shape.
template <typename xpu, typename DType>
MSHADOW_KERNEL void MaxOfColumns(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = pool<red::maximum>(in.T(), 2, 2, 2) * 2.0f;
}
MSHADOW_INSTANTIATE(MaxOfColumns, float);
template <typename xpu, typename DType>
MSHADOW_KERNEL void MaxOfComputed(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = pool<red::maximum>(in * in - in, 2, 2, 2) * 2.0f;
}
MSHADOW_INSTANTIATE(MaxOfComputed, float);
template <typename xpu, typename DType>
MSHADOW_KERNEL void ShapeOfMaxima(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = reshape(pool<red::maximum>(in, 2, 2, 2), out.shape_) * 2.0f;
}
MSHADOW_INSTANTIATE(ShapeOfMaxima, float);
/// Arithmetic at other places.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Arithmetic(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = mirror(in * in + 1.0f) - crop(pad(in + in, 1), in.shape_, 0, 1);
}
MSHADOW_INSTANTIATE(Arithmetic, float);
/// Sums of squares of five channels around each one.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Channels(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &in) {
  out = in * (chpool<red::sum>(in * in, 5) + 1.0f);
}
MSHADOW_INSTANTIATE(Channels, float);
/// Patches of 2 x 2 elements as columns, and back.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Unpack(Tensor<xpu, 2, DType> out, const Tensor<xpu, 3, DType> &in) {
  out = unpack_patch2col(in, 2, 2, 1) * 2.0f;
}
MSHADOW_INSTANTIATE(Unpack, float);
template <typename xpu, typename DType>
MSHADOW_KERNEL void Pack(Tensor<xpu, 3, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = pack_col2patch(in, out.shape_, 2, 2, 1) * 2.0f;
}
MSHADOW_INSTANTIATE(Pack, float);
}  // namespace views
