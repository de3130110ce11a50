// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 1, DType> one, Tensor<xpu, 1, DType> rows,
                         const Tensor<xpu, 2, DType> &in) {
  one = reduce_all<red::sum>(in);
  rows = sumall_except_dim<0>(in);  // expected-error [mixed-reductions] {{this reduces rows, but the rule reduces everything already}}
}
MSHADOW_INSTANTIATE(Rule, float);

template <typename xpu, typename DType>
MSHADOW_KERNEL void Both(Tensor<xpu, 1, DType> columns, Tensor<xpu, 1, DType> rows,
                         const Tensor<xpu, 2, DType> &in) {
  columns = sum_rows(in);
  rows = sumall_except_dim<0>(in);  // expected-error [mixed-reductions] {{this reduces rows, but the rule reduces columns already}}
}
MSHADOW_INSTANTIATE(Both, float);

template <typename xpu, typename DType>
MSHADOW_KERNEL void Picks(Tensor<xpu, 1, DType> one, Tensor<xpu, 1, DType> picked,
                          const Tensor<xpu, 2, DType> &in, const Tensor<xpu, 1, int32_t> &at) {
  one = reduce_all<red::sum>(in);
  picked = mat_choose_row_element(in, at);  // expected-error [mixed-reductions] {{this picks elements of rows, but the rule reduces everything already}}
}
MSHADOW_INSTANTIATE(Picks, float);

/// Only the shape of a tensor.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void NoElements(Tensor<xpu, 1, DType> one, const Tensor<xpu, dim, DType> &in) {
  one = reduce_all<red::sum>(broadcast_scalar(one, in.shape_));  // expected-error [reduction] {{this reduction cannot be part of a fused rule}}
}
MSHADOW_INSTANTIATE(NoElements, float);
}  // namespace errors
