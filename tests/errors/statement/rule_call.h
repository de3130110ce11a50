// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void OfMatrices(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = in * 2.0f;
}
MSHADOW_INSTANTIATE(OfMatrices, float);

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void AnyRank(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  OfMatrices(out, in);  // expected-error [rank-dependent] {{this call needs a fixed rank, but this rule is for any rank 'dim'}}
}
MSHADOW_INSTANTIATE(AnyRank, float);

template <typename xpu, typename DType>
MSHADOW_KERNEL void Part(Tensor<xpu, 2, DType> out, const Tensor<xpu, 3, DType> &in) {
  OfMatrices(out, in[0]);  // expected-error [unsupported-expression] {{this expression as a tensor argument is not supported in a call of a rule}}
}
MSHADOW_INSTANTIATE(Part, float);

template <typename xpu, typename DType>
MSHADOW_KERNEL void Itself(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = in * 2.0f;
  Itself(out, in);  // expected-error [recursion] {{'Itself' calls itself}}
}
MSHADOW_INSTANTIATE(Itself, float);

template <typename xpu, typename DType>
MSHADOW_KERNEL void NoBody(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in);  // expected-error [no-body] {{rule 'NoBody' is declared but has no body in this spec}}

template <typename xpu, typename DType>
MSHADOW_KERNEL void Unseen(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  NoBody(out, in);  // expected-error [unsupported-call] {{'NoBody' cannot be called in a rule}}
}
MSHADOW_INSTANTIATE(Unseen, float);
}  // namespace errors
