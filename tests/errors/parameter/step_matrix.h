// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out,
                         MSHADOW_STEP Tensor<xpu, 2, DType> t) {  // expected-error [bad-annotation] {{'t' cannot be marked MSHADOW_STEP}}
  out = 1.0f;
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
