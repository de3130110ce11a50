// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out,
                         MSHADOW_STATE(0) float s) {  // expected-error [bad-annotation] {{'s' cannot be marked MSHADOW_STATE}}
  out = s;
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
