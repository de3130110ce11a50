// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  if (out.size(0) > 3) throw 1;  // expected-error [unsupported-statement] {{throw is not supported in a rule}} expected-note {{check the arguments before the rule is called}}
  out = in * 2.0f;
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
