// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace specs {
using namespace mshadow;
using namespace mshadow::expr;

/// All transpositions, savers and scales.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Products(Tensor<xpu, 2, DType> out, Tensor<xpu, 3, DType> batch,
                             Tensor<xpu, 1, DType> row, const Tensor<xpu, 2, DType> &a,
                             const Tensor<xpu, 2, DType> &b, const Tensor<xpu, 3, DType> &c,
                             const Tensor<xpu, 1, DType> &v, float scale) {
  out = dot(a, b);
  out += dot(a.T(), b) * scale;
  out -= 2.0f * (scale * dot(a, b.T()));
  const float twice = 2.0f * scale;
  out = twice * dot(a.T(), b.T()) * 0.5f;
  batch = batch_dot(c, c);
  batch += batch_dot<true, false>(c, c);
  row = dot(v, a);
  row = dot(a, v);
  out = dot(v.T(), row);
}
MSHADOW_INSTANTIATE(Products, float, half::half_t);

/// Kernels around a product; what is kept, in memory or not; a name that both kernels use.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Kernels(Tensor<xpu, 2, DType> out, Tensor<xpu, 1, DType> sums,
                            const Tensor<xpu, 2, DType> &in, const Tensor<xpu, 2, DType> &weight) {
  const index_t rows = in.size(0);
  Temporary<xpu, 2, DType> kept(Shape2(rows, weight.size(0)), in.stream_);
  Temporary<xpu, 2, DType> same(out.shape_, in.stream_);
  Temporary<xpu, 2, DType> inside(in.shape_, in.stream_);
  auto square = in * in;
  inside = square + 1.0f;
  same = inside * square;
  kept = dot(same, weight.T());
  out = kept * square;
  MSHADOW_STAGE();
  MSHADOW_STAGE();
  sums = sum_rows(out);
  MSHADOW_STAGE();
}
MSHADOW_INSTANTIATE(Kernels, float);

/// Conditions around what ends a stage, one inside another.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Branches(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in,
                             int n) {
  out = F<op::identity>(in);
  if (n > 0) {
    out += 1.0f;
    if (n > 1) {
      MSHADOW_STAGE();
      out += 2.0f;
    }
    out += 3.0f;
  } else {
    out += 4.0f;
  }
  out += 5.0f;
}
MSHADOW_INSTANTIATE(Branches, float);

/// Nobody reads what the second kernel computes, which it must keep somewhere.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Unread(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  Temporary<xpu, dim, DType> half(in.shape_), both(in.shape_);
  out *= 2.0f;
  half = in * 0.5f;
  both = in + half;
}
MSHADOW_INSTANTIATE(Unread, float);

}  // namespace specs
