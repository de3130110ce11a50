// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  float s = 1.0f;
  while (s < 8.0f) s *= 2.0f;  // expected-error [loop] {{mshadow-gen cannot count the iterations of this loop in a rule}}
  out = in * s;
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
