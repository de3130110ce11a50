// SPDX-License-Identifier: Apache-2.0
// Rules for any rank from 2 on, of which some views need a second dimension.
#include <mshadow/kernel.h>

namespace matrix_rank_rules {
using namespace mshadow;
using namespace mshadow::expr;

/// Images that are padded, cropped and pooled.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Blurred(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in,
                            float scale) {
  out = in - DType(scale) * pool<red::sum>(pad(in, 1), 3, 3, 1);
  out += pool<red::maximum>(pad(in, 0, 1), 1, 3, 1);
}
MSHADOW_INSTANTIATE(Blurred, float, double);

/// Dimensions in another order, and back; the last but one, and the second one, in reverse.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Swapped(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = swapaxis<dim - 1, 0>(swapaxis<dim - 1, 0>(in) * 2.0f) - swapaxis<1, 0>(swapaxis<1, 0>(in));
  const index_t by = in.size(0) / 2;
  out += flip(in, dim - 2) * slice<0>(concat<0>(in, flip(in, 1)), by, by + in.size(0));
}
MSHADOW_INSTANTIATE(Swapped, float);

/// The gradient of windows, each of one element: sums and maxima.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Spread(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = in * unpool<red::maximum>(in, flip(in, dim - 2), flip(in, dim - 2), 1, 1, 1);
  out -= unpool<red::sum>(flip(in, dim - 2), in, mirror(mirror(in)), 1, 1, 1);
}
MSHADOW_INSTANTIATE(Spread, float);

/// Three tensors, one behind the other.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Joined(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in,
                           const Tensor<xpu, dim, DType> &other) {
  const index_t by = in.size(0) / 2;
  auto front = concat<0>(concat<0>(in, flip(other, 0)), in);
  auto rear = concat<0>(other, concat<0>(flip(in, dim - 2), flip(other, 0)));
  out = slice<0>(front, by, by + in.size(0)) - mirror(slice<0>(rear, by, by + in.size(0)));
}
MSHADOW_INSTANTIATE(Joined, float, half::half_t);

/// A scalar of the extents before the last, which the rule names from the end.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void PerImage(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  auto copy = in + DType(1);
  const index_t rows = out.shape_[dim - 2];
  out = copy * static_cast<DType>(in.size(dim - 1) - rows + in.size(dim - 2) * 3);
}
MSHADOW_INSTANTIATE(PerImage, float, int32_t);
}  // namespace matrix_rank_rules
