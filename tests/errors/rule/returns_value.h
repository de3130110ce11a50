// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL int Rule(Tensor<xpu, dim, DType> out) {  // expected-error [unsupported-rule] {{rule 'Rule' returns a value}} expected-note {{return void, and write the result to a tensor parameter}}
  out = 1.0f;
  return 0;
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
