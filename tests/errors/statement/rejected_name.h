// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

/// What uses a name that was rejected is not wrong once more.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  Temporary<xpu, 1, DType> near(Shape1(in.size(0)), in.stream_);  // expected-error [reserved-name] {{some systems define it as a macro}}
  // expected-note@-1 {{choose another name, such as 'near_}}
  near = sumall_except_dim<0>(in);
  auto rest = in - broadcast<0>(near, in.shape_);
  out = rest * 2.0f;
  throw 1;  // expected-error [unsupported-statement] {{throw is not supported in a rule}}
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
