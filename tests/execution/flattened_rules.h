// SPDX-License-Identifier: Apache-2.0
// Rules over images, some of whose statements take them as matrices: the generator makes the others
// statements over matrices, too.
#include <mshadow/kernel.h>

namespace flattened_rules {
using namespace mshadow;
using namespace mshadow::expr;

/// A softmax of a temporary in registers, between two statements over images.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Softmax(Tensor<xpu, 4, DType> out, const Tensor<xpu, 4, DType> &in,
                            const Tensor<xpu, 4, DType> &gain, float scale) {
  Temporary<xpu, 4, DType> h(in.shape_, in.stream_);
  h = in * gain * DType(scale);
  auto m = h.FlatTo2D();
  auto e = F<op::exp>(
      m - broadcast_with_axis(reduce_with_axis<red::maximum, false>(m, 1), 0, m.size(1)));
  out.FlatTo2D() = e / broadcast_with_axis(reduce_with_axis<red::sum, false>(e, 1), 0, m.size(1));
  out *= in;
}
MSHADOW_INSTANTIATE(Softmax, float, half::half_t);

/// Gains of the last dimension, a number that a tensor holds, and every saver.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Norm(Tensor<xpu, 3, DType> out, Tensor<xpu, 3, DType> state,
                         const Tensor<xpu, 3, DType> &in, const Tensor<xpu, 1, DType> &gain,
                         const Tensor<xpu, 1, DType> &bias) {
  state += in * broadcast<2>(gain, in.shape_);
  auto rows = state.FlatTo2D();
  Temporary<xpu, 1, float> total(Shape1(rows.size(0)), in.stream_);
  total = sumall_except_dim<0>(tcast<float>(rows));
  out.FlatTo2D() = rows - tcast<DType>(broadcast<0>(total, rows.shape_));
  out -= state;
  state *= broadcast<2>(bias, state.shape_) - DType(2);
}
MSHADOW_INSTANTIATE(Norm, float, bfloat::bf16_t);

/// Branches over images and over matrices.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Branches(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &in,
                             const Tensor<xpu, 3, DType> &more, bool as_matrix, bool twice) {
  Temporary<xpu, 3, DType> t(in.shape_, in.stream_);
  t = in * DType(3);
  if (as_matrix) {
    t.FlatTo2D() -= in.FlatTo2D();
    if (twice) t *= more;
  } else {
    t = F<op::identity>(more);
  }
  out = t + more;
  if (twice) out.FlatTo2D() += t.FlatTo2D();
}
MSHADOW_INSTANTIATE(Branches, float, int32_t);

/// A temporary that has memory: a view reads it, and so do columns of matrices.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Kept(Tensor<xpu, 3, DType> out, Tensor<xpu, 1, DType> sums,
                         const Tensor<xpu, 3, DType> &in) {
  Temporary<xpu, 3, DType> t(in.shape_, in.stream_);
  t = in * in;
  sums = sum_rows(t.FlatTo2D());
  out = t - in;
  out.FlatTo2D() += mirror(t.FlatTo2D());
}
MSHADOW_INSTANTIATE(Kept, float, int32_t);

/// Values of columns that are repeated along the rows.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Columns(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &in) {
  Temporary<xpu, 3, DType> t(in.shape_, in.stream_);
  t = in * in;
  auto rows = t.FlatTo2D();
  out.FlatTo2D() = rows - broadcast_keepdim(reduce_keepdim<red::maximum, false>(rows, 0), 0,
                                            rows.size(0));
}
MSHADOW_INSTANTIATE(Columns, float);

/// Temporaries with extents of their own and with those of another one, which a view reads.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Extents(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &in) {
  Temporary<xpu, 3, DType> t(Shape3(in.size(0), in.size(1), in.size(2)), in.stream_);
  Temporary<xpu, 3, DType> u(t.shape_, in.stream_);
  t = in + DType(1);
  u = t * t;
  out.FlatTo2D() = u.FlatTo2D() - t.FlatTo2D();
  out.FlatTo2D() *= mirror(u.FlatTo2D());
}
MSHADOW_INSTANTIATE(Extents, float);

/// Values of channels: nothing becomes a matrix.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Channels(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &in,
                             const Tensor<xpu, 1, DType> &state) {
  Temporary<xpu, 3, DType> t(in.shape_, in.stream_);
  t = in * DType(2);
  out = t * broadcast<1>(state, in.shape_);
  out.FlatTo2D() -= t.FlatTo2D();
}
MSHADOW_INSTANTIATE(Channels, float);

/// More conditions than a kernel has.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Conditions(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &in, float a,
                               float b, float c) {
  Temporary<xpu, 3, DType> t(in.shape_, in.stream_);
  t = in;
  if (a > 0) t *= DType(a);
  if (b > 0) t -= DType(b);
  if (c > 0) t += DType(c);
  out.FlatTo2D() = t.FlatTo2D() * t.FlatTo2D();
  if (a > 1) out.FlatTo2D() -= in.FlatTo2D();
  if (b > 1) out.FlatTo2D() += t.FlatTo2D();
  if (c > 1) out -= t;
}
MSHADOW_INSTANTIATE(Conditions, float);

}  // namespace flattened_rules
