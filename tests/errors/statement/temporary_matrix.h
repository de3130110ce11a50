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
  squares = in + in;  // expected-error [temporary-matrix] {{temporary 'squares' would need memory}}
  out += sumall_except_dim<0>(squares);
}
MSHADOW_INSTANTIATE(Rule, float);

/// What the temporary was computed from is written before it is read.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Stale(Tensor<xpu, 2, DType> x, Tensor<xpu, 1, DType> out) {
  Temporary<xpu, 2, DType> squares(x.shape_);
  squares = x * x;  // expected-error [temporary-matrix] {{temporary 'squares' would need memory}}
  x = x + DType(1.0f);
  out = sumall_except_dim<0>(squares);
}
MSHADOW_INSTANTIATE(Stale, float);
}  // namespace errors
