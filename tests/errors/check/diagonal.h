// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Const(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = 2.0f * in;
  diag(in) = 2.0f;  // expected-error [const-write] {{cannot write 'in'}}
}
MSHADOW_INSTANTIATE(Const, float);
}  // namespace errors
