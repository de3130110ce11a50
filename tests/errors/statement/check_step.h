// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out, MSHADOW_STEP int step, int count,
                         bool first) {
  MSHADOW_CHECK_STEP(step);
  MSHADOW_CHECK_STEP(count);  // expected-error [unsupported-expression] {{MSHADOW_CHECK_STEP of a value that is not a MSHADOW_STEP parameter is not supported in a rule}} expected-note {{declare the parameter as 'MSHADOW_STEP int step', and check it outside any 'if'}}
  if (first) {
    MSHADOW_CHECK_STEP(step);  // expected-error [unsupported-expression] {{MSHADOW_CHECK_STEP inside an 'if' is not supported in a rule}} expected-note {{check it outside any 'if'}}
  }
  out = static_cast<float>(step + count);
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
