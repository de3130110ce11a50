// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  Temporary<xpu, 1, DType> total(Shape1(in.size(1)));  // expected-error [temporary-shape] {{the shape of temporary 'total' must be that of the rule's tensors}}
  out += in;
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
