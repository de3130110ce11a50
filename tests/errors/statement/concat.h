// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

struct first {
  template <typename DType>
  MSHADOW_XINLINE static DType Map(DType a, DType) {
    return a;
  }
};

template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 2, DType> a, Tensor<xpu, 2, DType> b, Tensor<xpu, 1, DType> u,
                         Tensor<xpu, 1, DType> v, const Tensor<xpu, 2, DType> &in,
                         const Tensor<xpu, 1, int32_t> &at) {
  concat<1>(a, b) = mirror(in) + in;  // expected-error [unsupported-expression] {{a view in an assignment to concat is not supported}}
  // expected-note@-1 {{only an element-wise expression of tensors and broadcasts can be assigned to concat}}
  concat<1>(a, b) += broadcast<1>(range<DType>(0, in.size(1)), in.shape_);  // expected-error [unsupported-expression] {{a range in an assignment to concat is not supported}}
  concat<1>(a, b) = F<first>(in, flip(in, 0));  // expected-error [unsupported-expression] {{a view in an assignment to concat is not supported}}
  concat<1>(a, b) = F<first>(in, broadcast<1>(range<DType>(0, in.size(1)), in.shape_));  // expected-error [unsupported-expression] {{a range in an assignment to concat is not supported}}
  concat<1>(a, b) = dot(in, in.T());  // expected-error [unsupported-expression] {{a matrix product in an assignment to concat is not supported}}
  // expected-note@-1 {{write one product for each joined tensor}}
  concat<0>(u, v) = sumall_except_dim<1>(in);  // expected-error [unsupported-expression] {{a reduction that is assigned to a slice is not supported}}
  MSHADOW_STAGE();
  concat<0>(u, v) = mat_choose_row_element(in, at);  // expected-error [unsupported-expression] {{a gather in an assignment to concat is not supported}}
  concat<1>(a, a) = in;  // expected-error [unsupported-expression] {{joining a tensor with itself is not supported}}
  concat<1>(a, concat<0>(b, b)) = in;  // expected-error [unsupported-expression] {{writing to this slice is not supported}}
}
MSHADOW_INSTANTIATE(Rule, float);

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void AnyRank(Tensor<xpu, dim, DType> a, Tensor<xpu, dim, DType> b,
                            const Tensor<xpu, dim, DType> &in, const Tensor<xpu, 1, DType> &bias) {
  concat<1>(a, b) = in;  // expected-error [rank-dependent] {{this concatenation needs a fixed rank, but this rule is for any rank 'dim'}}
  concat<dim - 2>(a, b) = in;  // expected-error [rank-dependent] {{this concatenation needs a fixed rank, but this rule is for any rank 'dim'}}
  concat<dim - 1>(a, in.Slice(0, 1)) = in;  // expected-error [rank-dependent] {{this concatenation needs a fixed rank, but this rule is for any rank 'dim'}}
  concat<dim - 1>(a, b) = in + broadcast<dim - 1>(bias, in.shape_);  // expected-error [unsupported-expression] {{a vector of a rule for any rank in an assignment to concat}}
  concat<dim - 1>(a, b) = in.Slice(0, 1);  // expected-error [unsupported-expression] {{a slice of another dimension in an assignment to concat}}
  concat<0>(a, b) = in + broadcast<dim - 1>(bias, in.shape_);  // expected-error [unsupported-expression] {{a vector of a rule for any rank in an assignment to concat}}
}
MSHADOW_INSTANTIATE(AnyRank, float);
}  // namespace errors
