// SPDX-License-Identifier: Apache-2.0
// Views of views that reduce windows, gather rows, repeat or count elements: rows of the inner view
// forwards and backwards, within a border, and across.
#include <mshadow/kernel.h>

namespace nested_views {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Windows(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = mirror(pad(pool<red::maximum>(in, 2, 2, 1), 1, 2));
}
MSHADOW_INSTANTIATE(Windows, float, half::half_t, int8_t);
template <typename xpu, typename DType>
MSHADOW_KERNEL void Rows(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                         const Tensor<xpu, 1, int32_t> &index) {
  out = pad(take(index, in), 1) - DType(1);
}
MSHADOW_INSTANTIATE(Rows, float, int8_t);
/// Columns of the inner view.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Columns(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = swapaxis<1, 0>(pool<red::sum>(in, 1, 1, 1)) +
        mirror(swapaxis<1, 0>(unpool<red::sum>(in, in, in, 1, 1, 1)));
}
MSHADOW_INSTANTIATE(Columns, float);
/// Pixels twice, backwards, of any rank; and some of those in another shape.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Twice(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = mirror(upsampling_nearest(in, 2));
}
MSHADOW_INSTANTIATE(Twice, float, half::half_t);
template <typename xpu, typename DType>
MSHADOW_KERNEL void Shaped(Tensor<xpu, 2, DType> out, const Tensor<xpu, 1, DType> &in) {
  out = crop(reshape(in, Shape2(out.size(0) + 2, out.size(1) + 1)), out.shape_, 1, 1);
}
MSHADOW_INSTANTIATE(Shaped, float, double);
/// The gradient of windows, within a border.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Gradient(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = pad(unpool<red::maximum>(in, in, in, 1, 1, 1), 2, 3) * DType(2);
}
MSHADOW_INSTANTIATE(Gradient, float);
/// Numbers with a step, backwards.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Steps(Tensor<xpu, 1, DType> out, double start, double stop, double step) {
  out = mirror(range<DType>(start, stop, step)) + DType(1);
}
MSHADOW_INSTANTIATE(Steps, float, double, int32_t, half::half_t);
/// Within a border, along rows; and repeated, along columns.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Bands(Tensor<xpu, 2, DType> out, double start, double stop, double step,
                          int repeat) {
  out =
      pad(broadcast<1>(mirror(mirror(range<DType>(start, stop, step))), Shape2(2, out.size(1) - 2)),
          1) +
      pad(swapaxis<1, 0>(
              broadcast<0>(mirror(range<DType>(0, 4, 1, repeat)), Shape2(4 * repeat, 2))),
          1);
}
MSHADOW_INSTANTIATE(Bands, float, int32_t, half::half_t);
/// Windows of columns, of neighbours joined, of what is computed, of windows and of gathered rows.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Across(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = pool<red::sum>(in.T(), 2, 3, 1, 2);
}
MSHADOW_INSTANTIATE(Across, float, half::half_t);
template <typename xpu, typename DType>
MSHADOW_KERNEL void OfJoined(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &a,
                             const Tensor<xpu, 2, DType> &b) {
  out = pool<red::maximum>(concat<1>(a, flip(b, 1)), Shape2(a.size(0) - 1, 2 * a.size(1)), 2, 2, 1);
}
MSHADOW_INSTANTIATE(OfJoined, float, int8_t);
template <typename xpu, typename DType>
MSHADOW_KERNEL void OfComputed(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &a,
                               const Tensor<xpu, 2, DType> &b, DType c, int size, int stride) {
  out = pool<red::sum>(a * b + c, size, size, stride);
}
MSHADOW_INSTANTIATE(OfComputed, float, double);
template <typename xpu, typename DType>
MSHADOW_KERNEL void OfWindows(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = pool<red::maximum>(pad(pool<red::sum>(in, 2, 2, 1), 1), 2, 2, 2);
}
MSHADOW_INSTANTIATE(OfWindows, float);
template <typename xpu, typename DType>
MSHADOW_KERNEL void OfRows(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                           const Tensor<xpu, 1, int32_t> &index) {
  out = pool<red::sum>(take(index, in), 2, 1, 1);
}
MSHADOW_INSTANTIATE(OfRows, float);
/// Of channels, more than are evaluated together.
template <typename xpu, typename DType>
MSHADOW_KERNEL void OfChannels(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &a,
                               const Tensor<xpu, 3, DType> &b, int count) {
  out = chpool<red::sum>(a - b, count);
}
MSHADOW_INSTANTIATE(OfChannels, float);
/// Other shapes, repetitions, rows and patches of windows.
template <typename xpu, typename DType>
MSHADOW_KERNEL void ShapeOfWindows(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = reshape(pool<red::sum>(in, 2, 2, 1), out.shape_);
}
MSHADOW_INSTANTIATE(ShapeOfWindows, float, half::half_t);
template <typename xpu, typename DType>
MSHADOW_KERNEL void TwiceWindows(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = upsampling_nearest(pool<red::sum>(mirror(in), 1, 2, 1), 2);
}
MSHADOW_INSTANTIATE(TwiceWindows, float, half::half_t);
template <typename xpu, typename DType>
MSHADOW_KERNEL void RowsOfWindows(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                                  const Tensor<xpu, 1, int32_t> &index) {
  out = take(index, pool<red::sum>(in, 2, 1, 1));
}
MSHADOW_INSTANTIATE(RowsOfWindows, float);
template <typename xpu, typename DType>
MSHADOW_KERNEL void PatchesOfWindows(Tensor<xpu, 2, DType> out, const Tensor<xpu, 3, DType> &in) {
  out = unpack_patch2col(pad(pool<red::sum>(in, 1, 2, 1), 1), 2, 2, 1);
}
MSHADOW_INSTANTIATE(PatchesOfWindows, float);
/// Gradients of windows of columns, from what is computed and from other gradients.
template <typename xpu, typename DType>
MSHADOW_KERNEL void GradientOfColumns(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                                      const Tensor<xpu, 2, DType> &pooled,
                                      const Tensor<xpu, 2, DType> &grad) {
  out = unpool<red::maximum>(in.T(), pooled + DType(1), grad * grad, 2, 2, 2);
}
MSHADOW_INSTANTIATE(GradientOfColumns, float, half::half_t);
template <typename xpu, typename DType>
MSHADOW_KERNEL void GradientOfSums(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                                   const Tensor<xpu, 2, DType> &grad, int size, int stride) {
  out = unpool<red::sum>(in * in, grad, mirror(grad), size, size, stride);
}
MSHADOW_INSTANTIATE(GradientOfSums, float);
/// Of any rank.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void AnyWindows(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &a,
                               const Tensor<xpu, dim, DType> &b) {
  out = mirror(upsampling_nearest(pool<red::sum>(a * b, 1, 2, 1), 2));
}
MSHADOW_INSTANTIATE(AnyWindows, float);
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void AnyChannels(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = chpool<red::sum>(mirror(in), 3) + ch_unpool<red::sum>(in, in, in, 3);
}
MSHADOW_INSTANTIATE(AnyChannels, float);
}  // namespace nested_views
