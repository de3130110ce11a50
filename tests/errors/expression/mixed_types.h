// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in,
                         const Tensor<xpu, dim, half::half_t> &half) {
  out = in * half;  // expected-error [mixed-types] {{element types float and half_t are mixed}}
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
