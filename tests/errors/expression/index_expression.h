// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 1, DType> out, const Tensor<xpu, 2, DType> &in,
                         const Tensor<xpu, 1, int32_t> &at) {
  out = mat_choose_row_element(in, at + 1);  // expected-error [index-tensor] {{the indices of 'mat_choose_row_element' must be a tensor parameter of the rule}}
  // expected-note@-1 {{mshadow checks indices before it writes anything: pass them as a vector that the rule does not write}}
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
