// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 1, DType> out, const Tensor<xpu, 2, DType> &in) {
  Temporary<xpu, 2, DType> squares(in.shape_);
  squares = in * in;  // expected-error [temporary-matrix] {{temporary 'squares' would need memory}}
  out = sumall_except_dim<0>(squares);
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
