// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 2, DType> m, const Tensor<xpu, 1, int32_t> &to,
                         const Tensor<xpu, 1, int32_t> &from) {
  rows(m, to) = rows(m, from) * 2.0f;  // expected-error [shifted-read] {{this rule writes rows of 'm' and reads it at other rows}}
  // expected-note@-1 {{'m' is written here}}
  // expected-note@-2 {{write the result to another tensor, or pass a copy of 'm'}}
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
