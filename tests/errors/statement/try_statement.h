// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  try {  // expected-error [unsupported-statement] {{try is not supported in a rule}} expected-note {{write 'try' around the call of the rule instead}}
    out = in * 2.0f;
  } catch (...) {
  }
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
