// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 2, DType> weight, Tensor<xpu, 1, DType> bias, float lr) {
  weight -= lr * weight;
  bias -= lr * bias;  // expected-error [mixed-ranks] {{'bias' has rank 1, but 'weight', which this rule writes too, has rank 2}}
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
