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
}  // namespace errors
