// SPDX-License-Identifier: Apache-2.0
// Rules that write tensors in other shapes. Rows of arguments may be padded, so these keep their
// rows; temporaries, whose rows are not, get any shape.
#include <mshadow/kernel.h>

namespace reshaped_rules {
using namespace mshadow;
using namespace mshadow::expr;

/// A temporary in its own shape, turned, and as a vector, in turn; every saver.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Turned(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                           float scale, bool as_vector) {
  const Shape<2> turned = Shape2(in.size(1), in.size(0));
  Temporary<xpu, 2, DType> t(in.shape_, in.stream_);
  t = in * DType(scale);
  reshape(t, turned) += in.T();
  out = F<op::identity>(t);
  auto as_turned = reshape(t, turned);
  as_turned = as_turned * DType(3) - in.T();
  if (as_vector) t.FlatTo1D() *= reshape(in, Shape1(in.shape_.Size()));
  out += t - mirror(in);
}
MSHADOW_INSTANTIATE(Turned, float, half::half_t, int32_t);

/// Images as matrices: rows are reduced, and one kernel has both matrices; then images again.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Rows(Tensor<xpu, 3, DType> out, Tensor<xpu, 3, DType> state,
                         const Tensor<xpu, 3, DType> &in, float scale = 0.25f) {
  auto rows = out.FlatTo2D(), from = in.FlatTo2D();
  Temporary<xpu, 1, float> total(Shape1(from.size(0)), in.stream_);
  total = sumall_except_dim<0>(tcast<float>(from) * scale);
  rows = from * tcast<DType>(broadcast<0>(total, from.shape_));
  state.FlatTo2D() += rows;
  state -= out;
}
MSHADOW_INSTANTIATE(Rows, float, bfloat::bf16_t);

/// One kernel, in which only memory is of both shapes.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Kept(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &in, float scale) {
  Temporary<xpu, 3, DType> t(in.shape_, in.stream_);
  t.FlatTo2D() = in.FlatTo2D() * DType(scale);
  out.FlatTo2D() = t.FlatTo2D() + in.FlatTo2D();
}
MSHADOW_INSTANTIATE(Kept, float);

/// In its own shape, before and after.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Between(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &in) {
  out -= in;
  out.FlatTo2D() *= in.FlatTo2D();
  reshape(out, in.shape_) += in;
  out = out * DType(2) + mirror(in);
}
MSHADOW_INSTANTIATE(Between, float, int64_t);

/// In one shape or in the other, as a launch says; and the elements of a matrix in reverse.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Branches(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &in,
                             bool as_matrix) {
  Temporary<xpu, 3, DType> t(in.shape_, in.stream_);
  t = in * DType(3);
  if (as_matrix) {
    t.FlatTo2D() -= mirror(in.FlatTo2D());
  } else {
    t *= in;
  }
  out = t + mirror(in);
  t.FlatTo1D() *= DType(2);
  out -= t;
}
MSHADOW_INSTANTIATE(Branches, float, int32_t);

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void AnyRank(Tensor<xpu, dim, DType> out, Tensor<xpu, dim, DType> state,
                            const Tensor<xpu, dim, DType> &in) {
  reshape(out, in.shape_) = in * DType(2);
  auto as_in = reshape(state, in.shape_);
  as_in += reshape(out, in.shape_);
  state *= out;
}
MSHADOW_INSTANTIATE(AnyRank, float, half::half_t);

/// Products into and of matrices that are batches.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Products(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  const index_t rows = in.size(0);
  Temporary<xpu, 3, DType> t(Shape3(1, rows, rows), in.stream_);
  t.FlatTo2D() = dot(in, in.T());
  reshape(t, Shape2(rows, rows)) += dot(in, in.T());
  out = dot(t.FlatTo2D(), in);
}
MSHADOW_INSTANTIATE(Products, float, double);

/// A rule for matrices that a rule for images calls.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Doubled(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = in + in;
}
MSHADOW_INSTANTIATE(Doubled, float);
template <typename xpu, typename DType>
MSHADOW_KERNEL void Called(Tensor<xpu, 3, DType> out, Tensor<xpu, 3, DType> state,
                           const Tensor<xpu, 3, DType> &in) {
  Doubled(out.FlatTo2D(), in.FlatTo2D());
  concat<0>(out.FlatTo2D(), state.FlatTo2D()) += DType(2);
}
MSHADOW_INSTANTIATE(Called, float);

}  // namespace reshaped_rules
