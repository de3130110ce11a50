// SPDX-License-Identifier: Apache-2.0
// Kernels that reduce rows and read across the rows of a tensor, in bands; and the same kernels on
// tensors whose rows are those of the kernel.
#include <mshadow/kernel.h>

namespace banded_rows {
using namespace mshadow;
using namespace mshadow::expr;

/// Several sweeps over a transposed matrix, with a buffer for the row.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Softmax(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  Temporary<xpu, 2, float> e(out.shape_, out.stream_);
  auto top = reduce_keepdim<red::maximum, false>(in.T(), 1);
  e = F<op::exp>(tcast<float>(in.T()) - tcast<float>(broadcast_keepdim(top, 1, out.size(1))));
  auto total = reduce_keepdim<red::sum, false>(e, 1);
  out = tcast<DType>(e / broadcast_keepdim(total, 1, out.size(1)));
}
MSHADOW_INSTANTIATE(Softmax, float, double, half::half_t);
template <typename xpu, typename DType>
MSHADOW_KERNEL void PlainSoftmax(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  Temporary<xpu, 2, float> e(out.shape_, out.stream_);
  auto top = reduce_keepdim<red::maximum, false>(in, 1);
  e = F<op::exp>(tcast<float>(in) - tcast<float>(broadcast_keepdim(top, 1, out.size(1))));
  auto total = reduce_keepdim<red::sum, false>(e, 1);
  out = tcast<DType>(e / broadcast_keepdim(total, 1, out.size(1)));
}
MSHADOW_INSTANTIATE(PlainSoftmax, float, double, half::half_t);

/// Two views, and a matrix as it lies.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Dots(Tensor<xpu, 1, DType> out, const Tensor<xpu, 2, DType> &a,
                         const Tensor<xpu, 2, DType> &b, const Tensor<xpu, 2, DType> &c) {
  out = reduce_except_dim<0, red::sum>(a.T() * b + c.T());
}
MSHADOW_INSTANTIATE(Dots, float, double, int8_t);
template <typename xpu, typename DType>
MSHADOW_KERNEL void PlainDots(Tensor<xpu, 1, DType> out, const Tensor<xpu, 2, DType> &a,
                              const Tensor<xpu, 2, DType> &b, const Tensor<xpu, 2, DType> &c) {
  out = reduce_except_dim<0, red::sum>(a * b + c);
}
MSHADOW_INSTANTIATE(PlainDots, float, double, int8_t);

/// A row's sum, and then the columns' sums of what it divides.
template <typename xpu, typename DType>
MSHADOW_KERNEL void RowsAndColumns(Tensor<xpu, 2, DType> out, Tensor<xpu, 1, DType> sums,
                                   const Tensor<xpu, 2, DType> &in) {
  auto total = reduce_keepdim<red::sum, false>(in.T(), 1);
  out = in.T() / broadcast_keepdim(total, 1, out.size(1));
  sums = reduce_except_dim<1, red::sum>(out);
}
MSHADOW_INSTANTIATE(RowsAndColumns, float, double);
template <typename xpu, typename DType>
MSHADOW_KERNEL void PlainRowsAndColumns(Tensor<xpu, 2, DType> out, Tensor<xpu, 1, DType> sums,
                                        const Tensor<xpu, 2, DType> &in) {
  auto total = reduce_keepdim<red::sum, false>(in, 1);
  out = in / broadcast_keepdim(total, 1, out.size(1));
  sums = reduce_except_dim<1, red::sum>(out);
}
MSHADOW_INSTANTIATE(PlainRowsAndColumns, float, double);

/// Rows of transposed planes: a band may begin in one and end in the next.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Planes(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &in) {
  auto top = reduce_keepdim<red::maximum, false>(swapaxis<2, 1>(in), 2);
  out = swapaxis<2, 1>(in) - broadcast_keepdim(top, 2, out.size(2));
}
MSHADOW_INSTANTIATE(Planes, float, uint8_t);
template <typename xpu, typename DType>
MSHADOW_KERNEL void PlainPlanes(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &in) {
  auto top = reduce_keepdim<red::maximum, false>(in, 2);
  out = in - broadcast_keepdim(top, 2, out.size(2));
}
MSHADOW_INSTANTIATE(PlainPlanes, float, uint8_t);

/// The channels of each pixel of images of channels.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Pixels(Tensor<xpu, 4, DType> out, const Tensor<xpu, 4, DType> &in) {
  auto total = reduce_keepdim<red::sum, false>(transpose(in, Shape4(0, 2, 3, 1)), 3);
  out = transpose(in, Shape4(0, 2, 3, 1)) * broadcast_keepdim(total, 3, out.size(3));
}
MSHADOW_INSTANTIATE(Pixels, float, half::half_t);
template <typename xpu, typename DType>
MSHADOW_KERNEL void PlainPixels(Tensor<xpu, 4, DType> out, const Tensor<xpu, 4, DType> &in) {
  auto total = reduce_keepdim<red::sum, false>(in, 3);
  out = in * broadcast_keepdim(total, 3, out.size(3));
}
MSHADOW_INSTANTIATE(PlainPixels, float, half::half_t);

/// Images of channels in two tensors, of which one may have gaps between its rows.
template <typename xpu, typename DType>
MSHADOW_KERNEL void TwoImages(Tensor<xpu, 4, DType> out, const Tensor<xpu, 4, DType> &a,
                              const Tensor<xpu, 4, DType> &b) {
  auto difference = transpose(a, Shape4(0, 2, 3, 1)) - transpose(b, Shape4(0, 2, 3, 1));
  auto top = reduce_keepdim<red::maximum, false>(difference, 3);
  out = difference * broadcast_keepdim(top, 3, out.size(3));
}
MSHADOW_INSTANTIATE(TwoImages, float, double);
template <typename xpu, typename DType>
MSHADOW_KERNEL void PlainTwoImages(Tensor<xpu, 4, DType> out, const Tensor<xpu, 4, DType> &a,
                                   const Tensor<xpu, 4, DType> &b) {
  auto top = reduce_keepdim<red::maximum, false>(a - b, 3);
  out = (a - b) * broadcast_keepdim(top, 3, out.size(3));
}
MSHADOW_INSTANTIATE(PlainTwoImages, float, double);

/// Zeros around it.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Padded(Tensor<xpu, 1, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = reduce_except_dim<0, red::sum>(pad(in.T(), 2));
}
MSHADOW_INSTANTIATE(Padded, float, int8_t);
template <typename xpu, typename DType>
MSHADOW_KERNEL void PlainPadded(Tensor<xpu, 1, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = reduce_except_dim<0, red::sum>(pad(in, 2));
}
MSHADOW_INSTANTIATE(PlainPadded, float, int8_t);

/// The elements of a row in their order.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Scan(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = inclusive_scan<red::sum>(in.T());
}
MSHADOW_INSTANTIATE(Scan, float);
template <typename xpu, typename DType>
MSHADOW_KERNEL void PlainScan(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = inclusive_scan<red::sum>(in);
}
MSHADOW_INSTANTIATE(PlainScan, float);

}  // namespace banded_rows
