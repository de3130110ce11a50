// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 1, DType> out) {
  out = 1.0f;
}
template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 2, DType> out) {
  out = 1.0f;
}
MSHADOW_INSTANTIATE(Rule, float, Types<float, double>);  // expected-error [instance-types] {{an item of this list has more or fewer types than rule 'Rule' has type parameters}} expected-note {{an item is a type, such as 'float'}}
}  // namespace errors
