// SPDX-License-Identifier: Apache-2.0
// Rules that read and write the rows which indices name. The tables of tests give all matrices as
// many rows as there are indices, so the indices are a permutation.
#include <mshadow/kernel.h>

namespace named_row_rules {
using namespace mshadow;
using namespace mshadow::expr;

/// Rows that are written only, with each saver; indices of several types.
template <typename xpu, typename DType, typename IType>
MSHADOW_KERNEL void Scatter(Tensor<xpu, 2, DType> out, Tensor<xpu, 2, DType> sum,
                            const Tensor<xpu, 2, DType> &in, const Tensor<xpu, 1, IType> &index) {
  rows(out, index) = in * in;
  auto s = rows(sum, index);
  s += in;
  s *= 2;
  s -= rows(out, index);
}
MSHADOW_INSTANTIATE(Scatter, Types<float, int32_t>, Types<double, int64_t>,
                    Types<half::half_t, float>, Types<int32_t, int64_t>);

/// Rows beside a row that all have, a value for each, and a matrix of the rows' shape that is
/// written, too; in a branch.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Beside(Tensor<xpu, 2, DType> weight, Tensor<xpu, 2, DType> out,
                           const Tensor<xpu, 1, DType> &bias, const Tensor<xpu, 1, DType> &factor,
                           const Tensor<xpu, 1, int32_t> &index, bool keep) {
  auto w = rows(weight, index);
  out = w + broadcast<1>(bias, out.shape_);
  if (!keep) w = out * broadcast<0>(factor, out.shape_);
}
MSHADOW_INSTANTIATE(Beside, float, bfloat::bf16_t);

/// One branch writes rows that an index names, and the other the whole matrix.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Either(Tensor<xpu, 2, DType> weight, const Tensor<xpu, 2, DType> &in,
                           const Tensor<xpu, 1, int32_t> &index, bool some) {
  if (some) {
    rows(weight, index) += in;
  } else {
    weight -= in;
  }
}
MSHADOW_INSTANTIATE(Either, float);

/// Rows that are reduced, each to a value that it is divided by.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Normalize(Tensor<xpu, 2, DType> weight, Tensor<xpu, 1, float> norm,
                              const Tensor<xpu, 1, int64_t> &index) {
  auto w = rows(weight, index);
  norm = sumall_except_dim<0>(F<op::square>(tcast<float>(w)));
  w = tcast<DType>(tcast<float>(w) / broadcast<0>(norm + 1.0f, w.shape_));
}
MSHADOW_INSTANTIATE(Normalize, float, half::half_t);

/// Rows whose columns are reduced, or all their elements, in kernels of their own.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Sums(Tensor<xpu, 1, float> columns, Tensor<xpu, 2, DType> weight,
                         const Tensor<xpu, 1, int32_t> &index) {
  Temporary<xpu, 1, float> total(Shape1(1), weight.stream_);
  auto w = rows(weight, index);
  columns = sumall_except_dim<1>(tcast<float>(w));
  w -= tcast<DType>(broadcast<1>(columns, w.shape_));
  total = reduce_all<red::sum>(tcast<float>(w));
  w = tcast<DType>(broadcast_scalar(total, w.shape_) + tcast<float>(w));
}
MSHADOW_INSTANTIATE(Sums, float);

/// An element of each row, and of no other rows of the matrix.
template <typename xpu, typename DType, typename IType>
MSHADOW_KERNEL void Pick(Tensor<xpu, 1, DType> out, const Tensor<xpu, 2, DType> &in,
                         const Tensor<xpu, 1, int32_t> &index, const Tensor<xpu, 1, IType> &at) {
  out = mat_choose_row_element(rows(in, index), at);
}
MSHADOW_INSTANTIATE(Pick, Types<float, float>, Types<half::half_t, int64_t>);

/// Rows by two vectors, and the whole matrix, each in a kernel of its own; rows turned by a view.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Twice(Tensor<xpu, 2, DType> weight, Tensor<xpu, 2, DType> out,
                          const Tensor<xpu, 1, int32_t> &first,
                          const Tensor<xpu, 1, int32_t> &second) {
  rows(weight, first) *= 3;
  auto w = rows(weight, second);
  w = w + w * w;
  out = weight * 2;
  MSHADOW_STAGE();
  out += flip(rows(weight, first), 1);
}
MSHADOW_INSTANTIATE(Twice, float, double);

struct second {
  template <typename T>
  MSHADOW_XINLINE static T Map(T, T b) {
    return b;
  }
};

/// Rows whose shape alone matters: an operator ignores their elements, beside repeated values.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Ignored(Tensor<xpu, 1, DType> least, const Tensor<xpu, 2, DType> &in,
                            const Tensor<xpu, 2, DType> &weight,
                            const Tensor<xpu, 1, int32_t> &index) {
  auto sums = broadcast_with_axis(reduce_with_axis<red::sum, false>(in, 1), 0, in.size(1));
  least = reduce_except_dim<1, red::minimum>(F<second>(rows(weight, index), sums));
}
MSHADOW_INSTANTIATE(Ignored, float);

}  // namespace named_row_rules
