// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &in) {
  out.Slice(0, 2).FlatTo1D() = 2.0f;  // expected-error [unsupported-expression] {{writing to this slice is not supported}}
  // expected-note@-1 {{or the reshape(...), FlatTo1D(), FlatTo2D() or diag(...) of a tensor}}
  reshape(reshape(out, Shape1(6)), Shape2(2, 3)) = 2.0f;  // expected-error [unsupported-expression] {{writing to this slice is not supported}}
  out.FlatTo2D() = in.FlatTo2D();       // expected-error [handle-assign] {{'out.FlatTo2D() = expression' makes one tensor a view of the other}}
  reshape(out, Shape1(in.size(2))) = sumall_except_dim<2>(in);  // expected-error [unsupported-expression] {{a reduction that is assigned to a slice}}
}
MSHADOW_INSTANTIATE(Rule, float);

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void AnyRank(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out.FlatTo2D() = 2.0f;         // expected-error [rank-dependent] {{this view}}
  reshape(out, Shape2(2, 3)) = in;  // expected-error [rank-dependent] {{this view}}
}
MSHADOW_INSTANTIATE(AnyRank, float);
}  // namespace errors
