// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace specs {
using namespace mshadow;
using namespace mshadow::expr;

/// Numbers of rows, columns and elements, and comparisons with them.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Numbers(Tensor<xpu, 2, DType> out, const Tensor<xpu, 1, int32_t> &label,
                            const Tensor<xpu, 1, DType> &value) {
  const index_t cols = out.size(1);
  auto column = broadcast<1>(range<DType>(0, cols), out.shape_);
  out = column - broadcast<0>(range<DType>(0, out.size(0)) * 2.0f, out.shape_);
  out += one_hot_encode<DType>(label + label, cols);
  out = mat_fill_row_element(out, value * value, label);
}
MSHADOW_INSTANTIATE(Numbers, float, half::half_t);

/// A vector's own.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Ramp(Tensor<xpu, 1, DType> out, const Tensor<xpu, 1, DType> &in) {
  out = in + range<DType>(0, out.size(0));
}
MSHADOW_INSTANTIATE(Ramp, float);

/// Reductions of what has no matrix below it.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Counts(Tensor<xpu, 1, DType> out, const Tensor<xpu, 2, DType> &in,
                           const Tensor<xpu, 1, int32_t> &label) {
  out = reduce_except_dim<0, red::maximum>(in);
  out += sumall_except_dim<0>(one_hot_encode<DType>(label, in.size(1)));
}
MSHADOW_INSTANTIATE(Counts, float);

/// Elements that indices name: of a matrix, of an expression.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Choose(Tensor<xpu, 1, DType> out, const Tensor<xpu, 2, DType> &in,
                           const Tensor<xpu, 1, DType> &gain, const Tensor<xpu, 1, DType> &at) {
  out = tcast<DType>(mat_choose_row_element(tcast<float>(in), at));
  out -= mat_choose_row_element(
      in * broadcast<1>(gain, in.shape_) - broadcast<1>(range<DType>(0, in.size(1)), in.shape_) +
          one_hot_encode<DType>(at, in.size(1)) * broadcast<0>(out, in.shape_),
      at);
}
MSHADOW_INSTANTIATE(Choose, float);
}  // namespace specs
