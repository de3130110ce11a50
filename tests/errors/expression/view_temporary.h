// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  Temporary<xpu, 2, DType> twice(in.shape_, in.stream_);
  twice = in * 2.0f;  // expected-note {{'twice' is written here}}
  out = flip(twice, 1);  // expected-error [shifted-read] {{this rule writes 'twice' and reads it through a view}}
  // expected-note@-1 {{write 'MSHADOW_STAGE();' between the two statements}}
}
MSHADOW_INSTANTIATE(Rule, float);

template <typename xpu, typename DType>
MSHADOW_KERNEL void Unset(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  Temporary<xpu, 2, DType> twice(in.shape_, in.stream_);
  out = flip(twice, 1);  // expected-error [uninitialized] {{'twice' is read before it has a value}}
}
MSHADOW_INSTANTIATE(Unset, float);
}  // namespace errors
