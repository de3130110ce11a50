// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  auto sum = out + in;   // expected-note {{'sum' is defined here}}
  out = in * 2.0f;       // expected-note {{'out' is written here}}
  out -= sum;            // expected-warning [stale-name] {{'sum' reads 'out' as it is here, after it was written}}
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
