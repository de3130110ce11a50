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

/// The diagonal, and that of other columns for each row and for each column.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Diagonal(Tensor<xpu, 1, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = diag(in);
}
MSHADOW_INSTANTIATE(Diagonal, float, half::half_t);
template <typename xpu, typename DType>
MSHADOW_KERNEL void Diagonals(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = in - broadcast<0>(diag(in), in.shape_) + broadcast<1>(mirror(diag(mirror(in))), in.shape_);
}
MSHADOW_INSTANTIATE(Diagonals, float, half::half_t);

/// A matrix with a vector on its diagonal, alone, of what is computed, and around another view.
template <typename xpu, typename DType>
MSHADOW_KERNEL void DiagonalMatrix(Tensor<xpu, 2, DType> out, const Tensor<xpu, 1, DType> &in) {
  out = diag(in);
}
MSHADOW_INSTANTIATE(DiagonalMatrix, float, half::half_t);
template <typename xpu, typename DType>
MSHADOW_KERNEL void DiagonalMatrices(Tensor<xpu, 2, DType> out, const Tensor<xpu, 1, DType> &in,
                                     const Tensor<xpu, 2, DType> &m) {
  out = diag(in + DType(1)) * DType(2) - mirror(diag(mirror(in))) + diag(diag(m));
}
MSHADOW_INSTANTIATE(DiagonalMatrices, float, half::half_t);

/// Dimensions that are named from the first and from the last, of any rank.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Border(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = pad(flip(in, 0), 1, 2) - mirror(pad(in, 1, 2));
}
MSHADOW_INSTANTIATE(Border, float, half::half_t);

/// Windows in images of any rank, each second one; and pixels twice.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Halved(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = pool<red::maximum>(pad(in, 1), 3, 3, 2);
}
MSHADOW_INSTANTIATE(Halved, float, int8_t);
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Doubled(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = upsampling_nearest(flip(in, dim - 2), 2);
}
MSHADOW_INSTANTIATE(Doubled, float);

/// Three tensors, one behind the other in a dimension from the first or from the last.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Stacked(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in,
                            const Tensor<xpu, dim, DType> &other) {
  out = concat<0>(concat<0>(in, flip(other, 0)), in) -
        mirror(concat<dim - 2>(other, concat<dim - 2>(in, in)));
}
MSHADOW_INSTANTIATE(Stacked, float);

/// A scalar of the last two extents, used in the second kernel.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void OverPixels(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  const index_t pixels = in.size(dim - 1) * in.shape_[dim - 2];
  out = DType(4);
  MSHADOW_STAGE();
  out += in * (1.0f / static_cast<float>(pixels));
}
MSHADOW_INSTANTIATE(OverPixels, float);
}  // namespace moved_views
