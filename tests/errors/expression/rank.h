// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = in * static_cast<float>(dim);  // expected-error [rank-dependent] {{needs a fixed rank, but this rule is for any rank 'dim'}}
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
