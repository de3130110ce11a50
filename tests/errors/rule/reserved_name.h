// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out,
                         float my__rate,  // expected-error [reserved-name] {{names with '__' are reserved for the compiler}} expected-note {{choose another name, such as 'my_rate}}
                         float my_rate) {
  out = my__rate;
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
