// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 2, DType> out, const Tensor<xpu, 3, DType> &in) {
  out = reshape(in, Shape2(1, 2).FlatTo2D());  // expected-error [view] {{a shape that is neither a tensor's nor Shape2(...)}}
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
