// SPDX-License-Identifier: Apache-2.0
// Elements at other places: views in every variant and in some, in an element-wise rule and in one
// that reduces rows.
#include <mshadow/kernel.h>

namespace nn {
using namespace mshadow;
using namespace mshadow::expr;

/// The first half of each row, gated by the second.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Gate(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                         const Tensor<xpu, 2, DType> &residual, bool shortcut) {
  const index_t half = in.size(1) / 2;
  auto gate = slice<1>(in, half, in.size(1));
  out = slice<1>(in, 0, half) * F<op::sigmoid>(gate);
  if (shortcut) out += flip(residual, 1) * residual;
}
MSHADOW_INSTANTIATE(Gate, float, bfloat::bf16_t);

/// The sums of the rows of a padded image.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Border(Tensor<xpu, 1, float> total, Tensor<xpu, 2, DType> out,
                           const Tensor<xpu, 2, DType> &in) {
  auto padded = pad(in, 1);
  total = sumall_except_dim<0>(tcast<float>(padded));
  out = padded * 2.0f;
}
MSHADOW_INSTANTIATE(Border, float, bfloat::bf16_t);
/// The columns turned by some: functions of the runtime take numbers of the launch.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Turn(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in, index_t by) {
  out = in - concat<1>(slice<1>(in, by, in.size(1)), slice<1>(in, 0, by));
}
MSHADOW_INSTANTIATE(Turn, float);

/// Rows, and what they are in reverse, of tensors of any rank.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Palindrome(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = in + flip(in, dim - 1);
}
MSHADOW_INSTANTIATE(Palindrome, float);

/// Images twice as large, and rows of a table for each of their rows.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Enlarge(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                            const Tensor<xpu, 1, DType> &flat, const Tensor<xpu, 2, DType> &table,
                            const Tensor<xpu, 1, int32_t> &index) {
  out = upsampling_nearest(in, 2) * take(index, table) + reshape(flat, out.shape_);
}
MSHADOW_INSTANTIATE(Enlarge, float);

/// Means of images and of a border of zeros around them, 3 x 3 each.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Blur(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = pool<red::sum>(pad(in, 1), 3, 3, 1) * DType(1.0f / 9);
}
MSHADOW_INSTANTIATE(Blur, float);

/// The gradient of a layer that pools maxima, with a border, of images in reverse.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Unpool(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                           const Tensor<xpu, 2, DType> &pooled, const Tensor<xpu, 2, DType> &grad,
                           int stride) {
  auto padded = unpool<red::maximum>(pad(in, 1), pooled, grad, 3, 3, stride);
  out = crop(padded, in.shape_, 1, 1) * mirror(in + in);
}
MSHADOW_INSTANTIATE(Unpool, float);

/// A corner of a matrix: a range of each of its dimensions.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Corner(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                           index_t size) {
  slice<0>(slice<1>(out, 0, size), 0, size) += slice<1>(in.Slice(0, size), 1, size + 1);
}
MSHADOW_INSTANTIATE(Corner, float);

}  // namespace nn
