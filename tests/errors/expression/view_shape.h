// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 2, DType> out, const Tensor<xpu, 3, DType> &in) {
  out = reshape(in, Shape2(1, 2).FlatTo2D());  // expected-error [view] {{a shape other than 'x.shape_' or 'Shape2(...)' cannot be part of a view}}
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
