// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  const float requires = 2.0f;  // expected-error [keyword-name] {{'requires' cannot be a name}}
  auto concept = in * 2.0f;     // expected-error [keyword-name] {{'concept' cannot be a name}}
  out = in * 2.0f;
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
