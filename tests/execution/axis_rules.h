// SPDX-License-Identifier: Apache-2.0
// Reductions of one axis within expressions, as mshadow spells them.
#include <mshadow/kernel.h>

namespace axis_rules {
using namespace mshadow;
using namespace mshadow::expr;

/// Softmax over the last axis of tensors of any rank.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Softmax(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  auto x = tcast<float>(in);
  auto top = reduce_keepdim<red::maximum, false>(x, dim - 1);
  auto e = F<op::exp>(x - broadcast_keepdim(top, dim - 1, in.size(dim - 1)));
  auto total = reduce_keepdim<red::sum, false>(e, dim - 1);
  out = tcast<DType>(e / broadcast_keepdim(total, dim - 1, in.size(dim - 1)));
}
MSHADOW_INSTANTIATE(Softmax, float, half::half_t);

/// A layer normalisation of the last axis, with a formula of values; in the type of the tensors.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void LayerNorm(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in,
                              const Tensor<xpu, 1, DType> &gain, float eps = 1e-5f) {
  const index_t n = in.size(dim - 1);
  const DType count = DType(1.0f / n);
  auto mean = count * reduce_keepdim<red::sum, false>(in, dim - 1);
  auto centred = in - broadcast_keepdim(mean, dim - 1, n);
  auto variance = count * reduce_keepdim<red::sum, false>(centred * centred, dim - 1);
  auto rstd = F<op::reciprocal_square_root>(variance + DType(eps));
  out = centred * broadcast_keepdim(rstd, dim - 1, n) * broadcast<dim - 1>(gain, in.shape_);
}
MSHADOW_INSTANTIATE(LayerNorm, float, double, half::half_t);

/// Of a matrix without the axis: rows to vectors, which are arguments and temporaries.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Rows(Tensor<xpu, 2, DType> out, Tensor<xpu, 1, DType> top,
                         const Tensor<xpu, 2, DType> &in, const Tensor<xpu, 1, DType> &bias) {
  top = reduce_with_axis<red::maximum, false>(in, 1) + bias;
  auto total = reduce_with_axis<red::sum, false>(in * in, 1);
  out = in * broadcast_with_axis(total + top, 0, in.size(1));
  top -= total;
}
MSHADOW_INSTANTIATE(Rows, float, int32_t);

/// Columns, in place, and in another kernel rows.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Columns(Tensor<xpu, 2, DType> x, Tensor<xpu, 1, DType> least, bool twice) {
  auto mean = 0.125f * reduce_with_axis<red::sum, false>(x, 0);
  x -= broadcast_with_axis(mean, -1, x.size(0));
  if (twice) x -= broadcast_keepdim(reduce_keepdim<red::maximum, false>(x, 0), 0, x.size(0));
  x -= broadcast_with_axis(reduce_with_axis<red::minimum, false>(x, 1), 0, x.size(1));
  least = reduce_with_axis<red::minimum, false>(x, 0);
}
MSHADOW_INSTANTIATE(Columns, float);

/// Of a fixed rank, in branches; a reduction of what another one gave.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Images(Tensor<xpu, 4, DType> out, const Tensor<xpu, 4, DType> &in,
                           const Tensor<xpu, 4, DType> &other, bool centre, bool scale) {
  auto mean = 0.25f * reduce_with_axis<red::sum, false>(in, 3);
  auto centred = in - broadcast_with_axis(mean, 2, in.size(3));
  out = F<op::identity>(other);
  if (centre) out += centred;
  if (scale) {
    out *= broadcast_with_axis(reduce_with_axis<red::maximum, false>(F<op::abs>(centred), 3), 2,
                               other.size(3));
  } else {
    out += broadcast_keepdim(reduce_keepdim<red::product, false>(other, 3), 3, other.size(3));
  }
}
MSHADOW_INSTANTIATE(Images, float, bfloat::bf16_t);

/// Values of rows in kernels that go over channels, with and without a reduction.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Channels(Tensor<xpu, 4, DType> out, Tensor<xpu, 1, DType> mean,
                             Tensor<xpu, 1, DType> top, const Tensor<xpu, 4, DType> &in,
                             const Tensor<xpu, 1, DType> &bias) {
  auto below = in - broadcast_keepdim(reduce_keepdim<red::maximum, false>(in, 3), 3, in.size(3));
  out = below + broadcast<1>(bias, in.shape_);
  mean = sumall_except_dim<1>(below);
  out -= broadcast<1>(mean, in.shape_) * below;
  top = reduce_except_dim<2, red::maximum>(below);
}
MSHADOW_INSTANTIATE(Channels, float, half::half_t);

/// Softmax over each axis of four, one kernel after the other.
template <typename xpu, typename DType>
MSHADOW_KERNEL void EachAxis(Tensor<xpu, 4, DType> out, const Tensor<xpu, 4, DType> &in) {
  auto over0 = F<op::exp>(in - broadcast_with_axis(reduce_with_axis<red::maximum, false>(in, 0), -1,
                                                   in.size(0)));
  out = over0 / broadcast_keepdim(reduce_keepdim<red::sum, false>(over0, 0), 0, in.size(0));
  auto over1 = F<op::exp>(out - broadcast_with_axis(reduce_with_axis<red::maximum, false>(out, 1),
                                                    0, out.size(1)));
  out = over1 / broadcast_keepdim(reduce_keepdim<red::sum, false>(over1, 1), 1, in.size(1));
  out -= broadcast_with_axis(reduce_with_axis<red::minimum, false>(out, 2), 1, out.size(2));
  out -= broadcast_with_axis(reduce_with_axis<red::minimum, false>(out, 3), 2, out.size(3));
}
MSHADOW_INSTANTIATE(EachAxis, float, half::half_t);

/// A middle axis of three, with a vector of columns beside it, in branches; values of one kernel in
/// another one; integers.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Middle(Tensor<xpu, 3, DType> out, Tensor<xpu, 1, DType> all,
                           const Tensor<xpu, 3, DType> &in, const Tensor<xpu, 3, DType> &other,
                           const Tensor<xpu, 1, DType> &bias, bool centre, bool again) {
  auto x = in + broadcast<2>(bias, in.shape_);
  auto top = reduce_keepdim<red::maximum, false>(x, 1);
  out = x * broadcast_keepdim(top + DType(2), 1, in.size(1));
  if (centre) {
    out -= broadcast_with_axis(reduce_with_axis<red::sum, false>(out * other, 1), 0, out.size(1));
    if (again) out += broadcast_keepdim(top, 1, in.size(1));
  } else {
    out *= broadcast_with_axis(reduce_with_axis<red::product, false>(other, 1), 0, other.size(1));
  }
  Temporary<xpu, 3, DType> below(in.shape_, in.stream_);
  below = out - broadcast_keepdim(top, 1, in.size(1));
  all = reduce_all<red::sum>(below);
}
MSHADOW_INSTANTIATE(Middle, float, int32_t);

/// Softmax as mshadow spells it, with vectors of the rule's own.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Statements(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  Temporary<xpu, 1, DType> top(Shape1(in.size(0)), in.stream_);
  Temporary<xpu, 1, DType> total(Shape1(in.size(0)), in.stream_);
  top = reduce_with_axis<red::maximum, false>(in, 1);
  out = F<op::exp>(in - broadcast_with_axis(top, 0, in.size(1)));
  total = reduce_with_axis<red::sum, false>(out, 1);
  out = out / broadcast_with_axis(total, 0, in.size(1));
}
MSHADOW_INSTANTIATE(Statements, float, half::half_t);

/// Of columns, in one statement.
template <typename xpu, typename DType>
MSHADOW_KERNEL void ColumnSoftmax(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  auto e = F<op::exp>(in - broadcast<1>(reduce_with_axis<red::maximum, false>(in, 0), in.shape_));
  out = e / broadcast<1>(2.0f * reduce_with_axis<red::sum, false>(e, 0), in.shape_);
}
MSHADOW_INSTANTIATE(ColumnSoftmax, float);

/// A rule for any rank that is called for matrices; what is reduced beside labels.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Calls(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                          const Tensor<xpu, 1, int32_t> &label) {
  axis_rules::Softmax(out, in);
  auto top = reduce_keepdim<red::maximum, false>(out, 1);
  auto hot = one_hot_encode<DType>(label, out.size(1));
  out = where(hot > 0.5f, broadcast_keepdim(top, 1, out.size(1)),
              out - broadcast_keepdim(top * top, 1, out.size(1)));
}
MSHADOW_INSTANTIATE(Calls, float);
/// A layer normalisation of two dimensions of four: reductions of reductions, by names that several
/// statements use, before and after a write of what they reduce.
template <typename xpu, typename DType>
MSHADOW_KERNEL void TwoOfFour(Tensor<xpu, 4, DType> out, Tensor<xpu, 4, DType> x,
                              float eps = 1e-3f) {
  const index_t n = x.size(1), m = x.size(3);
  const DType count = DType(1.0f / (n * m));
  auto sum = reduce_keepdim<red::sum, false>(reduce_keepdim<red::sum, false>(x, 3), 1);
  auto centred = x - broadcast_keepdim(broadcast_keepdim(count * sum, 3, m), 1, n);
  auto square = reduce_keepdim<red::sum, false>(centred * centred, 1);
  auto variance = count * reduce_keepdim<red::sum, false>(square, 3);
  auto root = broadcast_keepdim(F<op::square_root>(variance + DType(eps)), 1, n);
  out = centred / broadcast_keepdim(root, 3, m);
  x *= DType(2);
  out -= broadcast_keepdim(broadcast_keepdim(sum, 3, m), 1, n);
}
MSHADOW_INSTANTIATE(TwoOfFour, float, half::half_t);

/// Several dimensions at once, in branches, and beside them others; in place.
template <typename xpu, typename DType>
MSHADOW_KERNEL void MultiAxes(Tensor<xpu, 4, DType> out, Tensor<xpu, 4, DType> x, bool centre,
                              bool scale) {
  auto top = reduce_multi_axes<red::maximum>(x, Shape2(0, 2));
  if (centre) {
    x -= broadcast_multi_axes(top, Shape2(0, 2), Shape2(x.size(0), x.size(2)));
    out = x * broadcast_multi_axes(top, Shape2(0, 2), Shape2(x.size(0), x.size(2)));
  } else {
    out = x + DType(1);
  }
  if (scale) {
    auto total = reduce_multi_axes<red::sum>(x, Shape3(1, 2, 3));
    out = out * broadcast_multi_axes(total + DType(2), Shape3(1, 2, 3),
                                     Shape3(x.size(1), x.size(2), x.size(3)));
  }
  out += broadcast_multi_axes(top, Shape2(0, 2), Shape2(x.size(0), x.size(2)));
}
MSHADOW_INSTANTIATE(MultiAxes, float, int32_t, half::half_t);

/// What is reduced, moved and repeated along another dimension than its own, n times, and a vector
/// of it.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Elsewhere(Tensor<xpu, 3, DType> out, Tensor<xpu, 2, DType> wide,
                              const Tensor<xpu, 3, DType> &in, const Tensor<xpu, 2, DType> &m) {
  auto sum = broadcast_with_axis(reduce_with_axis<red::sum, false>(in, 1), 1, in.size(1));
  out = in - swapaxis<2, 1>(sum);
  auto top = mirror(reduce_keepdim<red::maximum, false>(m, 0)) * DType(2);
  wide = m + broadcast_keepdim(top, 0, m.size(0));
  wide -= broadcast_with_axis(reduce_with_axis<red::sum, false>(m, 1), 0, m.size(1));
}
MSHADOW_INSTANTIATE(Elsewhere, float, bfloat::bf16_t);

/// As often as tensors say whose other extents may be any.
template <typename xpu, typename DType>
MSHADOW_KERNEL void AsOften(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                            const Tensor<xpu, 2, DType> &wide, const Tensor<xpu, 2, DType> &tall,
                            bool centre) {
  out = in - broadcast_with_axis(reduce_with_axis<red::sum, false>(in, 1), 0, wide.size(1));
  if (centre) {
    out += broadcast_with_axis(reduce_with_axis<red::maximum, false>(in, 0), -1, tall.size(0));
  }
}
MSHADOW_INSTANTIATE(AsOften, float, half::half_t);

/// The same of an inner axis, and of the last one of a tensor that a slice is part of.
template <typename xpu, typename DType>
MSHADOW_KERNEL void AsOftenInside(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &in,
                                  const Tensor<xpu, 3, DType> &like) {
  out = in * broadcast_keepdim(reduce_keepdim<red::maximum, false>(in, 1), 1, like.size(1));
  Temporary<xpu, 3, DType> squares(in.shape_, in.stream_);
  squares = in * in;
  out -= broadcast_keepdim(reduce_keepdim<red::sum, false>(squares, 2), 2, like.size(2));
}
MSHADOW_INSTANTIATE(AsOftenInside, float);

/// Of a tensor whose elements a branch alone uses.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void RowsOrElements(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in,
                                   bool adds) {
  out = broadcast_keepdim(reduce_keepdim<red::sum, false>(in, dim - 1), dim - 1, out.size(dim - 1));
  if (adds) out += in;
}
MSHADOW_INSTANTIATE(RowsOrElements, float);

/// By a name, what is repeated is all that is reduced again, as often as another tensor says.
template <typename xpu, typename DType>
MSHADOW_KERNEL void RepeatedByName(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &in,
                                   const Tensor<xpu, 3, DType> &like) {
  auto top = broadcast_keepdim(reduce_keepdim<red::maximum, false>(in, 2), 2, like.size(2));
  out += broadcast_keepdim(reduce_keepdim<red::sum, false>(top, 2), 2, out.size(2));
}
MSHADOW_INSTANTIATE(RepeatedByName, float);

/// Values of two tensors, which must have the same other extents, and of a third one.
template <typename xpu, typename DType>
MSHADOW_KERNEL void OfTwo(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &a,
                          const Tensor<xpu, 3, DType> &b) {
  auto sum = reduce_keepdim<red::sum, false>(a, 2);
  auto maximum = reduce_keepdim<red::maximum, false>(b, 2);
  out -= broadcast_keepdim(sum * maximum, 2, out.size(2));
}
MSHADOW_INSTANTIATE(OfTwo, float);

/// One, whatever the element.
struct unit {
  template <typename T>
  MSHADOW_XINLINE static T Map(T) {
    return T(1);
  }
};

/// How many elements the rows of a tensor have of which none is read.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Lengths(Tensor<xpu, 2, DType> out, Tensor<xpu, 1, DType> counts,
                            const Tensor<xpu, 2, DType> &in) {
  counts = sumall_except_dim<0>(F<unit>(in));
  out += broadcast<0>(counts, out.shape_);
}
MSHADOW_INSTANTIATE(Lengths, float, int32_t);

/// What is repeated is all that is reduced again, as often as a tensor says that is not read, or
/// one whose minimum is taken; and beside elements.
template <typename xpu, typename DType>
MSHADOW_KERNEL void RepeatedAlone(Tensor<xpu, 1, DType> sums, Tensor<xpu, 1, DType> products,
                                  Tensor<xpu, 1, DType> tops, const Tensor<xpu, 2, DType> &in,
                                  const Tensor<xpu, 2, DType> &x,
                                  const Tensor<xpu, 2, DType> &like) {
  auto least = reduce_keepdim<red::minimum, false>(in, 0);
  sums = reduce_except_dim<1, red::sum>(broadcast_keepdim(least, 0, like.size(0)));
  products = reduce_except_dim<1, red::sum>(x * broadcast_keepdim(least, 0, x.size(0)));
  tops = reduce_except_dim<1, red::sum>(broadcast_keepdim(least + DType(1), 0, in.size(0)));
}
MSHADOW_INSTANTIATE(RepeatedAlone, float, half::half_t);

/// Reductions in one expression of matrices whose numbers of rows differ.
template <typename xpu, typename DType>
MSHADOW_KERNEL void ReducedApart(Tensor<xpu, 1, DType> v, Tensor<xpu, 2, DType> out,
                                 const Tensor<xpu, 2, DType> &in,
                                 const Tensor<xpu, 2, DType> &other) {
  auto top = reduce_keepdim<red::maximum, false>(in, 0);
  auto sum = reduce_keepdim<red::sum, false>(other, 0);
  out -= broadcast_keepdim(top * sum, 0, out.size(0));
  v += reduce_with_axis<red::sum, false>(in, 0) * reduce_with_axis<red::sum, false>(other, 0);
}
MSHADOW_INSTANTIATE(ReducedApart, float, half::half_t);

/// Sums to no effect: they must fit all the same, but what they sum may have more elements.
template <typename xpu, typename DType>
MSHADOW_KERNEL void IgnoredSums(Tensor<xpu, 3, DType> out, Tensor<xpu, 3, DType> ones,
                                const Tensor<xpu, 3, DType> &in,
                                const Tensor<xpu, 3, DType> &other) {
  auto matrix = out.FlatTo2D();
  matrix += in.FlatTo2D();
  auto flat = ones.FlatTo2D();
  flat *= DType(2);
  ones += F<unit>(broadcast_keepdim(reduce_keepdim<red::sum, false>(other, 2), 2, out.size(2)));
}
MSHADOW_INSTANTIATE(IgnoredSums, float, int32_t);

/// The same below another sum, whose own operand an operator ignores, too.
template <typename xpu, typename DType>
MSHADOW_KERNEL void IgnoredBelowSums(Tensor<xpu, 1, DType> sums, Tensor<xpu, 2, DType> out,
                                     const Tensor<xpu, 2, DType> &in,
                                     const Tensor<xpu, 2, DType> &other) {
  auto repeated = broadcast_keepdim(reduce_keepdim<red::sum, false>(other, 1), 1, out.size(1));
  sums = reduce_except_dim<1, red::sum>(F<op::right>(out, in) + repeated);
  out *= F<op::right>(repeated, in) + F<op::right>(DType(2) * out, DType(1) * in);
}
MSHADOW_INSTANTIATE(IgnoredBelowSums, float);
}  // namespace axis_rules
