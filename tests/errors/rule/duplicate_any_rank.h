// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 2, DType> out) {  // expected-note {{the first one is here}}
  out = 1.0f;
}
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out) {  // expected-error [duplicate-rule] {{two rules are named 'Rule'}} expected-note {{rename one of them}}
  out = 2.0f;
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
