// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
namespace float4 {
template <typename xpu, int dim>
MSHADOW_KERNEL void Inner(mshadow::Tensor<xpu, dim, float> out) {
  out = 0.0f;
}
MSHADOW_INSTANTIATE(Inner, mshadow::Types<>);
}  // namespace float4
}  // namespace errors

namespace float4 {  // expected-error [reserved-name] {{'float4' cannot be a name: a C, CUDA or mshadow header declares it in the global namespace}} expected-note {{choose another name, such as 'float4_rule}}
template <typename xpu, int dim>
MSHADOW_KERNEL void Outer(mshadow::Tensor<xpu, dim, float> out) {
  out = 0.0f;
}
MSHADOW_INSTANTIATE(Outer, mshadow::Types<>);
}  // namespace float4
