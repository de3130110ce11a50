// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  const index_t cols = in.size(dim - 1);
  auto back = slice<dim - 1>(out, 1, cols);
  slice<1>(out, 0, 1) = 2.0f;  // expected-error [unsupported-expression] {{writing to this slice is not supported}}
  // expected-note@-1 {{a rule for any rank can write slice<0> or slice<dim - 1>, not both}}
  back = static_cast<float>(back.shape_[0]);  // expected-error [rank-dependent] {{this dimension of 'back'}}
  slice<dim - 2>(out, 0, 1) = 2.0f;  // expected-error [unsupported-expression] {{writing to this slice is not supported}}
  out = in * 2.0f;
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
