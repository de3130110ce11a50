// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL static void Rule(Tensor<xpu, dim, DType> out) {  // expected-error [unsupported-rule] {{rule 'Rule' is static}} expected-note {{remove 'static'}}
  out = 1.0f;
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
