// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

/// A number on the device, which the rule counts up.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Counted(Tensor<xpu, dim, DType> weight, const Tensor<xpu, dim, DType> &grad,
                            Tensor<xpu, 1, DType> count) {
  count += 1.0f;  // expected-note {{'count' is written here}}
  weight -= grad / broadcast_scalar(count, weight.shape_);  // expected-error [mixed-ranks] {{'weight' has rank dim, but 'count', which this rule writes, has rank 1}} expected-note {{write 'MSHADOW_STAGE();' before this statement}}
  // expected-error@-1 [shifted-read] {{this rule writes 'count' and reads it through a broadcast}}
  // expected-note@-2 {{write 'MSHADOW_STAGE();' between the two statements}}
}
MSHADOW_INSTANTIATE(Counted, float);

/// The advice of the notes.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Advised(Tensor<xpu, dim, DType> weight, const Tensor<xpu, dim, DType> &grad,
                            Tensor<xpu, 1, DType> count) {
  count += 1.0f;
  MSHADOW_STAGE();
  weight -= grad / broadcast_scalar(count, weight.shape_);
}
MSHADOW_INSTANTIATE(Advised, float);
}  // namespace errors
