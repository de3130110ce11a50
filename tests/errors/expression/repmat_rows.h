// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 2, DType> out, const Tensor<xpu, 1, DType> &v,
                         int rows) {
  out = repmat(v, rows);  // expected-error [broadcast-shape] {{the shape that 'repmat' broadcasts to must be the shape of a tensor of the rule}}
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
