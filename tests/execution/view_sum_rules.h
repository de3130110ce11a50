// SPDX-License-Identifier: Apache-2.0
// Rules that read sums of elements at other places: products, reductions of a dimension, gradients
// of windows, complex numbers. The tests give all tensors one shape, so each view is put together
// to have it, too.
#include <mshadow/kernel.h>

namespace view_sum_rules {
using namespace mshadow;
using namespace mshadow::expr;

/// Products of some columns and some rows: alone, as operands, and of expressions.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Products(Tensor<xpu, 2, DType> out, Tensor<xpu, 2, float> sum,
                             const Tensor<xpu, 2, DType> &a, const Tensor<xpu, 2, DType> &b,
                             bool more) {
  const index_t less = a.size(0) < a.size(1) ? a.size(0) : a.size(1);
  const index_t n = less < 5 ? less : 5;
  auto columns = slice<1>(a, 0, n);
  auto rows = slice<0>(b, 0, n);
  out = implicit_dot(columns, rows);
  out -= implicit_dot(columns + columns, rows) * a;
  if (more) {
    auto wide = implicit_dot(tcast<float>(columns), tcast<float>(rows));
    sum += F<op::abs>(wide) * tcast<float>(b) + wide;
  }
}
MSHADOW_INSTANTIATE(Products, float, double, half::half_t, bfloat::bf16_t, int32_t);

/// A product of products, whose rows are then normalised.
template <typename xpu, typename DType>
MSHADOW_KERNEL void ProductNorm(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                                float least) {
  Temporary<xpu, 1, float> total(Shape1(in.size(0)), in.stream_);
  const index_t less = in.size(0) < in.size(1) ? in.size(0) : in.size(1);
  const index_t n = less < 2 ? less : 2;
  auto square = implicit_dot(slice<1>(slice<0>(in, 0, n), 0, n), slice<0>(in, 0, n));
  auto x = tcast<float>(implicit_dot(slice<1>(in, 0, n), square));
  total = sumall_except_dim<0>(F<op::abs>(x));
  out = tcast<DType>(x / broadcast<0>(total + least, in.shape_));
}
MSHADOW_INSTANTIATE(ProductNorm, float, half::half_t);

/// Each dimension of three reduced, and the numbers of what is largest.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Axes(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &a,
                         const Tensor<xpu, 2, DType> &b) {
  const index_t rows = a.size(0), cols = a.size(1);
  auto pair = concat<0>(a, b);
  out = reduce_with_axis<red::sum, false>(reshape(pair, Shape3(2, rows, cols)), 0) * DType(2);
  out += reduce_with_axis<red::maximum, false>(reshape(pair, Shape3(rows, cols, 2)), 2);
  out -= reduce_with_axis<red::minimum, true>(reshape(pair, Shape3(rows, 2, cols)), 1);
  out += reshape(reduce_keepdim<red::product, false>(reshape(pair, Shape3(rows, 2, cols)), 1),
                 a.shape_);
  out -= reshape(reduce_multi_axes<red::sum>(reshape(pair, Shape4(2, rows, 1, cols)), Shape2(0, 2)),
                 a.shape_);
}
MSHADOW_INSTANTIATE(Axes, float, double, half::half_t, int32_t);

/// Rows times an element of a vector each.
template <typename xpu, typename DType, typename IType>
MSHADOW_KERNEL void Masked(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                           const Tensor<xpu, 1, IType> &scale) {
  out = mask(scale, in) + tcast<DType>(broadcast<0>(scale, in.shape_));
  out *= mask(scale, in + in);
}
MSHADOW_INSTANTIATE(Masked, Types<float, int32_t>, Types<half::half_t, float>);

/// The gradients of windows of images, and of channels.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Windows(Tensor<xpu, 4, DType> out, const Tensor<xpu, 4, DType> &in,
                            const Tensor<xpu, 4, DType> &grad) {
  const index_t rows = in.size(2), cols = in.size(3);
  auto padded = pad(in, 1);
  out = crop(unpool<red::sum>(padded, pool<red::sum>(padded, 3, 3, 1), grad, 3, 3, 1),
             Shape2(rows, cols));
  out += ch_unpool<red::sum>(in, chpool<red::sum>(in, 3), grad, 3) * in;
  out -= crop(pack_col2patch(unpack_patch2col(padded, 2, 3, 1),
                             Shape4(in.size(0), in.size(1), rows + 2, cols + 2), 2, 3, 1),
              Shape2(rows, cols));
}
MSHADOW_INSTANTIATE(Windows, float, double);

/// Windows as layers of networks have them: of a border, cut off at the image's end, and their
/// gradients; and arithmetic of windows that is moved.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Layers(Tensor<xpu, 4, DType> out, const Tensor<xpu, 4, DType> &in,
                           const Tensor<xpu, 4, DType> &pooled, const Tensor<xpu, 4, DType> &grad,
                           const Tensor<xpu, 2, DType> &m, Tensor<xpu, 2, DType> turned) {
  const index_t rows = in.size(2), cols = in.size(3);
  out = crop(unpool<red::maximum>(pad(in, 1), pad(pooled, 0), grad, 3, 3, 1), Shape2(rows, cols), 1,
             1);
  out += pool<red::maximum>(pad(in, 1), Shape2(rows, cols), 3, 3, 1, 1);
  out -= pool<red::maximum>(in, Shape2(rows, cols), 2, 3, 1);
  out += unpool<red::minimum>(in, pooled, grad, 2, 2, 1) * 0.5f;
  out -= ch_unpool<red::maximum>(in, pooled, grad, 3);
  out += chpool<red::sum>(F<op::square>(in), 3);
  turned = mirror(m * m) - crop(pad(m + m, 1), m.shape_, 0, 2);
}
MSHADOW_INSTANTIATE(Layers, float, half::half_t);

/// Numbers of two elements each.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Complex(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &a,
                            const Tensor<xpu, 2, DType> &b) {
  auto x = concat<1>(a, b);
  auto y = concat<1>(b, a);
  out = complex_toreal(complex_mul_cc(x, conj(y))) - complex_abs_square(x) * DType(2);
  out += complex_sum_real_imag(complex_exchange(complex_mul_cr(x, a)));
  out -= complex_toreal(complex_exchange(complex_mul_rc(b, y)) + complex_pad_imag(a));
  out += complex_toreal(complex_div_cc(x, y));
  out -= complex_sum_real_imag(complex_div_cr(y, a) - complex_div_rc(b, x));
}
MSHADOW_INSTANTIATE(Complex, float, double);

/// What is computed is repeated, moved, and repeated again.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Spread(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                           const Tensor<xpu, 1, DType> &bias, const Tensor<xpu, 1, DType> &scale) {
  auto squares = scale * scale;
  auto planes = broadcast_with_axis(broadcast_with_axis(squares, -1, out.size(0)), 0, 1);
  out = in * broadcast_with_axis(mirror(bias) + bias, -1, out.size(0)) - reshape(planes, in.shape_);
  out += mirror(broadcast<1>(mirror(bias) * bias, out.shape_));
  out += broadcast<1>(scale, Shape2(in.size(0), in.size(1)));
  out -= where(flip(in, 0) > mirror(in), broadcast<1>(mirror(squares), in.shape_), in);
}
MSHADOW_INSTANTIATE(Spread, float, half::half_t, int32_t);

/// One element, which a kernel before wrote, is read by the kernel, and is not the host's.
template <typename xpu, typename DType>
MSHADOW_KERNEL void SpreadTotal(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  Temporary<xpu, 1, float> total(Shape1(1), in.stream_);
  total = reduce_all<red::sum>(tcast<float>(in));
  MSHADOW_STAGE();
  out = in - tcast<DType>(mirror(broadcast_scalar(total, out.shape_)));
  out *= tcast<DType>(mirror(broadcast_scalar(mirror(total), out.shape_) * 0.01f));
}
MSHADOW_INSTANTIATE(SpreadTotal, float, half::half_t);

/// Windows of columns, of what is computed within a border, and of neighbours joined; and sums over
/// the windows that hold an element.
template <typename xpu, typename DType>
MSHADOW_KERNEL void OfOtherViews(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                                 const Tensor<xpu, 2, DType> &other) {
  out = reshape(pool<red::maximum>(pad(in.T(), 1), 3, 3, 1), in.shape_) -
        pool<red::sum>(pad(in * other + DType(1), 1), 3, 3, 1) +
        pool<red::maximum>(concat<0>(in, other), in.shape_, 2, 1, 1) +
        unpool<red::maximum>(mirror(in), other, in * other, 1, 2, 1, 1);
}
MSHADOW_INSTANTIATE(OfOtherViews, float, half::half_t);

/// Views of bools that read other views, and maxima of windows of bools.
template <typename xpu, typename DType>
MSHADOW_KERNEL void OfBools(Tensor<xpu, 4, DType> out, const Tensor<xpu, 4, bool> &in) {
  const Shape<2> shape = Shape2(in.size(2), in.size(3));
  out += tcast<DType>(crop(upsampling_nearest(in, 2), shape));
  out *= tcast<DType>(mirror(pool<red::maximum>(in, 1, 1, 1)));
}
MSHADOW_INSTANTIATE(OfBools, float, bool);
}  // namespace view_sum_rules
