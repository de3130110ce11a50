// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in, bool set) {
  Temporary<xpu, dim, DType> twice(in.shape_);
  if (set) twice = in + in;
  out = twice + in;  // expected-error [uninitialized] {{'twice' is read before it has a value}}
}
MSHADOW_INSTANTIATE(Rule, float);

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Nothing(const Tensor<xpu, dim, DType> &in) {  // expected-error [no-write] {{rule 'Nothing' writes no tensor}}
  Temporary<xpu, dim, DType> twice(in.shape_);
  twice = in + in;
}
MSHADOW_INSTANTIATE(Nothing, float);

/// Two kernels.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void NothingTwice(const Tensor<xpu, dim, DType> &a, const Tensor<xpu, dim, DType> &b) {  // expected-error [no-write] {{rule 'NothingTwice' writes no tensor}}
  Temporary<xpu, dim, DType> twice(a.shape_), thrice(b.shape_);
  twice = a + a;
  thrice = b + b;
}
MSHADOW_INSTANTIATE(NothingTwice, float);
}  // namespace errors
