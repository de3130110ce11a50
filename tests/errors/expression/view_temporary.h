// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  Temporary<xpu, 2, DType> twice(in.shape_, in.stream_);
  twice = in * 2.0f;
  out = flip(twice, 1);  // expected-error [view] {{the temporary 'twice' cannot be part of what a rule reads at other places}}
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
