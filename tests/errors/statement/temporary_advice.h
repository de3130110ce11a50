// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

/// The advice names the dimension that the reduction keeps.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Columns(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &in) {
  Temporary<xpu, 1, DType> sum(Shape1(in.size(1)));  // expected-error [temporary-shape] {{'sum'}} expected-note {{declare it as 'sum(Shape1(out.size(2)), out.stream_)'}}
  sum = reduce_except_dim<2, red::sum>(in);
  out = in / broadcast<2>(sum, in.shape_);
}
MSHADOW_INSTANTIATE(Columns, float);

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void AnyRank(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  Temporary<xpu, 1, DType> sum(Shape1(in.size(0)));  // expected-error [temporary-shape] {{'sum'}} expected-note {{declare it as 'sum(Shape1(out.size(dim - 1)), out.stream_)'}}
  sum = reduce_except_dim<dim - 1, red::sum>(in);
  out = in / broadcast<dim - 1>(sum, in.shape_);
}
MSHADOW_INSTANTIATE(AnyRank, float);

/// Beside a matrix that another kernel uses.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Channels(Tensor<xpu, 2, DType> matrix, Tensor<xpu, 4, DType> out,
                             const Tensor<xpu, 4, DType> &in) {
  Temporary<xpu, 1, DType> sum(Shape1(in.size(0)));  // expected-error [temporary-shape] {{'sum'}} expected-note {{declare it as 'sum(Shape1(out.size(1)), matrix.stream_)'}}
  sum = reduce_except_dim<1, red::sum>(in);
  out = in / broadcast<1>(sum, in.shape_);
  MSHADOW_STAGE();
  matrix *= 2.0f;
}
MSHADOW_INSTANTIATE(Channels, float);

/// A kernel keeps vectors, and no matrix of indices from a reduction of one of three axes.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Matrix(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &in) {
  Temporary<xpu, 2, DType> sum(Shape2(in.size(0), in.size(2)));  // expected-error [temporary-shape] {{'sum'}} expected-note {{the kernel goes over tensors of rank 3: write 'MSHADOW_STAGE();' behind the statement that writes 'sum', so that 'sum' has memory}}
  sum = reduce_with_axis<red::maximum, true>(in, 1);
  out = in / broadcast_with_axis(sum, 0, in.size(1));
}
MSHADOW_INSTANTIATE(Matrix, float);

/// The advice of the notes.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Advised(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &in) {
  Temporary<xpu, 2, DType> sum(Shape2(in.size(0), in.size(2)));
  sum = reduce_with_axis<red::sum, false>(in, 1);
  MSHADOW_STAGE();
  out = in / broadcast_with_axis(sum, 0, in.size(1));
}
MSHADOW_INSTANTIATE(Advised, float);
}  // namespace errors
