// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 1, DType> out, const Tensor<xpu, 2, DType> &in,
                         const Tensor<xpu, 1, DType> &scale) {
  out = sumall_except_dim<0>(in);
  out *= flip(scale, 0);  // expected-error [view-vector] {{a rule that reduces rows, columns or channels cannot read a view of a vector}}
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
