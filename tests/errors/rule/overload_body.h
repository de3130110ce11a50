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
MSHADOW_KERNEL void Rule(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, double> &in) {
  out = in + out;  // expected-error [mixed-types] {{element types double and float are mixed}}
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
