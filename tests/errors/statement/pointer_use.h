// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = in * out.dptr_[0];  // expected-error [unsupported-expression] {{this expression of type 'float' is not supported in a rule}}
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
