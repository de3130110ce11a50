// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 1, DType> out, Tensor<xpu, 1, int32_t> at,
                         const Tensor<xpu, 2, DType> &in) {
  at += 1;
  out = mat_choose_row_element(in, at);  // expected-error [index-written] {{this rule writes 'at' and also uses it as indices}}
  // expected-note@-2 {{'at' is written here}}
  // expected-note@-2 {{pass them as a vector that the rule does not write}}
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
