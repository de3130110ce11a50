// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  if (in) {  // expected-error [tensor-condition] {{a condition must be a scalar}}
    out = in * 2.0f;
  }
  if (in && out) {  // expected-error [tensor-condition] {{a condition must be a scalar}}
    out = in;  // one message, though each operand and the operator are wrong
  }
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
