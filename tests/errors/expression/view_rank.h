// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Vector(Tensor<xpu, 1, DType> out, const Tensor<xpu, 1, DType> &in) {
  out = pad(in, 1);  // expected-error [cxx] {{pad takes an expression of rank 2 or more}}
}
MSHADOW_INSTANTIATE(Vector, float);
}  // namespace errors
