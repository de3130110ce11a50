// SPDX-License-Identifier: Apache-2.0
// Matrix products of parts of tensors, and into them; parts of temporaries.
#include <mshadow/kernel.h>

namespace part_product_rules {
using namespace mshadow;
using namespace mshadow::expr;

/// Two layers beside each other: columns of the result, rows of the weight.
template <typename xpu, typename DType>
MSHADOW_KERNEL void TwoHeads(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                             const Tensor<xpu, 2, DType> &weight, const Tensor<xpu, 1, DType> &bias,
                             float scale) {
  const index_t n = out.size(1) / 2, rest = out.size(1) - n;
  slice<1>(out, 0, n) = dot(in, weight.Slice(0, n).T());
  slice<1>(out, rest, out.size(1)) = scale * dot(in, slice<0>(weight, rest, out.size(1)).T());
  out = out + broadcast<1>(bias, out.shape_);
}
MSHADOW_INSTANTIATE(TwoHeads, float, double, bfloat::bf16_t);

/// Halves of the inner dimension, one added to the other; a kernel between that reads such a part.
template <typename xpu, typename DType>
MSHADOW_KERNEL void SplitSum(Tensor<xpu, 2, DType> out, Tensor<xpu, 2, DType> gate,
                             const Tensor<xpu, 2, DType> &in, const Tensor<xpu, 2, DType> &weight,
                             bool both) {
  const index_t half = in.size(1) / 2;
  auto left = slice<1>(in, 0, half);
  auto right = slice<1>(in, in.size(1) - half, in.size(1));
  out = dot(left, weight.Slice(0, half));
  slice<1>(gate, 0, half) = F<op::relu>(left * right);
  if (both) out += dot(right, slice<0>(weight, 0, half));
  out -= dot(slice<1>(gate, 0, half), weight.Slice(0, half));
}
MSHADOW_INSTANTIATE(SplitSum, float, double);

/// Some rows of the result, from other rows of it, and elements of a vector.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Rows(Tensor<xpu, 2, DType> out, Tensor<xpu, 1, DType> sums,
                         const Tensor<xpu, 2, DType> &weight, const Tensor<xpu, 1, DType> &by) {
  const index_t half = out.size(0) / 2, last = weight.size(1) / 2;
  out.Slice(0, half) = dot(out.Slice(out.size(0) - half, out.size(0)), weight);
  out.Slice(0, half) *= 0.5f;
  sums.Slice(0, last) -= dot(by, slice<1>(weight, 0, last));
}
MSHADOW_INSTANTIATE(Rows, float, half::half_t);

/// Batches: columns of each of their matrices.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Batches(Tensor<xpu, 3, DType> out, const Tensor<xpu, 3, DType> &in,
                            const Tensor<xpu, 3, DType> &weight) {
  const index_t rows = in.size(1);
  slice<2>(out, 0, rows) = batch_dot<false, true>(in, weight);
  out -= 2.0f * batch_dot(slice<2>(in, 0, rows), weight);
  slice<2>(out, 0, rows) = F<op::square>(slice<2>(out, 0, rows));
}
MSHADOW_INSTANTIATE(Batches, float);

/// One product gives queries and keys, another is theirs; a kernel on one of them.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Packed(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                           const Tensor<xpu, 2, DType> &weight, float scale) {
  const index_t half = weight.size(0) / 2;
  Temporary<xpu, 2, DType> both(Shape2(in.size(0), weight.size(0)), in.stream_);
  both = dot(in, weight.T());
  auto query = slice<1>(both, 0, half);
  query *= scale;
  out = 0.125f * dot(query, slice<1>(both, half, 2 * half).T());
}
MSHADOW_INSTANTIATE(Packed, float, bfloat::bf16_t);

/// Parts of a temporary, from a product and from a kernel, before a product of the whole.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Joined(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                           const Tensor<xpu, 2, DType> &weight, bool first) {
  const index_t cols = in.size(1), half = cols / 2;
  Temporary<xpu, 2, DType> both(in.shape_, in.stream_);
  both = in * 2.0f;
  if (first) slice<1>(both, 0, half) = dot(in, weight.Slice(0, half).T());
  slice<1>(both, cols - half, cols) *= slice<1>(in, 0, half);
  out = dot(both, weight);
  out += both;
}
MSHADOW_INSTANTIATE(Joined, float, double);

/// A rectangle is the product of rectangles.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Corners(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                            const Tensor<xpu, 2, DType> &weight) {
  const index_t rows = in.size(0) / 2, shared = in.size(1) / 2, cols = weight.size(0) / 2;
  slice<0>(slice<1>(out, 0, cols), 0, rows) = dot(
      slice<1>(in.Slice(0, rows), 0, shared), slice<0>(slice<1>(weight, 0, shared), 0, cols).T());
  out -= 0.5f * dot(in, weight.T());
}
MSHADOW_INSTANTIATE(Corners, float);

}  // namespace part_product_rules
