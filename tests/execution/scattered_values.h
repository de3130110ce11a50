// SPDX-License-Identifier: Apache-2.0
/// \file scattered_values.h
/// Rows of zeros with some values, which a kernel stores, changes or reduces.
#ifndef TESTS_EXECUTION_SCATTERED_VALUES_H_
#define TESTS_EXECUTION_SCATTERED_VALUES_H_

#include <mshadow/kernel.h>

namespace scattered_values {
using namespace mshadow;
using namespace mshadow::expr;

/// As they are.
template <typename xpu, typename DType, typename IType>
MSHADOW_KERNEL void Store(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &values,
                          const Tensor<xpu, 2, IType> &columns) {
  out = scatter_columns(values, columns, out.size(1));
}
MSHADOW_INSTANTIATE(Store, Types<float, int64_t>, Types<double, int32_t>,
                    Types<half::half_t, float>, Types<int32_t, int16_t>);

/// What arithmetic makes of zeros and of values, in two destinations.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Change(Tensor<xpu, 2, DType> out, Tensor<xpu, 2, float> scaled,
                           const Tensor<xpu, 2, float> &values,
                           const Tensor<xpu, 2, int64_t> &columns, float s) {
  auto e = scatter_columns(values + 1.0f, columns, out.size(1));
  scaled = s * e;
  out = tcast<DType>(where(e > 50.0f, e, 2.0f - s));
}
MSHADOW_INSTANTIATE(Change, float, bfloat::bf16_t, int8_t);

/// Added to a matrix, which the kernel reads.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Add(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &values,
                        const Tensor<xpu, 2, int64_t> &columns) {
  out += scatter_columns(values, columns, out.size(1));
}
MSHADOW_INSTANTIATE(Add, float);

/// Reduced to rows.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Total(Tensor<xpu, 1, DType> totals, const Tensor<xpu, 2, DType> &in,
                          const Tensor<xpu, 2, DType> &values,
                          const Tensor<xpu, 2, int64_t> &columns) {
  totals = sumall_except_dim<0>(in * scatter_columns(values, columns, in.size(1)));
}
MSHADOW_INSTANTIATE(Total, float);

}  // namespace scattered_values

#endif  // TESTS_EXECUTION_SCATTERED_VALUES_H_
