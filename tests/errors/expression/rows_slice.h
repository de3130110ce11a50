// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 2, DType> weight, const Tensor<xpu, 2, DType> &grad,
                         const Tensor<xpu, 1, int32_t> &at) {
  rows(slice<1>(weight, 0, 4), at) -= grad;  // expected-error [unsupported-expression] {{rows of a slice or an expression}}
  // expected-note@-1 {{to read rows of an expression, write 'take(index, expression)'}}
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
