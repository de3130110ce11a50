// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace specs {
using namespace mshadow;
using namespace mshadow::expr;

/// A tensor in four shapes. What is read as it is written is the same memory; a reshape that is
/// only read is a view.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Shapes(Tensor<xpu, 3, DType> out, Tensor<xpu, 2, DType> m,
                           const Tensor<xpu, 3, DType> &in) {
  const Shape<2> turned = Shape2(in.size(2), in.size(0) * in.size(1));
  auto as_turned = reshape(out, turned);
  as_turned = 2.0f * reshape(out, turned) - reshape(in, turned);
  auto rows = in.FlatTo2D();
  out.FlatTo2D() += rows * static_cast<float>(rows.size(0));
  reshape(out, m.shape_) = m + as_turned;
  out.FlatTo1D() *= 3.0f;
}
MSHADOW_INSTANTIATE(Shapes, float);

/// Reductions of rows and columns of matrices, which are repeated along these.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Repeated(Tensor<xpu, 4, DType> out, const Tensor<xpu, 4, DType> &in) {
  Temporary<xpu, 4, DType> t(in.shape_, in.stream_);
  t = in + in;
  auto rows = t.FlatTo2D();
  out.FlatTo2D() =
      rows -
      broadcast_with_axis(reduce_with_axis<red::maximum, false>(rows, 1), 0, rows.size(1));
  out.FlatTo2D() -= broadcast_keepdim(reduce_keepdim<red::sum, false>(rows, 0), 0, rows.size(0));
}
MSHADOW_INSTANTIATE(Repeated, float);

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void AnyRank(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  reshape(out, in.shape_) = reshape(out, in.shape_) + in;
}
MSHADOW_INSTANTIATE(AnyRank, float);

}  // namespace specs
