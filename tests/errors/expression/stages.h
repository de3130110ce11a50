// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Scalars(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in, int n) {
  Temporary<xpu, 2, DType> kept(Shape2(in.size(0), n), in.stream_);  // expected-error [temporary-shape] {{the shape of temporary 'kept'}}
  out = in + 1.0f;
}
MSHADOW_INSTANTIATE(Scalars, float);

/// A stage does not make this right: both statements are in the second one.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Mixed(Tensor<xpu, 1, DType> one, Tensor<xpu, 1, DType> rows,
                          const Tensor<xpu, 2, DType> &in) {
  one = reduce_all<red::sum>(in);
  MSHADOW_STAGE();
  rows = sumall_except_dim<0>(in);  // expected-note {{it reduces rows here: end that kernel with 'MSHADOW_STAGE();'}}
  one = reduce_all<red::sum>(in);  // expected-error [mixed-reductions] {{this reduces everything, but the rule reduces rows already}}
}
MSHADOW_INSTANTIATE(Mixed, float);
}  // namespace errors
