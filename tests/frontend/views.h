// SPDX-License-Identifier: Apache-2.0
// Elements at other places: views, which are the text of an expression.
#include <mshadow/kernel.h>

namespace specs {
using namespace mshadow;
using namespace mshadow::expr;

/// A helper that names a part.
template <typename E, typename DType>
auto FirstHalf(const Tensor<E, 2, DType> &t, index_t n) {
  return slice<1>(t, 0, n);
}

template <typename xpu, typename DType>
MSHADOW_KERNEL void Parts(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                          const Tensor<xpu, 3, DType> &cube, const Tensor<xpu, 1, float> &bias,
                          int from, bool more) {
  const index_t half = in.size(1) / 2;
  auto gate = slice<1>(in, half, in.size(1));
  out = FirstHalf(in, half) * gate + flip(gate, 1);
  if (more) {
    out += cube[0] + reshape(cube, Shape2(cube.size(0) * cube.size(1), cube.size(2)));
    out -= in.Slice(from, from + 1) + slice<1>(in, half, in.size(1));
  }
  out *= tcast<DType>(broadcast<1>(flip(bias, 0), out.shape_)) + in.T();
  out += mirror(tcast<DType>(tcast<float>(in) * 0.5f)) + pool<red::maximum>(pad(in, 1), 3, 3, 1);
}
MSHADOW_INSTANTIATE(Parts, float, half::half_t);

/// What is read only as a whole: products, sums along a dimension; and tensors beside each other
/// that are written, a kernel each.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Joined(Tensor<xpu, 2, DType> a, Tensor<xpu, 2, DType> b,
                           const Tensor<xpu, 2, DType> &in, const Tensor<xpu, 3, DType> &cube,
                           const Tensor<xpu, 1, DType> &bias) {
  a = implicit_dot(in, in.T()) - reduce_with_axis<red::sum, false>(cube, 1);
  concat<1>(a, b) += in * broadcast<1>(bias, in.shape_) + 1.0f;
}
MSHADOW_INSTANTIATE(Joined, float);

/// A range of an inner dimension is a part as well, and so is one of a range.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Inner(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &in, index_t n) {
  auto front = slice<1>(out, 0, n);
  front = slice<1>(in, in.size(1) - n, in.size(1)) * 2.0f;
  front += slice<1>(slice<0>(in, 0, out.size(0)), 0, front.shape_[1]);
  slice<2>(slice<1>(front, 0, 1), 0, 2) *= 3.0f;
}
MSHADOW_INSTANTIATE(Inner, float);

/// What is the same expression of tensors of any rank; ranges of the first and the last dimension
/// are parts.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void AnyRank(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in,
                            const Tensor<xpu, 1, DType> &bias) {
  const index_t half = in.size(dim - 1) / 2;
  auto back = slice<dim - 1>(in, half, in.shape_[dim - 1]);
  out = concat<dim - 1>(back, slice<dim - 1>(in, 0, half)) - mirror(flip(in, dim - 1) + in);
  out +=
      swapaxis<dim - 1, dim - 2>(swapaxis<1, 0>(in)) + broadcast_with_axis(in[0], -1, in.size(0));
  out.Slice(0, half) *= broadcast<dim - 1>(flip(bias, 0), in.shape_);
  out -= broadcast<dim - 1>(range<DType>(0, in.size(dim - 1)), in.shape_);
  auto front = slice<dim - 1>(out, 0, half);
  front += back * static_cast<float>(front.shape_[dim - 1]);
}
MSHADOW_INSTANTIATE(AnyRank, float);

/// Two ranges of the last dimension, whichever that is.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void JoinedAny(Tensor<xpu, dim, DType> out, Tensor<xpu, dim, DType> rest,
                              const Tensor<xpu, dim, DType> &in) {
  concat<dim - 1>(slice<dim - 1>(out, 1, out.size(dim - 1)), rest) = in * 2.0f;
}
MSHADOW_INSTANTIATE(JoinedAny, float);
}  // namespace specs
