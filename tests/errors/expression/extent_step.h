// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = in + broadcast<1>(range<DType>(0, in.size(1), 2), in.shape_);  // expected-error [extent] {{the extent of 'range' must be an extent of a tensor that the statement reads or writes}}
  // expected-note@-1 {{write range<float>(0, out.size(1)), and scale and shift that}}
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
