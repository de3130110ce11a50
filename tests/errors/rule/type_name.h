// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
template <typename xpu, int dim>
MSHADOW_KERNEL void uint16_t(  // expected-error [reserved-name] {{'uint16_t' cannot be a name: it is a type that emitted code uses}} expected-note {{choose another name, such as 'uint16_t_rule}}
    mshadow::Tensor<xpu, dim, float> out) {
  out = 0.0f;
}
MSHADOW_INSTANTIATE(uint16_t, mshadow::Types<>);
}  // namespace errors
