// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out,
                         long double s) {  // expected-error [unsupported-parameter] {{parameter 's' has type 'long double'}}
  out = 1.0f;
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
