// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                         const Tensor<xpu, 1, DType> &v) {
  diag(out.Slice(0, 2)) = 2.0f;  // expected-error [unsupported-expression] {{writing to this slice is not supported}}
  // expected-note@-1 {{FlatTo2D() or diag(...) of a tensor}}
  diag(out) = dot(in, v);  // expected-error [unsupported-expression] {{a matrix product that is assigned to a diagonal}}
  // expected-note@-1 {{assign the product to a Temporary first}}
  diag(out) = sumall_except_dim<0>(in);  // expected-error [unsupported-expression] {{a reduction that is assigned to a slice}}
  concat<0>(diag(out), v) = 2.0f;  // expected-error [unsupported-expression] {{writing to this slice is not supported}}
}
MSHADOW_INSTANTIATE(Rule, float);

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void AnyRank(Tensor<xpu, dim, DType> out) {
  diag(out) = 2.0f;  // expected-error [rank-dependent] {{this diagonal}}
}
MSHADOW_INSTANTIATE(AnyRank, float);
}  // namespace errors
