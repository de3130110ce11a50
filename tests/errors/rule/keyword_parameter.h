// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out,
                         float concept) {  // expected-error [keyword-name] {{'concept' cannot be a name}}
  out = concept;
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
