// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace specs {
using namespace mshadow;
using namespace mshadow::expr;

/// Every reducer, scales on both sides, 16-bit rows, which are summed in float.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Reduce(Tensor<xpu, 1, DType> total, Tensor<xpu, 1, DType> top,
                           const Tensor<xpu, 2, DType> &in, float scale) {
  Temporary<xpu, 1, DType> least(Shape1(in.size(0)), in.stream_);
  total = scale * sumall_except_dim<0>(in);
  total += 3.0f * (sumall_except_dim<0>(F<op::square>(in)) * scale);
  top = reduce_except_dim<0, red::maximum>(in - broadcast<0>(total, in.shape_));
  least = reduce_except_dim<0, red::minimum>(in);
  top = top - least;
}
MSHADOW_INSTANTIATE(Reduce, float, half::half_t);

/// A temporary as long as a vector, and one for every element.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Vectors(Tensor<xpu, 1, DType> out, const Tensor<xpu, 2, DType> &in) {
  const index_t rows = in.size(0);
  Temporary<xpu, 1, DType> a(out.shape_, in.stream_);
  Temporary<xpu, 1, DType> b(Shape1(rows), in.stream_);
  a = sumall_except_dim<0>(in);
  b = a * a;
  out = b + a;
}
MSHADOW_INSTANTIATE(Vectors, float);

template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Elements(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  Temporary<xpu, dim, float> wide(in.shape_, in.stream_);
  wide = tcast<float>(in);
  wide *= 2.0f;
  out = tcast<DType>(wide + wide);
}
MSHADOW_INSTANTIATE(Elements, float, half::half_t);
}  // namespace specs
