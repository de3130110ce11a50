// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in,
                         const Tensor<xpu, 2, DType> &table, const Tensor<xpu, 1, DType> &index) {
  out = in * take(index, table);  // expected-error [rank-dependent] {{this view needs a fixed rank, but this rule is for any rank 'dim'}}
  // expected-note@-1 {{a view for any rank writes dimensions as '0' or 'dim - 1'}}
  out = reshape(in, Shape2(in.size(0), 1));  // expected-error [rank-dependent] {{this view}}
  out = transpose(in, Shape2(1, 0));  // expected-error [rank-dependent] {{this view}}
  out = swapaxis<1, dim - 2>(in);  // expected-error [rank-dependent] {{this view}}
  out = slice<1>(in, 0, in.size(1));  // expected-error [rank-dependent] {{this dimension of 'in'}}
  out = flip(in, 2 * dim - 3);  // expected-error [rank-dependent] {{this value needs a fixed rank, but this rule is for any rank 'dim'}}
  out = slice<2 - dim>(in, 0, 1);  // expected-error [rank-dependent] {{this view}}
  out = mirror(table);  // expected-error [rank-dependent] {{this view}}
  out = in + mirror(in * table);  // expected-error [rank-dependent] {{this view}}
}
MSHADOW_INSTANTIATE(Rule, float);
}  // namespace errors
