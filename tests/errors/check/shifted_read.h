// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 1, DType> v, const Tensor<xpu, 1, DType> &w) {
  v += w * broadcast<0>(v, w.shape_);  // expected-error [shifted-read] {{this rule writes 'v' and reads it through a broadcast}}
}
MSHADOW_INSTANTIATE(Rule, float);

/// Vectors of one length: none of them is a row's or a column's value.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Vectors(Tensor<xpu, 1, DType> v, Tensor<xpu, 1, DType> w) {
  v *= 2.0f;
  w += broadcast<0>(v, w.shape_);  // expected-error [shifted-read] {{this rule writes 'v' and reads it through a broadcast}}
}
MSHADOW_INSTANTIATE(Vectors, float);
}  // namespace errors
