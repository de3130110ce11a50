// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 1, DType> one, Tensor<xpu, 1, DType> rows,
                         const Tensor<xpu, 2, DType> &in) {
  one = reduce_all<red::sum>(in) + one;              // expected-error [nested-reduction] {{a reduction must be the whole right side of an assignment}}
  rows = tcast<DType>(sumall_except_dim<0>(in));     // expected-error [nested-reduction] {{a reduction must be the whole right side of an assignment}}
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
