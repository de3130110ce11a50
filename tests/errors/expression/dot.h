// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Operand(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = dot(in, in) + in;  // expected-error [not-element-wise] {{a matrix product is not element-wise}}
  // expected-note@-1 {{write a matrix product as its own statement}}
}
MSHADOW_INSTANTIATE(Operand, float);

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void AnyRank(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = dot(in, in);  // expected-error [rank-dependent] {{this product needs a fixed rank, but this rule is for any rank 'dim'}}
}
MSHADOW_INSTANTIATE(AnyRank, float);

template <typename xpu, typename DType>
MSHADOW_KERNEL void Same(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = dot(in, out.T());  // expected-error [shifted-read] {{this rule writes 'out' and reads it through a matrix product}}
}
MSHADOW_INSTANTIATE(Same, float);

template <typename xpu, typename DType>
MSHADOW_KERNEL void Times(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out *= dot(in, in);  // expected-error [unsupported-expression] {{'*=' with a matrix product is not supported in a rule}}
}
MSHADOW_INSTANTIATE(Times, float);

template <typename xpu, typename DType>
MSHADOW_KERNEL void Ranks(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                          const Tensor<xpu, 1, DType> &v) {
  out = dot(in, v);  // expected-error [unsupported-expression] {{a product of ranks 2 and 1 that is assigned to a tensor of rank 2 is not supported in a rule}}
}
MSHADOW_INSTANTIATE(Ranks, float);

template <typename xpu, typename DType>
MSHADOW_KERNEL void Part(Tensor<xpu, 1, DType> out, const Tensor<xpu, 2, DType> &in,
                         const Tensor<xpu, 2, DType> &v) {
  out = dot(v[0], in);  // expected-error [unsupported-expression] {{a factor that is not a tensor of the rule is not supported in a rule}}
}
MSHADOW_INSTANTIATE(Part, float);

template <typename xpu, typename DType>
MSHADOW_KERNEL void Sum(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = dot(in + in, in.T());  // expected-error [unsupported-expression] {{a factor that is not a tensor of the rule is not supported in a rule}}
  // expected-note@-1 {{assign anything else to a 'Temporary<xpu, 2, DType> factor(Shape2(...));' first}}
}
MSHADOW_INSTANTIATE(Sum, float);

template <typename xpu, typename DType>
MSHADOW_KERNEL void Bools(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = dot(in, in);  // expected-error [unsupported-type] {{type 'bool' is not supported in a matrix product}}
}
MSHADOW_INSTANTIATE(Bools, bool);

template <typename xpu, typename DType>
MSHADOW_KERNEL void OfInnerPart(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &in) {
  out = batch_dot(slice<1>(in, 0, 2), in);  // expected-error [unsupported-expression] {{a matrix product of a slice of an inner dimension}}
  // expected-note@-1 {{'part = slice<1>(a, begin, end);' before 'out = batch_dot(part, b);'}}
}
MSHADOW_INSTANTIATE(OfInnerPart, float);

template <typename xpu, typename DType>
MSHADOW_KERNEL void ToInnerPart(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &in) {
  slice<1>(out, 0, 2) = batch_dot(in, in);  // expected-error [unsupported-expression] {{a matrix product of a slice of an inner dimension}}
}
MSHADOW_INSTANTIATE(ToInnerPart, float);

template <typename xpu, typename DType>
MSHADOW_KERNEL void OfView(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = dot(flip(in, 0), in);  // expected-error [unsupported-expression] {{a factor that is not a tensor of the rule is not supported in a rule}}
}
MSHADOW_INSTANTIATE(OfView, float);

template <typename xpu, typename DType>
MSHADOW_KERNEL void SamePart(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out.Slice(0, 2) = dot(in, slice<0>(out, 0, 2).T());  // expected-error [shifted-read] {{this rule writes a slice of 'out' and reads it through a matrix product}}
}
MSHADOW_INSTANTIATE(SamePart, float);
}  // namespace errors
