// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

/// Rows of nothing but vectors.
template <typename xpu, typename DType>
MSHADOW_KERNEL void NoMatrix(Tensor<xpu, 1, DType> rows, const Tensor<xpu, 1, DType> &v) {
  rows = sumall_except_dim<0>(v);  // expected-error [reduction] {{this reduction is not supported in a rule}}
}
MSHADOW_INSTANTIATE(NoMatrix, float);

/// Images of which only the shape is used.
template <typename xpu, typename DType>
MSHADOW_KERNEL void OnlyImages(Tensor<xpu, 1, DType> channels, const Tensor<xpu, 1, DType> &v,
                               const Tensor<xpu, 3, DType> &in) {
  channels = sumall_except_dim<1>(broadcast<1>(v, in.shape_));  // expected-error [repeated-values] {{this reduction reads no elements of a tensor, only values that it repeats}}
}
MSHADOW_INSTANTIATE(OnlyImages, float);

/// A matrix of which only the shape is used.
template <typename xpu, typename DType>
MSHADOW_KERNEL void OnlyShape(Tensor<xpu, 1, DType> rows, const Tensor<xpu, 1, DType> &v,
                              const Tensor<xpu, 2, DType> &m) {
  rows = sumall_except_dim<0>(broadcast<1>(v, m.shape_));  // expected-error [repeated-values] {{this reduction reads no elements of a tensor, only values that it repeats}}
}
MSHADOW_INSTANTIATE(OnlyShape, float);

/// In a rule for any rank the last dimension is `dim - 1`.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void AnyRank(Tensor<xpu, 1, DType> columns, const Tensor<xpu, dim, DType> &in) {
  columns = sumall_except_dim<1>(in);  // expected-error [rank-dependent] {{this reduction}}
}
MSHADOW_INSTANTIATE(AnyRank, float);
}  // namespace errors
