// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out, float lr, float decay) {
  out *= 1.0f - lr * decay;  // expected-warning [narrow-scalar] {{rounded to}}
}
MSHADOW_INSTANTIATE(Rule, float, half::half_t);
}  // namespace errors
