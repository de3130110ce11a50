// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Softmax(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = in * 2.0f;
}
MSHADOW_INSTANTIATE(Softmax, float);

template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  errors::Softmax(out, in);
  Softmax(out, in);  // expected-error [runtime-call] {{this calls mshadow::Softmax, which is not a rule}}
}
MSHADOW_INSTANTIATE(Rule, float);

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Other(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  Copy(out, in);  // expected-error [runtime-call] {{this calls mshadow::Copy, which is not a rule}}
}
MSHADOW_INSTANTIATE(Other, float);
}  // namespace errors
