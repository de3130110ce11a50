// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 2, DType> out, const Tensor<xpu, 1, int32_t> &at) {
  out = out - broadcast<0>(mat_choose_row_element(out, at), out.shape_);  // expected-error [shifted-read] {{this rule writes 'out' and reads it through a gather}}
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
