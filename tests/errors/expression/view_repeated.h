// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 2, DType> out, const Tensor<xpu, 1, DType> &in) {
  out = broadcast_with_axis(in * in, 0, out.size(1));  // expected-error [view] {{a computed expression that is repeated}}
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
