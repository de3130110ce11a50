// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out -= in;
}
MSHADOW_INSTANTIATE(Rule, float, void);  // expected-error [cxx] {{type 'void' is not supported in MSHADOW_INSTANTIATE}}
}  // namespace errors
