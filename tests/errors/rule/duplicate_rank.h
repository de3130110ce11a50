// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 1, DType> out) {  // of another rank
  out = 1.0f;
}
template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 2, DType> out) {  // expected-note {{the first one is here}}
  out = 1.0f;
}
template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 2, DType> out, float s) {  // expected-error [duplicate-rule] {{two rules are named 'Rule'}} expected-note {{rules of one spec may share a name if the ranks of their first tensors are fixed and differ}}
  out = s;
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
