// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 1, DType> out) {
  out = 1.0f;
}
template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 2, DType> out) {
  out = 1.0f;
}
MSHADOW_INSTANTIATE(Rule, float, long double);  // expected-error [unsupported-type] {{type 'long double' is not supported in MSHADOW_INSTANTIATE(Rule, ...)}} expected-note {{element types are float}}
}  // namespace errors
