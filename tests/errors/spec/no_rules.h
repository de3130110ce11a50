// SPDX-License-Identifier: Apache-2.0
// expected-warning@file [no-rules] {{no rule in this spec}}
#include <mshadow/kernel.h>

namespace errors {
template <typename xpu, int dim, typename DType>
void Rule(mshadow::Tensor<xpu, dim, DType> out) {
  out = 1.0f;
}
}  // namespace errors
