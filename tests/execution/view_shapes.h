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

/// The same of tensors of any rank.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void GateAnyRank(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  const index_t cols = in.size(dim - 1), half = cols / 2;
  out = slice<dim - 1>(in, 0, half) * slice<dim - 1>(in, half, cols);
}
MSHADOW_INSTANTIATE(GateAnyRank, float);

/// Names that end in an underscore, from which others are made; and names that makers of views
/// have for themselves.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Named(Tensor<xpu, 2, DType> out_, Tensor<xpu, 1, DType> sum_,
                          Tensor<xpu, 1, DType> top_, Tensor<xpu, 2, DType> in,
                          const Tensor<xpu, 2, DType> &in_arg, const Tensor<xpu, 2, DType> &s,
                          const Tensor<xpu, 1, int32_t> &index_, float lr_, float wd_) {
  const float cols_ = static_cast<float>(in_arg.size(1)) * lr_;
  top_ = reduce_except_dim<0, red::argmax>(s);
  sum_ = sumall_except_dim<0>(in * in * lr_);
  sum_ += mat_choose_row_element(s, index_);
  auto both_ = concat<1>(slice<1>(in, 0, 1), slice<1>(in_arg, 1, in_arg.size(1)));
  out_ = flip(both_, 0) * broadcast<0>(sum_, out_.shape_) +
         slice<1>(s, 0, s.size(1)) * (cols_ * lr_ * wd_);
}
MSHADOW_INSTANTIATE(Named, float);

/// What has a second dimension, larger by a border.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Border(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in,
                           const Tensor<xpu, dim, DType> &other) {
  out = pad(in * other, 1) + 1.0f;
}
MSHADOW_INSTANTIATE(Border, float);

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
  slice<1>(out, a.size(1), out.size(1)) += b;
}
MSHADOW_INSTANTIATE(Join, float);

/// Columns that may overlap, of one number and of others.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Staggered(Tensor<xpu, 2, DType> out, Tensor<xpu, 2, DType> copy,
                              const Tensor<xpu, 2, DType> &in, int from, bool more) {
  const index_t count = in.size(1);
  slice<1>(out, 0, count) = in;
  if (more) slice<1>(out, from, from + count) += in;
  slice<1>(out, 1, out.size(1)) *= 2.0f;
  copy = slice<1>(out, 0, count) - in;
}
MSHADOW_INSTANTIATE(Staggered, float);

/// Some columns of a tensor out of others.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Shift(Tensor<xpu, 2, DType> t, int from, int count) {
  slice<1>(t, 0, count) = slice<1>(t, from, from + count) + 1.0f;
}
MSHADOW_INSTANTIATE(Shift, float);

/// The same of channels, and of a tensor that has as many of them.
template <typename xpu, typename DType>
MSHADOW_KERNEL void ShiftChannels(Tensor<xpu, 3, DType> t, const Tensor<xpu, 3, DType> &other,
                                  int from, int count) {
  slice<1>(t, 0, count) = slice<1>(t, from, from + count) + other;
}
MSHADOW_INSTANTIATE(ShiftChannels, float);

/// A tensor's columns, shared out to two tensors, with a vector along either dimension.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Split(Tensor<xpu, 2, DType> a, Tensor<xpu, 2, DType> b,
                          const Tensor<xpu, 2, DType> &in, const Tensor<xpu, 1, DType> &bias,
                          const Tensor<xpu, 1, DType> &scale) {
  concat<1>(a, b) = in * broadcast<0>(scale, in.shape_) + broadcast<1>(bias, in.shape_);
}
MSHADOW_INSTANTIATE(Split, float);

/// The same of a part and a tensor.
template <typename xpu, typename DType>
MSHADOW_KERNEL void SplitPart(Tensor<xpu, 2, DType> a, Tensor<xpu, 2, DType> b, int count,
                              const Tensor<xpu, 2, DType> &in) {
  concat<1>(slice<1>(a, 0, count), b) = in;
}
MSHADOW_INSTANTIATE(SplitPart, float);

/// Channels of images, a dimension in the middle, added to three tensors.
template <typename xpu, typename DType>
MSHADOW_KERNEL void SplitChannels(Tensor<xpu, 4, DType> a, Tensor<xpu, 4, DType> b,
                                  Tensor<xpu, 4, DType> c, const Tensor<xpu, 4, DType> &in,
                                  const Tensor<xpu, 1, DType> &bias) {
  concat<1>(a, concat<1>(b, c)) += in + broadcast<1>(bias, in.shape_);
}
MSHADOW_INSTANTIATE(SplitChannels, float);

/// Products, sums along a dimension, and the gradient of pooling.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Multiply(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &a,
                             const Tensor<xpu, 2, DType> &b, const Tensor<xpu, 3, DType> &c) {
  out = implicit_dot(a, b) * 2.0f - reduce_with_axis<red::sum, false>(c, 1);
}
MSHADOW_INSTANTIATE(Multiply, float);

template <typename xpu, typename DType>
MSHADOW_KERNEL void MaxPoolGrad(Tensor<xpu, 4, DType> out, const Tensor<xpu, 4, DType> &in,
                                const Tensor<xpu, 4, DType> &pooled,
                                const Tensor<xpu, 4, DType> &grad) {
  out = unpool<red::maximum>(in, pooled, grad, 2, 2, 2) * 2.0f;
}
MSHADOW_INSTANTIATE(MaxPoolGrad, float);

/// Where the elements of a tensor are in its transpose.
template <typename xpu, typename IType>
MSHADOW_KERNEL void Renumber(Tensor<xpu, 1, IType> out, const Tensor<xpu, 1, IType> &in, int rows,
                             int cols) {
  out = transpose_indices(in, Shape2(rows, cols), Shape2(1, 0)) + 1;
}
MSHADOW_INSTANTIATE(Renumber, int32_t);

/// A view of what an earlier kernel wrote.
template <typename xpu, typename DType>
MSHADOW_KERNEL void FlipLater(Tensor<xpu, 2, DType> out, Tensor<xpu, 2, DType> twice,
                              const Tensor<xpu, 2, DType> &in) {
  twice = in * 2.0f;
  MSHADOW_STAGE();
  out = flip(twice, 0);
}
MSHADOW_INSTANTIATE(FlipLater, float);

/// What each body does to each other one: sums over rows and columns of what is repeated, of which
/// no tensor has the shape.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Forces(Tensor<xpu, 1, DType> force, Tensor<xpu, 1, DType> nearest,
                           const Tensor<xpu, 1, DType> &x, const Tensor<xpu, 1, DType> &mass) {
  auto distance = broadcast_with_axis(x, -1, x.size(0)) - broadcast_with_axis(x, 0, x.size(0));
  auto square = distance * distance + DType(1);
  force = reduce_with_axis<red::sum, false>(
      distance * broadcast_with_axis(mass, -1, x.size(0)) / square, 1);
  nearest = reduce_with_axis<red::minimum, false>(square, 0);
}
MSHADOW_INSTANTIATE(Forces, float, double);

/// Columns as rows, whose elements are far apart.
template <typename xpu, typename DType>
MSHADOW_KERNEL void ColumnsAsRows(Tensor<xpu, 1, DType> total, Tensor<xpu, 2, DType> out,
                                  const Tensor<xpu, 2, DType> &in) {
  total = reduce_with_axis<red::sum, false>(mirror(in.T()), 1);
  out = mirror(in.T());
}
MSHADOW_INSTANTIATE(ColumnsAsRows, float);

/// A layer normalisation of dimensions 1 and 3 of five, whose mean another tensor keeps.
template <typename xpu, typename DType>
MSHADOW_KERNEL void TwoOfFive(Tensor<xpu, 5, DType> out, Tensor<xpu, 5, DType> mean,
                              const Tensor<xpu, 5, DType> &in) {
  const index_t n = in.size(1), m = in.size(3);
  auto sum = reduce_keepdim<red::sum, false>(reduce_keepdim<red::sum, false>(in, 3), 1);
  auto centred = in - broadcast_keepdim(broadcast_keepdim(sum / DType(n * m), 3, m), 1, n);
  auto variance = reduce_multi_axes<red::sum>(centred * centred, Shape2(1, 3)) / DType(n * m);
  mean = sum / DType(n * m);
  out = centred / broadcast_multi_axes(F<op::square_root>(variance + DType(1)), Shape2(1, 3),
                                       Shape2(n, m));
}
MSHADOW_INSTANTIATE(TwoOfFive, float);

/// Tensors that no element is computed from must fit all the same, as unfused.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Fit(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                        const Tensor<xpu, 1, DType> &bias, const Tensor<xpu, 2, DType> &like,
                        const Tensor<xpu, 2, DType> &ignored,
                        const Tensor<xpu, 1, DType> &ignored_row) {
  auto row = F<op::right>(ignored_row, bias);
  out = F<op::right>(ignored, in) + broadcast<1>(row, like.shape_);
}
MSHADOW_INSTANTIATE(Fit, float);

/// So must what a temporary has the shape of, in a rule of any rank.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void FitTwice(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in,
                             const Tensor<xpu, dim, DType> &like) {
  Temporary<xpu, dim, DType> twice(like.shape_, in.stream_);
  twice = in + in;
  out += twice;
}
MSHADOW_INSTANTIATE(FitTwice, float);

}  // namespace view_shapes
