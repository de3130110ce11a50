// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in,
                         const Tensor<xpu, dim, int> &count) {
  out = F<op::maximum>(in, count);  // expected-error [mixed-types] {{element types float and int are mixed}}
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
