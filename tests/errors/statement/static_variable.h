// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  static int calls = 0;  // expected-error [unsupported-statement] {{a static variable is not supported in a rule}} expected-note {{pass the value as a parameter instead}}
  out = in * 2.0f;
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
