// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out,
                         float BUFSIZ) {  // expected-error [reserved-name] {{'BUFSIZ' cannot be a name: some systems define it as a macro}} expected-note {{choose another name, such as 'BUFSIZ_val}}
  out = DType(BUFSIZ);
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
