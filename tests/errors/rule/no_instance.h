// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out) {  // expected-error [no-instance] {{rule 'Rule' has no instance}}
  out = 1.0f;
}
// expected-note@-3 {{write 'MSHADOW_INSTANTIATE(Rule, float);'}}

template <typename xpu>
MSHADOW_KERNEL void Fixed(Tensor<xpu, 1, float> out) {  // expected-error [no-instance] {{rule 'Fixed' has no instance}}
  out = 1.0f;
}
// expected-note@-3 {{write 'MSHADOW_INSTANTIATE(Fixed, Types<>);' after its definition}}

template <typename xpu, int dim, typename DType, typename IType>
MSHADOW_KERNEL void Two(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, IType> &in) {  // expected-error [no-instance] {{rule 'Two' has no instance}}
  out = tcast<DType>(in);
}
// expected-note@-3 {{write 'MSHADOW_INSTANTIATE(Two, Types<float, float>);'}}
}  // namespace errors
