// SPDX-License-Identifier: Apache-2.0
// What must hold over the kernels and products of one rule.
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Unset(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in, bool set) {
  Temporary<xpu, 2, DType> kept(Shape2(in.size(0), in.size(1)), in.stream_);
  if (set) kept = in + in;
  out = dot(kept, in);  // expected-error [uninitialized] {{'kept' is read before it has a value}}
}
MSHADOW_INSTANTIATE(Unset, float);

template <typename xpu, typename DType>
MSHADOW_KERNEL void Added(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  Temporary<xpu, 2, DType> kept(in.shape_, in.stream_);
  kept += dot(in, in);  // expected-error [uninitialized] {{'kept' is read before it has a value}}
  out = kept + 1.0f;
}
MSHADOW_INSTANTIATE(Added, float);

template <typename xpu, typename DType>
MSHADOW_KERNEL void Indices(Tensor<xpu, 1, DType> out, Tensor<xpu, 1, int32_t> at,
                            const Tensor<xpu, 2, DType> &in) {
  at += 1;
  MSHADOW_STAGE();
  out = mat_choose_row_element(in, at);  // expected-error [index-written] {{this rule writes 'at' and also uses it as indices}}
  // expected-note@-3 {{'at' is written here}}
}
MSHADOW_INSTANTIATE(Indices, float);
}  // namespace errors
