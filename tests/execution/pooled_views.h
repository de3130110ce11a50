// SPDX-License-Identifier: Apache-2.0
// Rules that read windows which end with the image, windows as the launch says, and sums over the
// windows that hold an element.
#include <mshadow/kernel.h>

namespace pooled_views {
using namespace mshadow;
using namespace mshadow::expr;

/// As layers of networks pool: with a border, and as many windows as they say.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Pooled(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &in, int height,
                           int width, int stride_y, int stride_x, int pad_y, int pad_x) {
  out = pool<red::maximum>(pad(in, pad_y, pad_x), Shape2(out.size(1), out.size(2)), height, width,
                           stride_y, stride_x);
}
MSHADOW_INSTANTIATE(Pooled, float, double, half::half_t, int8_t);
/// The same where the spec says all: sums of squares, and products.
template <typename xpu, typename DType>
MSHADOW_KERNEL void CutOff(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = pool<red::sum>(F<op::square>(pad(in, 1)), out.shape_, 3, 3, 2) -
        pool<red::product>(in, out.shape_, 2, 3, 2, 1);
}
MSHADOW_INSTANTIATE(CutOff, float);
/// Some of the windows, and those of one image.
template <typename xpu, typename DType>
MSHADOW_KERNEL void SomeWindows(Tensor<xpu, 2, DType> out, const Tensor<xpu, 3, DType> &in,
                                int image, int y, int x) {
  out = crop(pool<red::maximum>(in[image], 2, 2, 2), out.shape_, y, x);
}
MSHADOW_INSTANTIATE(SomeWindows, float);

/// The gradient of such a layer.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Unpooled(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &in,
                             const Tensor<xpu, 3, DType> &pooled, const Tensor<xpu, 3, DType> &grad,
                             int height, int width, int stride_y, int stride_x, int pad_y,
                             int pad_x) {
  out = crop(unpool<red::maximum>(pad(in, pad_y, pad_x), pad(pooled, 0, 0), pad(grad, 0, 0), height,
                                  width, stride_y, stride_x),
             Shape2(in.size(1), in.size(2)), pad_y, pad_x);
}
MSHADOW_INSTANTIATE(Unpooled, float, double, half::half_t, int8_t);
/// Windows beside each other, over each other, and with gaps, where the spec says so.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Beside(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                           const Tensor<xpu, 2, DType> &pooled, const Tensor<xpu, 2, DType> &grad) {
  out = unpool<red::maximum>(in, pooled, grad, 2, 2, 2);
}
MSHADOW_INSTANTIATE(Beside, float, double, half::half_t, int8_t);
template <typename xpu, typename DType>
MSHADOW_KERNEL void Over(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                         const Tensor<xpu, 2, DType> &pooled, const Tensor<xpu, 2, DType> &grad) {
  out = crop(unpool<red::minimum>(pad(in, 1), pooled, grad, 3, 3, 2), out.shape_, 1, 1);
}
MSHADOW_INSTANTIATE(Over, float, half::half_t, int8_t);
template <typename xpu, typename DType>
MSHADOW_KERNEL void Apart(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                          const Tensor<xpu, 2, DType> &pooled, const Tensor<xpu, 2, DType> &grad) {
  out = unpool<red::sum>(in, pooled, grad, 1, 2, 2, 3);
}
MSHADOW_INSTANTIATE(Apart, float, int8_t);
template <typename xpu, typename DType>
MSHADOW_KERNEL void Wide(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                         const Tensor<xpu, 2, DType> &pooled, const Tensor<xpu, 2, DType> &grad) {
  out = unpool<red::sum>(in, pooled, grad, 2, 7, 1, 3);
}
MSHADOW_INSTANTIATE(Wide, float, double);
/// The gradient of the border, too; and of rows that are added up.
template <typename xpu, typename DType>
MSHADOW_KERNEL void WithBorder(Tensor<xpu, 1, DType> sums, Tensor<xpu, 2, DType> out,
                               const Tensor<xpu, 2, DType> &in, const Tensor<xpu, 2, DType> &pooled,
                               const Tensor<xpu, 2, DType> &grad) {
  auto gradient = unpool<red::maximum>(pad(in, 1), pooled, grad, 3, 3, 1);
  sums = sumall_except_dim<0>(gradient);
  out = gradient * 2.0f;
}
MSHADOW_INSTANTIATE(WithBorder, float);
/// Of windows of channels.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Channels(Tensor<xpu, 4, DType> out, const Tensor<xpu, 4, DType> &in,
                             const Tensor<xpu, 4, DType> &pooled, const Tensor<xpu, 4, DType> &grad,
                             int count, int stride, int border) {
  out = ch_unpool<red::maximum>(in, pooled, grad, count, stride, border);
}
MSHADOW_INSTANTIATE(Channels, float, half::half_t);
template <typename xpu, typename DType>
MSHADOW_KERNEL void NearChannels(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &in,
                                 const Tensor<xpu, 3, DType> &pooled,
                                 const Tensor<xpu, 3, DType> &grad) {
  out = ch_unpool<red::sum>(in, pooled, grad, 3);
}
MSHADOW_INSTANTIATE(NearChannels, float);

/// Columns added up to images: neighbours, each second one, of each second pixel; and within a
/// border, as the launch says.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Packed(Tensor<xpu, 4, DType> out, const Tensor<xpu, 2, DType> &columns) {
  out = pack_col2patch(columns, out.shape_, 2, 3, 1);
}
MSHADOW_INSTANTIATE(Packed, float, double, half::half_t, int8_t);
template <typename xpu, typename DType>
MSHADOW_KERNEL void PackedApart(Tensor<xpu, 3, DType> out, const Tensor<xpu, 2, DType> &columns) {
  out = pack_col2patch(columns, out.shape_, 2, 3, 1, 2, 1, 3);
}
MSHADOW_INSTANTIATE(PackedApart, float, int8_t);
template <typename xpu, typename DType>
MSHADOW_KERNEL void PackedWithin(Tensor<xpu, 4, DType> out, const Tensor<xpu, 2, DType> &columns,
                                 int size, int stride, int border) {
  const index_t height = out.size(2) + 2 * border, width = out.size(3) + 2 * border;
  out = crop(
      pack_col2patch(columns, Shape4(out.size(0), out.size(1), height, width), size, size, stride),
      Shape2(out.size(2), out.size(3)), border, border);
}
MSHADOW_INSTANTIATE(PackedWithin, float);
/// Patches as the launch says.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Unpacked(Tensor<xpu, 2, DType> out, const Tensor<xpu, 4, DType> &in, int size,
                             int stride, int dilation, int border) {
  out = unpack_patch2col(pad(in, border), size, size, stride, dilation);
}
MSHADOW_INSTANTIATE(Unpacked, float);
}  // namespace pooled_views
