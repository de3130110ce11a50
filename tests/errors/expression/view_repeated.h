// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

// A temporary would need extents, and in a rule for any rank there are none to write.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void AnyRank(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = broadcast_keepdim(reduce_keepdim<red::sum, false>(in, 0), 0, in.size(0));  // expected-error [view] {{a reduction that is repeated}}
  // expected-note@-1 {{the reduction would run again for each element that reads its result: assign it to a tensor or a Temporary, write 'MSHADOW_STAGE();', and broadcast the tensor}}
}
MSHADOW_INSTANTIATE(AnyRank, float);

// By a name, and below what is computed: the extents of a reshaped tensor are not looked at.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Named(Tensor<xpu, 2, DType> out, const Tensor<xpu, 3, DType> &in) {
  auto flat = reshape(in, Shape2(in.size(0), in.size(1) * in.size(2)));
  auto twice = mirror(reduce_keepdim<red::maximum, false>(flat, 0)) * DType(2);
  out = broadcast_keepdim(twice, 0, in.size(0));  // expected-error [view] {{a reduction that is repeated}}
}
MSHADOW_INSTANTIATE(Named, float);

// Elsewhere it is computed before.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Extent(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in, int n) {
  out = broadcast_with_axis(reduce_with_axis<red::sum, false>(in, 1), 0, n);
}
MSHADOW_INSTANTIATE(Extent, float);

// The advice of the note.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Staged(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  Temporary<xpu, 1, DType> sum(Shape1(in.size(0)));
  sum = reduce_with_axis<red::sum, false>(in, 1);
  MSHADOW_STAGE();
  out = broadcast_with_axis(sum, 0, in.size(1));
}
MSHADOW_INSTANTIATE(Staged, float);
}  // namespace errors
