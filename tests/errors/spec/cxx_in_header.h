// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

struct plus_one {};

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = in * F<plus_one>(in);  // expected-error [cxx] {{no member named 'Map' in 'errors::plus_one'}}
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
