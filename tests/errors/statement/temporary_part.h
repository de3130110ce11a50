// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  Temporary<xpu, 2, DType> twice(in.shape_, in.stream_);
  slice<1>(twice, 0, 2) = slice<1>(in, 0, 2) * 2.0f;  // expected-error [unsupported-expression] {{a slice of temporary 'twice', which has no memory, is not supported in a rule}}
  // expected-note@-1 {{write 'MSHADOW_STAGE();' between the statements}}
  slice<1>(out, 0, 2) = slice<1>(twice, 0, 2);
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
