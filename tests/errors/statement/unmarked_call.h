// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
void Step(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {  // expected-note {{write 'MSHADOW_KERNEL' before the 'void' of 'Step'}}
  out -= in;
}
template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  Step(out, in);  // expected-error [unmarked-call] {{'Step' is called as a rule, but is not marked as one}}
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
