// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = F<op::lgamma>(in);  // expected-error [cxx] {{lgamma takes float, half_t or bf16_t: cast the argument to float}}
}
MSHADOW_INSTANTIATE(Rule, float, double);
}  // namespace errors
