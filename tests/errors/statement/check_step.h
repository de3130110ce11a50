// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out, MSHADOW_STEP int step, int count,
                         bool first) {
  MSHADOW_CHECK_STEP(step);
  MSHADOW_CHECK_STEP(count);  // expected-error [unsupported-expression] {{a check of this step is not supported in a rule}} expected-note {{MSHADOW_CHECK_STEP takes a parameter, 'MSHADOW_STEP int step', and stands outside of any 'if'}}
  if (first) {
    MSHADOW_CHECK_STEP(step);  // expected-error [unsupported-expression] {{a check of this step is not supported in a rule}} expected-note {{MSHADOW_CHECK_STEP takes a parameter}}
  }
  out = static_cast<float>(step + count);
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
