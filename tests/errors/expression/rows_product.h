// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &table,
                         const Tensor<xpu, 2, DType> &in, const Tensor<xpu, 1, int32_t> &at) {
  out = dot(rows(table, at), in);  // expected-error [unsupported-expression] {{a matrix product with rows that indices name}}
  // expected-note@-1 {{assign the rows to a 'Temporary<xpu, 2, DType> part(Shape2(...));' first}}
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
