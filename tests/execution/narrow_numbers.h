// SPDX-License-Identifier: Apache-2.0
// Numbers of elements of types that hold few: rules for shapes of their own.
#include <mshadow/kernel.h>

namespace narrow_numbers {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Rows(Tensor<xpu, 1, DType> most, const Tensor<xpu, 2, DType> &in, bool add) {
  if (add) most += 2 * reduce_except_dim<0, red::argmax>(in);
}
MSHADOW_INSTANTIATE(Rows, half::half_t, bfloat::bf16_t, int8_t, uint8_t);

template <typename xpu, typename DType>
MSHADOW_KERNEL void Columns(Tensor<xpu, 1, DType> least, const Tensor<xpu, 2, DType> &in) {
  least = reduce_except_dim<1, red::argmin>(in);
}
MSHADOW_INSTANTIATE(Columns, half::half_t, bfloat::bf16_t, int8_t, uint8_t);

template <typename xpu, typename DType>
MSHADOW_KERNEL void Channels(Tensor<xpu, 1, DType> most, const Tensor<xpu, 4, DType> &in) {
  most = reduce_except_dim<1, red::argmax>(in * in);
}
MSHADOW_INSTANTIATE(Channels, half::half_t, bfloat::bf16_t, int8_t, uint8_t);

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void All(Tensor<xpu, 1, DType> least, const Tensor<xpu, dim, DType> &in) {
  least = reduce_all<red::argmin>(in);
}
MSHADOW_INSTANTIATE(All, half::half_t, bfloat::bf16_t, int8_t, uint8_t);
}  // namespace narrow_numbers
