// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, int dim, template <typename> class Op>  // expected-error [unsupported-template-parameter] {{template parameter 'Op' is neither}}
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, float> out) {
  out = 1.0f;
}
}  // namespace errors
