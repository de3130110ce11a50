// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = in * 2.0f;
  return;  // expected-error [unsupported-statement] {{return is not supported in a rule}} expected-note {{put the statements that follow into an 'else' branch instead}}
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
