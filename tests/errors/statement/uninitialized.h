// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  float s;
  if (out.size(0) > 4) s = 2.0f;
  out = in * s;  // expected-error [uninitialized] {{'s' is read before it has a value}}
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
