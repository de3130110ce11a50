// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 1, DType> out, const Tensor<xpu, 2, DType> &in,
                         const Tensor<xpu, 1, int32_t> &at) {
  out = mat_choose_row_element(in, at + 1);  // expected-error [index-tensor] {{the indices of 'mat_choose_row_element' must be a tensor that the rule is given}}
  // expected-note@-1 {{indices are checked before anything is written: pass them as a vector of their own}}
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
