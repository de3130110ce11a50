// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = mirror(in < 1.0f);  // expected-error [view] {{operator < cannot be part}}
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
