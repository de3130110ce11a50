// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Constant(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  slice<1>(in, 0, 2) = out;  // expected-error [const-write] {{cannot write 'in'}}
}
MSHADOW_INSTANTIATE(Constant, float);

template <typename xpu, typename DType>
MSHADOW_KERNEL void Turned(Tensor<xpu, 2, DType> out, Tensor<xpu, 2, DType> state) {
  slice<1>(state, 0, 2) = out;
  out += flip(state, 0);  // expected-error [shifted-read] {{this rule writes 'state' and reads it through a view}}
}
MSHADOW_INSTANTIATE(Turned, float);

template <typename xpu, typename DType>
MSHADOW_KERNEL void Whole(Tensor<xpu, 2, DType> out, Tensor<xpu, 2, DType> state) {
  out = slice<1>(state, 0, 2);  // expected-error [shifted-read] {{this rule writes 'state' and reads it through a slice}}
  state = 2.0f;
}
MSHADOW_INSTANTIATE(Whole, float);

template <typename xpu, typename DType>
MSHADOW_KERNEL void Repeated(Tensor<xpu, 2, DType> out, Tensor<xpu, 1, DType> bias) {
  bias.Slice(0, 2) = 1.0f;
  MSHADOW_STAGE();
  out = broadcast<1>(bias, out.shape_);
}
MSHADOW_INSTANTIATE(Repeated, float);
}  // namespace errors
