// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                         const Tensor<xpu, 1, int32_t> &label) {
  out = one_hot_encode<DType>(label, in.size(1));  // expected-error [extent] {{the extent of 'one_hot_encode'}}
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
