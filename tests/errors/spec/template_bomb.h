// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <int n>
struct Deep : Deep<n + 1> {};  // expected-error [cxx] {{recursive template instantiation exceeded maximum depth}}
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = in * Deep<0>::value;  // expected-note {{requested here}}
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
