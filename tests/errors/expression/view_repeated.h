// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

// Along the axis that was reduced it would be a reduction of the rule.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &in) {
  out = broadcast_with_axis(reduce_with_axis<red::sum, false>(in, 1), 1, in.size(1));  // expected-error [view] {{a reduction that is repeated}}
  // expected-note@-1 {{it would be reduced again for each element that reads it: assign it to a tensor or a Temporary, write 'MSHADOW_STAGE();', and broadcast that}}
}
MSHADOW_INSTANTIATE(Rule, float);

// By a name, and below what is computed.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Named(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  auto top = reduce_keepdim<red::maximum, false>(in, 0);
  auto twice = mirror(top) * DType(2);
  out = broadcast_keepdim(twice, 0, in.size(0));  // expected-error [view] {{a reduction that is repeated}}
}
MSHADOW_INSTANTIATE(Named, float);

// Of another extent than that of what was reduced.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Extent(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in, int n) {
  out = broadcast_with_axis(reduce_with_axis<red::sum, false>(in, 1), 0, n);  // expected-error [view] {{a reduction that is repeated}}
}
MSHADOW_INSTANTIATE(Extent, float);

// What is told to be done instead.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Staged(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  Temporary<xpu, 1, DType> sum(Shape1(in.size(0)));
  sum = reduce_with_axis<red::sum, false>(in, 1);
  MSHADOW_STAGE();
  out = broadcast_with_axis(sum, 0, in.size(1));
}
MSHADOW_INSTANTIATE(Staged, float);
}  // namespace errors
