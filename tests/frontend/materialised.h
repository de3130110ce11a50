// SPDX-License-Identifier: Apache-2.0
// What a kernel of its own reduces before it is broadcast.
#include <mshadow/kernel.h>

namespace specs {
using namespace mshadow;
using namespace mshadow::expr;

/// Two dimensions of five. Of the second statement, which reads it again, it is the same; behind a
/// write it is not.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Centre(Tensor<xpu, 5, DType> out, Tensor<xpu, 5, DType> x,
                           Tensor<xpu, 5, DType> y) {
  auto sum = reduce_keepdim<red::sum, false>(reduce_keepdim<red::sum, false>(x, 3), 1);
  Temporary<xpu, 5, DType> centred(x.shape_, x.stream_);
  centred = x - broadcast_keepdim(broadcast_keepdim(sum, 3, x.size(3)), 1, x.size(1));
  y += centred * broadcast_keepdim(broadcast_keepdim(sum, 1, x.size(1)), 3, x.size(3));
  out = broadcast_keepdim(broadcast_keepdim(sum, 1, x.size(1)), 3, x.size(3));
}
MSHADOW_INSTANTIATE(Centre, float);

/// In a branch it is computed there.
template <typename xpu, typename DType>
MSHADOW_KERNEL void InBranches(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                               bool first, int n) {
  auto top = reduce_with_axis<red::maximum, false>(in, 1);
  if (first) {
    out = broadcast_with_axis(top, 0, n);
  } else {
    out = broadcast_with_axis(F<op::exp>(top), 0, n);
  }
  out += broadcast_with_axis(top, 0, n);
}
MSHADOW_INSTANTIATE(InBranches, float);
}  // namespace specs
