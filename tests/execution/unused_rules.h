// SPDX-License-Identifier: Apache-2.0
// Tensors that only statements in branches use. A launch that does not take the branch takes any
// tensor for them.
#include <mshadow/kernel.h>

namespace unused_rules {
using namespace mshadow;
using namespace mshadow::expr;

/// The first tensor of the kernel, a bias that short rows repeat, and a slice.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Elements(Tensor<xpu, 2, DType> kept, Tensor<xpu, 2, DType> out,
                             const Tensor<xpu, 2, DType> &in, const Tensor<xpu, 2, DType> &other,
                             const Tensor<xpu, 1, DType> &bias, const Tensor<xpu, 1, DType> &gain,
                             bool keeps, bool scales) {
  if (keeps) kept = in + broadcast<1>(bias, in.shape_);
  out = DType(2) * in;
  if (scales) out += slice<1>(other, 0, out.size(1)) * broadcast<0>(gain, out.shape_);
  if (keeps && !scales) kept *= other;
}
MSHADOW_INSTANTIATE(Elements, float, int);

/// A tie that one branch alone shows, and one that each of two branches shows.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Ties(Tensor<xpu, dim, DType> a, Tensor<xpu, dim, DType> b,
                         Tensor<xpu, dim, DType> c, const Tensor<xpu, dim, DType> &x,
                         const Tensor<xpu, dim, DType> &y, bool adds, bool either) {
  a = x * x;
  if (adds) b += a + y;
  if (either) {
    c = y - x;
  } else {
    c = y * x;
  }
}
MSHADOW_INSTANTIATE(Ties, float, double);

/// Values of rows, elements that indices pick, and a view.
template <typename xpu, typename DType, typename IType>
MSHADOW_KERNEL void Rows(Tensor<xpu, 2, DType> out, Tensor<xpu, 1, DType> sums,
                         Tensor<xpu, 1, DType> picked, const Tensor<xpu, 2, DType> &in,
                         const Tensor<xpu, 2, DType> &other, const Tensor<xpu, 1, DType> &scale,
                         const Tensor<xpu, 1, IType> &label, bool reduces, bool picks, bool flips) {
  out = in * DType(3);
  if (reduces) {
    sums = sumall_except_dim<0>(in * other);
    out *= broadcast<0>(scale, out.shape_);
  }
  if (picks) picked = mat_choose_row_element(other, label);
  if (flips) out += flip(other, 1);
}
MSHADOW_INSTANTIATE(Rows, Types<float, int32_t>, Types<double, float>);

/// Values of columns.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Columns(Tensor<xpu, 1, DType> sums, Tensor<xpu, 1, DType> mean,
                            Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                            const Tensor<xpu, 2, DType> &other, bool both, bool centres) {
  sums = sum_rows(in);
  if (both) sums += mean;
  if (centres) {
    mean = sum_rows(other * in);
    out = other - broadcast<1>(mean, other.shape_);
  }
}
MSHADOW_INSTANTIATE(Columns, float, double);

/// A value of everything.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Everything(Tensor<xpu, 1, DType> total, Tensor<xpu, 1, DType> scale,
                               Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                               bool sums, bool scales) {
  if (sums) total = reduce_all<red::sum>(in);
  if (scales) out = in * broadcast_scalar(scale, in.shape_);
}
MSHADOW_INSTANTIATE(Everything, float, double);

/// Values of the rows of a tensor that no other statement uses.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void OtherRows(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in,
                              const Tensor<xpu, dim, DType> &other, bool divides) {
  if (divides) {
    out = in / broadcast_keepdim(reduce_keepdim<red::sum, false>(other, dim - 1), dim - 1,
                                 in.size(dim - 1));
  }
}
MSHADOW_INSTANTIATE(OtherRows, float, double);

/// Stages of which a launch runs some.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Stages(Tensor<xpu, 2, DType> out, Tensor<xpu, 2, DType> product,
                           const Tensor<xpu, 2, DType> &in, const Tensor<xpu, 2, DType> &weight,
                           bool multiplies, bool scales) {
  if (multiplies) product = dot(in, weight.T());
  MSHADOW_STAGE();
  out = in + DType(1);
  if (scales) out *= product;
}
MSHADOW_INSTANTIATE(Stages, float, double);

/// A concatenation of slices, whose other slice the kernel of each has beside it.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Joined(Tensor<xpu, 2, DType> out, Tensor<xpu, 2, DType> joined,
                           const Tensor<xpu, 2, DType> &in, bool joins) {
  const index_t half = in.size(0) / 2, all = in.size(0);
  out = in + DType(2);
  if (joins) concat<0>(slice<0>(joined, 0, half), slice<0>(joined, half, all)) += in;
}
MSHADOW_INSTANTIATE(Joined, float, double);

/// Slices of an inner dimension. The launch joins rows of those that it uses.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Halves(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &in,
                           const Tensor<xpu, 3, DType> &other, bool adds) {
  const index_t half = out.size(1) / 2;
  slice<1>(out, 0, half) = DType(2) * slice<1>(in, 0, half);
  if (adds) slice<1>(out, 0, half) += slice<1>(other, 0, half);
}
MSHADOW_INSTANTIATE(Halves, float, double);

}  // namespace unused_rules
