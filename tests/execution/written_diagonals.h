// SPDX-License-Identifier: Apache-2.0
// Rules that write the diagonal of a matrix.
#include <mshadow/kernel.h>

namespace written_diagonals {
using namespace mshadow;
using namespace mshadow::expr;

/// A number, between statements that use the whole matrix.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Shift(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = in + DType(1);
  diag(out) += DType(2);
  out = out * DType(2);
}
MSHADOW_INSTANTIATE(Shift, float, double, half::half_t, int8_t);

/// A vector with each saver, by the diagonal's name, and in a branch.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Scale(Tensor<xpu, 2, DType> m, const Tensor<xpu, 1, DType> &v, bool halves) {
  auto d = diag(m);
  d = v;
  d *= v;
  d -= DType(0.5f) * v;
  if (halves) d /= DType(2);
}
MSHADOW_INSTANTIATE(Scale, float, bfloat::bf16_t);

/// Values that read the matrix: its diagonal, and its rows.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Negate(Tensor<xpu, 2, DType> m, const Tensor<xpu, 1, DType> &v) {
  diag(m) = v - diag(m);
  diag(m) += DType(2) * reduce_with_axis<red::maximum, false>(m, 1);
}
MSHADOW_INSTANTIATE(Negate, float, int32_t);

/// The Laplacian of a graph: the degrees minus the matrix of edges.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Laplacian(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &edges) {
  Temporary<xpu, 1, DType> degree(Shape1(edges.size(0)), edges.stream_);
  degree = sumall_except_dim<0>(edges);
  out = DType(0) - edges;
  diag(out) += degree;
}
MSHADOW_INSTANTIATE(Laplacian, float);

/// The diagonal of a temporary, and numbers.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Count(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  Temporary<xpu, 2, DType> twice(in.shape_, in.stream_);
  twice = in * DType(2);
  diag(twice) = range<DType>(0, in.size(0)) + DType(1);
  diag(twice) += range<DType>(0, twice.size(0));
  out = mirror(twice);
}
MSHADOW_INSTANTIATE(Count, float);

/// Two diagonals of one vector, which a statement between them changes.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Twice(Tensor<xpu, 2, DType> a, Tensor<xpu, 2, DType> b,
                          Tensor<xpu, 1, DType> v) {
  diag(a) = v;
  v += DType(1);
  diag(b) = v * v;
}
MSHADOW_INSTANTIATE(Twice, float);

}  // namespace written_diagonals
