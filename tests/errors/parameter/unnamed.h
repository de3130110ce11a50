// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out,
                         float) {  // expected-error [unnamed-parameter] {{parameter 2 of rule 'Rule' has no name}}
  out = 1.0f;
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
