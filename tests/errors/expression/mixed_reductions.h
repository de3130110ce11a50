// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

/// Two statements may differ, one may not.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 1, DType> one, Tensor<xpu, 1, DType> columns,
                         const Tensor<xpu, 2, DType> &in, const Tensor<xpu, 1, int32_t> &at) {
  auto picked = broadcast<0>(mat_choose_row_element(in, at), in.shape_);  // expected-note {{it gathers elements of rows here; a statement can do only one of the two: assign the other to a Temporary first}}
  one = reduce_all<red::sum>(in * picked);  // expected-error [mixed-reductions] {{this reduces everything, but the same statement also gathers elements of rows}}
}
MSHADOW_INSTANTIATE(Rule, float);

template <typename xpu, typename DType>
MSHADOW_KERNEL void Both(Tensor<xpu, 1, DType> columns, const Tensor<xpu, 2, DType> &in,
                         const Tensor<xpu, 1, int32_t> &at) {
  columns = sum_rows(in * broadcast<0>(mat_choose_row_element(in, at), in.shape_));  // expected-error [mixed-reductions] {{this reduces columns, but the same statement also gathers elements of rows}}
}
MSHADOW_INSTANTIATE(Both, float);

/// Only the shape of a tensor.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void NoElements(Tensor<xpu, 1, DType> one, const Tensor<xpu, dim, DType> &in) {
  one = reduce_all<red::sum>(broadcast_scalar(one, in.shape_));  // expected-error [repeated-values] {{this reduction reads no elements of a tensor, only values that it repeats}}
}
MSHADOW_INSTANTIATE(NoElements, float);
}  // namespace errors
