// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  auto twice = [](float x) { return x + x; };  // expected-error [lambda] {{a lambda is not supported in a rule}}
  out = in * twice(1.0f);                      // which is said once
  out += in * [](float x) { return x; }(1.0f);  // expected-error [lambda] {{a lambda is not supported in a rule}}
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
