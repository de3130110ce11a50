// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out) {  // expected-error [no-instance] {{rule 'Rule' has no instance}}
  out = 1.0f;
}
// expected-note@-3 {{add 'MSHADOW_INSTANTIATE(Rule, float);' after it}}
}  // namespace errors
