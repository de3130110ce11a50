// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  if (in > 0.0f) out = in * 2.0f;  // expected-error [tensor-condition] {{a condition must be a scalar}}
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
