// SPDX-License-Identifier: Apache-2.0
// Elements at other coordinates, which only the launch knows: of dimensions of any rank, and of
// extents that may be 1.
#include <mshadow/kernel.h>

namespace moved_views {
using namespace mshadow;
using namespace mshadow::expr;

/// Neighbours in all directions: of the first and of the last row some are outside of the matrix,
/// beside those that are for some columns.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Neighbours(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  auto wide = pad(in, 1);
  out = crop(wide, in.shape_, 0, 1) + crop(wide, in.shape_, 2, 1) + crop(wide, in.shape_, 1, 0) +
        crop(wide, in.shape_, 1, 2);
}
MSHADOW_INSTANTIATE(Neighbours, float);

/// Extents that the launch compares: rows, columns or all elements are one element.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Spread(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = mirror(broadcast_to(in, out.shape_));
}
MSHADOW_INSTANTIATE(Spread, float, int8_t);

/// Dimensions that are named from the first and from the last, of any rank.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Border(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = pad(flip(in, 0), 1, 2) - mirror(pad(in, 1, 2));
}
MSHADOW_INSTANTIATE(Border, float, half::half_t);
}  // namespace moved_views
