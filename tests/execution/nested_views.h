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
}  // namespace nested_views
