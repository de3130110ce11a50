// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out) {
  out = 1;
}
MSHADOW_INSTANTIATE(Rule, unsigned short);  // expected-error [unsupported-type] {{type 'uint16_t' is not supported in MSHADOW_INSTANTIATE(Rule, ...)}}
MSHADOW_INSTANTIATE(Rule, long double);  // expected-error [unsupported-type] {{type 'long double' is not supported in MSHADOW_INSTANTIATE(Rule, ...)}}
}  // namespace errors
