// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 1, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = sumall_except_dim<0>(in);
  // expected-error@+2 [view-vector] {{a rule that reduces rows, columns or channels cannot read a view of a vector}} expected-note@+2 {{assign the view to a Temporary, write 'MSHADOW_STAGE();' behind that, and read the Temporary here}}
  // expected-error@+1 [shifted-read] {{this rule writes 'out' and reads it through a view}}
  out = 2.0f * flip(out, 0);
}
MSHADOW_INSTANTIATE(Rule, float);

/// A view of what the kernel does not write has a kernel of its own.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Apart(Tensor<xpu, 1, DType> out, const Tensor<xpu, 2, DType> &in,
                          const Tensor<xpu, 1, DType> &scale) {
  out = sumall_except_dim<0>(in);
  out *= flip(scale, 0);
}
MSHADOW_INSTANTIATE(Apart, float);
}  // namespace errors
