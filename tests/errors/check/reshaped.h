// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Const(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &in) {
  out = 2.0f * in;
  in.FlatTo2D() = 2.0f;  // expected-error [const-write] {{cannot write 'in'}}
}
MSHADOW_INSTANTIATE(Const, float);

template <typename xpu, typename DType>
MSHADOW_KERNEL void Moved(Tensor<xpu, 3, DType> out) {
  out.FlatTo1D() = mirror(out.FlatTo1D());  // expected-error [shifted-read] {{this rule writes 'out' and reads it through a view}}
}
MSHADOW_INSTANTIATE(Moved, float);
}  // namespace errors
