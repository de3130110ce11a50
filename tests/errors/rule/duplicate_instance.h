// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = in * 2.0f;
}
MSHADOW_INSTANTIATE(Rule, float, double, float);  // expected-error [duplicate-instance] {{rule 'Rule' is instantiated twice for float}} expected-note {{name each element type once}}
}  // namespace errors
