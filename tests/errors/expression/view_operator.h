// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename E, typename DType, int etype>
auto operator%(const Exp<E, DType, etype> &e, float scale) {
  return e.self() * scale;
}

template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = mirror(in % 2.0f);  // expected-error [view] {{operator % cannot be part of a view}}
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
