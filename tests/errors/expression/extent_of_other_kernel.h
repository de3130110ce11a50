// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 2, DType> out, const Tensor<xpu, 1, int32_t> &label,
                         const Tensor<xpu, 1, DType> &a, const Tensor<xpu, 2, DType> &in,
                         bool flag) {
  Temporary<xpu, 1, DType> chosen(Shape1(out.size(0)), out.stream_);
  Temporary<xpu, 1, DType> twice(Shape1(in.size(0)), out.stream_);
  Temporary<xpu, 1, int32_t> next(label.shape_, out.stream_);
  next = label + 1;
  chosen = reduce_except_dim<0, red::maximum>(one_hot_encode<DType>(next, out.size(1)));  // expected-error [extent] {{the extent of 'one_hot_encode' must be an extent of a tensor that the statement reads or writes}}
  // expected-note@-1 {{write one_hot_encode<DType>(next, out.size(1)) in a statement that reads or writes 'out'}}
  twice = a + a;
  if (flag) {
    out = in - broadcast<0>(chosen, out.shape_) * broadcast<0>(twice, out.shape_);
  }
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
