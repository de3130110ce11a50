// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  for (int i = 0; i < 3; ++i) {  // expected-error [loop] {{a loop is not supported in a rule}}
    out = in * 2.0f;
  }
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
