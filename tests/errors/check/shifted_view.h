// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 2, DType> out, Tensor<xpu, 2, DType> state) {
  auto before = slice<1>(state, 0, 1);
  out = concat<1>(before, before);  // expected-error [shifted-read] {{this rule writes 'state' and reads it through a view}}
  state += out;
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
