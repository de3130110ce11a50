// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 1, DType> out, const Tensor<xpu, 2, DType> &in,
                         const Tensor<xpu, 1, int32_t> &at) {
  Temporary<xpu, 1, int32_t> where(Shape1(in.size(0)), in.stream_);
  where = at + at;
  out = mat_choose_row_element(in, where);  // expected-error [index-tensor] {{the indices of 'mat_choose_row_element'}}
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
