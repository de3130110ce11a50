// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 2, DType> out, const Tensor<xpu, 1, DType> &v,
                         int rows) {
  out = broadcast<1>(v, Shape2(rows, 3));  // expected-error [broadcast-shape] {{the shape that 'broadcast' broadcasts to}}
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
