// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 2, DType> out, Tensor<xpu, 2, int32_t> at,
                         const Tensor<xpu, 2, DType> &in, bool least) {
  TopK(out, at, 2.0f * in);  // expected-error [unsupported-expression] {{this expression as an argument of TopK is not supported in a rule}}
  // expected-note@-1 {{assign anything else to a 'Temporary<xpu, 2, DType> in(Shape2(...));' first}}
  SortRows(out, slice<1>(in, 0, out.size(1)));  // expected-error [unsupported-expression] {{this expression as an argument of SortRows}}
  ArgTopK(at, in, least);  // expected-error [unsupported-expression] {{an order of ArgTopK that only the launch knows}}
  SortRows(out, out);  // expected-error [shifted-read] {{reads it through SortRows}}
  TopK(out, out, in);  // expected-error [shifted-read] {{reads it through TopK}}
}
MSHADOW_INSTANTIATE(Rule, float);

template <typename xpu, typename DType>
MSHADOW_KERNEL void Flags(Tensor<xpu, 2, bool> out, Tensor<xpu, 2, DType> at,
                          const Tensor<xpu, 2, bool> &in, const Tensor<xpu, 2, DType> &numbers) {
  SortRows(out, in);  // expected-error [unsupported-type] {{bool}}
  ArgSortRows(at, in);  // expected-error [unsupported-type] {{bool}}
  ArgSortRows(out, numbers);  // expected-error [unsupported-type] {{bool}}
}
MSHADOW_INSTANTIATE(Flags, float);
}  // namespace errors
