// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = in * in[0][0];  // expected-error [unsupported-expression] {{a member function of an object is not supported in a rule}} expected-note {{call a function that is not a member, or a static one}}
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
