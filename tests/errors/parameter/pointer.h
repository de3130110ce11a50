// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out,
                         float *data) {  // expected-error [unsupported-parameter] {{parameter 'data' has type 'float *'}}
  out = 1.0f;
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
