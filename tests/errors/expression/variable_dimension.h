// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in,
                         int i) {
  out = in * static_cast<float>(in.size(i));  // expected-error [unsupported-expression] {{a dimension that is not a constant is not supported}} expected-note {{write a constant, as in}}
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
