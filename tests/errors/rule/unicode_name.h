// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out,
                         float räte) {  // expected-error [reserved-name] {{a name consists of ASCII letters, digits and '_'}} expected-note {{choose another name, such as 'r}}
  out = räte;
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
