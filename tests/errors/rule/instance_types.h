// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = in * 2.0f;
}
MSHADOW_INSTANTIATE(Rule, Types<float, double>);  // expected-error [instance-types] {{an item of this list has more or fewer types than rule 'Rule' has type parameters}} expected-note {{an item is a type, such as 'float'}}
}  // namespace errors
