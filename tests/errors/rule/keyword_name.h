// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void requires(Tensor<xpu, dim, DType> out) {  // expected-error [keyword-name] {{'requires' cannot be a name: it is a keyword of C++20}}
  out = 1.0f;
}
MSHADOW_INSTANTIATE(requires, float);
}  // namespace errors
