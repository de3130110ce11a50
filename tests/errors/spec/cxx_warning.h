// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  const int large = 2147483647 + 1;  // expected-warning [cxx-warning] {{overflow in expression}}
  out = in * static_cast<float>(large);
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
