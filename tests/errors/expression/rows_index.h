// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 2, DType> weight, const Tensor<xpu, 2, DType> &grad,
                         const Tensor<xpu, 1, int32_t> &at) {
  rows(weight, at + 1) -= grad;  // expected-error [index-tensor] {{the indices of 'rows' must be a tensor parameter of the rule}}
  // expected-note@-1 {{mshadow checks indices before it writes anything: pass them as a vector that the rule does not write}}
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
