// SPDX-License-Identifier: Apache-2.0
// Rules for any rank that read elements at other places, each view of which has its source's shape.
#include <mshadow/kernel.h>

#include "view_parts.h"

namespace any_rank_rules {
using namespace mshadow;
using namespace mshadow::expr;

/// Dimensions from the first and from the last, and which one a scalar says.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Turned(Tensor<xpu, dim, DType> out, Tensor<xpu, dim, float> sum,
                           const Tensor<xpu, dim, DType> &in, bool up) {
  if (up) {
    out = flip(in, 0) - in;
  } else {
    out = flip(in, dim - 1) + mirror(in * in);
  }
  sum += tcast<float>(flip(flip(in, dim - 1), 0));
}
MSHADOW_INSTANTIATE(Turned, float, half::half_t, int32_t);

/// Ranges of the first dimension, one behind the other.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rolled(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in,
                           float scale) {
  const index_t by = in.size(0) / 2;
  auto rolled = concat<0>(in.Slice(by, in.size(0)), slice<0>(in, 0, by));
  out = rolled * DType(scale) - in;
}
MSHADOW_INSTANTIATE(Rolled, float, double);

/// Halves of the first dimension, written and read where they lie.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Halves(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in,
                           bool both) {
  const index_t half = in.size(0) / 2;
  auto front = out.Slice(0, half);
  front = in.Slice(half, 2 * half) * 2.0f;
  front += slice<0>(in, 0, half);
  if (both) slice<0>(out, out.size(0) - front.size(0), out.size(0)) -= front * 0.5f;
}
MSHADOW_INSTANTIATE(Halves, float, half::half_t);

/// Halves of the last dimension, as those of the first.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void LastHalves(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in,
                               bool both) {
  const index_t cols = in.size(dim - 1), half = cols / 2;
  auto front = slice<dim - 1>(out, 0, half);
  front = slice<dim - 1>(in, half, 2 * half) * 2.0f;
  front += slice<dim - 1>(in, 0, half);
  if (both) slice<dim - 1>(out, cols - front.shape_[dim - 1], cols) -= front * 0.5f;
}
MSHADOW_INSTANTIATE(LastHalves, float, half::half_t);

/// Two ranges of the last dimension; what is turned is a view of the other argument.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void LastShared(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in,
                               const Tensor<xpu, dim, DType> &other, bool more) {
  const index_t cols = out.size(dim - 1), some = cols / 3;
  auto both = concat<dim - 1>(slice<dim - 1>(out, 0, some), slice<dim - 1>(out, some, cols));
  both = in * other - in;
  if (more) both += other * DType(3);
  MSHADOW_STAGE();
  slice<dim - 1>(out, some, cols) -=
      slice<dim - 1>(in, some, cols) + slice<dim - 1>(flip(other, 0), some, cols);
}
MSHADOW_INSTANTIATE(LastShared, float, int32_t);

/// Two ranges beside each other are given values at once; which, a scalar says.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Shared(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in,
                           const Tensor<xpu, dim, DType> &other, bool more) {
  const index_t some = in.size(0) / 3;
  auto both = concat<0>(slice<0>(out, 0, some), out.Slice(some, out.size(0)));
  both = in * other - in;
  if (more) both += other * DType(3);
}
MSHADOW_INSTANTIATE(Shared, float, int32_t);

/// An expression of one's own, around and inside of others, and the same elements as a vector.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Ploughed(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = view_parts::plough(in) + reshape(view_parts::plough(in.FlatTo2D()), in.shape_);
  out *= view_parts::plough(tcast<DType>(tcast<float>(mirror(in)) * 0.5f));
}
MSHADOW_INSTANTIATE(Ploughed, float, half::half_t);

/// One half of each row for the other, as in a gate, and what is left of it twice; columns'
/// numbers.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Gated(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  const index_t cols = in.size(dim - 1), half = cols / 2;
  auto front = slice<dim - 1>(in, 0, half);
  out = concat<dim - 1>(slice<dim - 1>(in, half, cols), front) / static_cast<float>(cols + 1) +
        broadcast<dim - 1>(range<DType>(0, in.shape_[dim - 1]) * 0.5f, in.shape_);
}
MSHADOW_INSTANTIATE(Gated, float);

/// A vector that is turned and repeated along the last dimension.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Biased(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in,
                           const Tensor<xpu, 1, DType> &bias) {
  out = F<op::relu>(mirror(in) + broadcast<dim - 1>(flip(bias, 0), in.shape_));
}
MSHADOW_INSTANTIATE(Biased, float);

/// Columns, and everything, of views alone; and a second kernel that reads what the first wrote.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Summed(Tensor<xpu, dim, DType> out, Tensor<xpu, 1, float> columns,
                           const Tensor<xpu, dim, DType> &in) {
  columns = sumall_except_dim<dim - 1>(tcast<float>(flip(in, 0) * mirror(in)));
  out = mirror(in) + tcast<DType>(broadcast<dim - 1>(columns, out.shape_));
}
MSHADOW_INSTANTIATE(Summed, float, half::half_t);

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Normed(Tensor<xpu, dim, DType> out, Tensor<xpu, dim, DType> later,
                           const Tensor<xpu, dim, DType> &in) {
  Temporary<xpu, 1, float> total(Shape1(1), in.stream_);
  auto turned = tcast<float>(mirror(in));
  total = reduce_all<red::sum>(turned * tcast<float>(in));
  out = tcast<DType>(turned * broadcast_scalar(total, out.shape_));
  MSHADOW_STAGE();
  later = flip(out, dim - 1) * 0.5f;
}
MSHADOW_INSTANTIATE(Normed, float);
/// The first row of all, and a vector, computed, repeated and turned.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Repeated(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in,
                             const Tensor<xpu, 1, DType> &bias) {
  auto first = slice<0>(in, 0, in.size(0) < 1 ? 0 : 1);
  out = in - mirror(broadcast_to(mirror(first) * first, in.shape_));
  out += mirror(broadcast<dim - 1>(mirror(bias) + bias, in.shape_));
}
MSHADOW_INSTANTIATE(Repeated, float, int32_t);
/// Ranges of ranges, of the same dimension.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Nested(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  const index_t half = in.size(dim - 1) / 2, some = in.size(0) / 2;
  auto both = slice<dim - 1>(out, 0, 2 * half);
  slice<dim - 1>(both, half, 2 * half) =
      slice<dim - 1>(slice<dim - 1>(in, 0, 2 * half), 0, half) * 2.0f;
  slice<dim - 1>(both, 0, half) += slice<dim - 1>(in, half, 2 * half);
  slice<0>(slice<0>(out, 0, 2 * some), 0, some) *= slice<0>(in.Slice(0, 2 * some), some, 2 * some);
}
MSHADOW_INSTANTIATE(Nested, float);

/// A number for tensors beside each other, which must have the same other extents.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Numbers(Tensor<xpu, dim, DType> a, Tensor<xpu, dim, DType> b, DType value) {
  concat<0>(a, b) = DType(1);
  concat<dim - 1>(a, b) *= value;
}
MSHADOW_INSTANTIATE(Numbers, float, int32_t);

/// Sums of maxima that are repeated, beside a tensor whose rows may have another length.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void RepeatedMaxima(Tensor<xpu, dim, DType> out,
                                   const Tensor<xpu, dim, DType> &in) {
  auto maxima = reduce_keepdim<red::maximum, false>(in, dim - 1);
  auto top = broadcast_keepdim(maxima, dim - 1, in.size(dim - 1));
  auto sums = reduce_keepdim<red::sum, false>(top, dim - 1);
  out += broadcast_keepdim(sums, dim - 1, out.size(dim - 1));
}
MSHADOW_INSTANTIATE(RepeatedMaxima, float);

/// Sums to no effect of rows that may have another length.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void IgnoredSums(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in,
                                const Tensor<xpu, dim, DType> &other) {
  auto sums = reduce_keepdim<red::sum, false>(other, dim - 1);
  out -= F<op::right>(broadcast_keepdim(DType(2) * sums, dim - 1, out.size(dim - 1)), in);
}
MSHADOW_INSTANTIATE(IgnoredSums, float);

}  // namespace any_rank_rules
