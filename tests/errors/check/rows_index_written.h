// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 2, DType> m, Tensor<xpu, 1, int32_t> at,
                         const Tensor<xpu, 2, DType> &in) {
  at += 1;
  MSHADOW_STAGE();
  rows(m, at) = in * 2.0f;  // expected-error [index-written] {{this rule writes 'at' and also uses it as indices}}
  // expected-note@-3 {{'at' is written here}}
  // expected-note@-2 {{pass them as a vector that the rule does not write}}
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
