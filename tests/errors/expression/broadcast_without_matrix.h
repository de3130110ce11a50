// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

template <typename xpu, typename DType>
MSHADOW_KERNEL void Pairs(Tensor<xpu, 1, DType> out, const Tensor<xpu, 1, DType> &x) {
  auto rows = broadcast<1>(x, Shape2(x.size(0), x.size(0)));  // expected-error [broadcast-shape] {{the shape that 'broadcast' broadcasts to}} expected-note {{write 'broadcast_with_axis(x, -1, x.size(0))'}}
  out = reduce_with_axis<red::sum, false>(rows, 1);
}
MSHADOW_INSTANTIATE(Pairs, float);
}  // namespace errors
