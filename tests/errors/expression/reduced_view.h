// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

/// A view is computed again where it is read: it is no value of a row.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Rows(Tensor<xpu, 1, DType> loss, const Tensor<xpu, 2, DType> &in,
                         const Tensor<xpu, 1, int32_t> &label) {
  auto top = reduce_with_axis<red::maximum, false>(in, 1);
  auto e = F<op::exp>(in - broadcast_with_axis(top, 0, in.size(1)));
  loss = F<op::log>(reduce_with_axis<red::sum, false>(e, 1)) + top - mat_choose_row_element(in, label);  // expected-error [view-vector] {{a rule that reduces rows, columns or channels cannot read a view of a vector}} expected-note {{before this statement, assign the reduction to a vector or to a Temporary, as in 'v = reduce_except_dim<0, red::sum>(...);', and use v here}}
}
MSHADOW_INSTANTIATE(Rows, float);

template <typename xpu, typename DType>
MSHADOW_KERNEL void Columns(Tensor<xpu, 1, DType> loss, const Tensor<xpu, 2, DType> &in) {
  auto top = reduce_with_axis<red::maximum, false>(in, 0);
  auto e = F<op::exp>(in - broadcast_with_axis(top, -1, in.size(0)));
  loss = F<op::log>(reduce_with_axis<red::sum, false>(e, 0)) + top;  // expected-error [view-vector] {{cannot read a view of a vector}} expected-note {{'v = reduce_except_dim<1, red::sum>(...);'}}
}
MSHADOW_INSTANTIATE(Columns, float);

/// A mask gives indices, which reduce_except_dim does not.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Masked(Tensor<xpu, 1, DType> top, const Tensor<xpu, 2, DType> &in) {
  top = reduce_except_dim<0, red::maximum>(in);
  top += reduce_with_axis<red::maximum, true>(in, 1);  // expected-error [view-vector] {{cannot read a view of a vector}} expected-note {{assign the view to a Temporary, write 'MSHADOW_STAGE();' behind that, and read the Temporary here}}
}
MSHADOW_INSTANTIATE(Masked, float);

/// The advice of the notes.
template <typename xpu, typename DType>
MSHADOW_KERNEL void AdvisedMask(Tensor<xpu, 1, DType> top, const Tensor<xpu, 2, DType> &in) {
  Temporary<xpu, 1, DType> column(Shape1(in.size(0)));
  column = reduce_with_axis<red::maximum, true>(in, 1);
  MSHADOW_STAGE();
  top = reduce_except_dim<0, red::maximum>(in);
  top += column;
}
MSHADOW_INSTANTIATE(AdvisedMask, float);

template <typename xpu, typename DType>
MSHADOW_KERNEL void AdvisedRows(Tensor<xpu, 1, DType> loss, const Tensor<xpu, 2, DType> &in,
                                const Tensor<xpu, 1, int32_t> &label) {
  auto top = reduce_with_axis<red::maximum, false>(in, 1);
  auto e = F<op::exp>(in - broadcast_with_axis(top, 0, in.size(1)));
  Temporary<xpu, 1, DType> v(Shape1(in.size(0)));
  v = reduce_except_dim<0, red::sum>(e);
  loss = F<op::log>(v) + top - mat_choose_row_element(in, label);
}
MSHADOW_INSTANTIATE(AdvisedRows, float);

template <typename xpu, typename DType>
MSHADOW_KERNEL void AdvisedColumns(Tensor<xpu, 1, DType> loss, const Tensor<xpu, 2, DType> &in) {
  auto top = reduce_with_axis<red::maximum, false>(in, 0);
  auto e = F<op::exp>(in - broadcast_with_axis(top, -1, in.size(0)));
  Temporary<xpu, 1, DType> v(Shape1(in.size(1)));
  v = reduce_except_dim<1, red::sum>(e);
  loss = F<op::log>(v) + top;
}
MSHADOW_INSTANTIATE(AdvisedColumns, float);
}  // namespace errors
