// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in,
                         float s) {
  out = in * powf(s, 3.0f);  // expected-performance [libm-call] {{'powf' is a function of the C library: its result may differ between platforms}}
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
