// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace specs {
using namespace mshadow;
using namespace mshadow::expr;

/// A vector as every row, and as every column.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Matrix(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                           const Tensor<xpu, 1, DType> &row, const Tensor<xpu, 1, DType> &column) {
  auto shape = out.shape_;
  out = in + repmat(row, out.size(0));
  out += broadcast<1>(row, in.shape_) * broadcast<0>(column, shape);
  out *= broadcast<1>(row * 2.0f + F<op::square>(row), out.shape_);
}
MSHADOW_INSTANTIATE(Matrix, float);

/// The last dimension, whatever the rank.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void AnyRank(Tensor<xpu, dim, DType> out, const Tensor<xpu, 1, DType> &bias) {
  out += broadcast<dim - 1>(bias, out.shape_);
}
MSHADOW_INSTANTIATE(AnyRank, float);

template <typename xpu, typename DType>
MSHADOW_KERNEL void Vector(Tensor<xpu, 3, DType> out, const Tensor<xpu, 1, DType> &v) {
  out = broadcast<2>(v, out.shape_);
}
MSHADOW_INSTANTIATE(Vector, float);

struct second {
  template <typename T>
  MSHADOW_XINLINE static T Map(T, T b) {
    return b;
  }
};

/// `in` must fit as an operand, though only its reduction is used.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Ignored(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = F<second>(in, broadcast_keepdim(reduce_keepdim<red::sum, false>(in, 1), 1, out.size(1)));
}
MSHADOW_INSTANTIATE(Ignored, float);
}  // namespace specs
