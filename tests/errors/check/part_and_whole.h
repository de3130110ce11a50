// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &in) {
  out = in * 2.0f;
  slice<1>(out, 0, 1) = 3.0f;  // expected-error [part-and-whole] {{this rule writes 'out' and also a slice of 'out'}}
  // expected-note@-1 {{write 'MSHADOW_STAGE();' between the two statements}}
}
MSHADOW_INSTANTIATE(Rule, float);

/// Whichever of them a launch does.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Branches(Tensor<xpu, 2, DType> out, bool whole) {
  if (whole) {
    out.Slice(0, 2) = 3.0f;
  } else {
    out = 2.0f;  // expected-error [part-and-whole] {{this rule writes 'out' and also a slice of 'out'}}
  }
}
MSHADOW_INSTANTIATE(Branches, float);
}  // namespace errors
