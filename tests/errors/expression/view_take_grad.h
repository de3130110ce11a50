// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                         const Tensor<xpu, 1, DType> &index) {
  out += take_grad(index, in, out.size(0));  // expected-error [view] {{take_grad cannot be part of a view}}
  // expected-note@-1 {{write 'gradient = 0.0f;' and 'AddTakeGrad(gradient, indices, rows);'}}
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
