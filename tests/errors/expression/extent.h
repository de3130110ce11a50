// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 2, DType> out, const Tensor<xpu, 1, DType> &label) {
  out = one_hot_encode<DType>(label, 10);  // expected-error [extent] {{the extent of 'one_hot_encode' must be an extent of a tensor that the statement reads or writes}}
  // expected-note@-1 {{write one_hot_encode<DType>(}}
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
