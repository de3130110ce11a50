// SPDX-License-Identifier: Apache-2.0
// Rules with numbers of rows and columns: as values, compared with indices, as places of elements.
#include <mshadow/kernel.h>

namespace index_rules {
using namespace mshadow;
using namespace mshadow::expr;

/// One-hot labels of any type in an element-wise rule, which keeps its rows.
template <typename xpu, typename DType, typename IType>
MSHADOW_KERNEL void OneHot(Tensor<xpu, 2, DType> out, Tensor<xpu, 2, IType> count,
                           const Tensor<xpu, 2, DType> &in, const Tensor<xpu, 1, IType> &label) {
  out = in - one_hot_encode<DType>(label, in.size(1));
  count += one_hot_encode<IType>(label, count.size(1));
}
MSHADOW_INSTANTIATE(OneHot, Types<float, int32_t>, Types<half::half_t, float>,
                    Types<double, int64_t>, Types<bfloat::bf16_t, uint8_t>,
                    Types<float, half::half_t>, Types<int8_t, int8_t>);

/// Numbers of rows and columns in every type.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Numbers(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                            float slope) {
  const index_t cols = in.size(1);
  auto column = broadcast<1>(range<DType>(0, cols), in.shape_);
  auto row = broadcast<0>(range<DType>(0, in.size(0)), in.shape_);
  out = column + row * 3 - in;
  out += tcast<DType>(slope * broadcast<1>(range<float>(0, cols), in.shape_));
}
MSHADOW_INSTANTIATE(Numbers, float, double, half::half_t, bfloat::bf16_t, int8_t, uint8_t, int32_t,
                    int64_t);

/// Rows of their own length each, and a causal mask.
template <typename xpu, typename DType, typename IType>
MSHADOW_KERNEL void Masks(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                          const Tensor<xpu, 1, IType> &length) {
  auto column = broadcast<1>(range<IType>(0, in.size(1)), in.shape_);
  out = in * tcast<DType>(column < broadcast<0>(length, in.shape_));
  out *= tcast<DType>(column <= broadcast<0>(range<IType>(0, in.size(0)), in.shape_));
}
MSHADOW_INSTANTIATE(Masks, Types<float, int32_t>, Types<half::half_t, float>,
                    Types<double, uint8_t>);

/// The numbers of a vector's elements.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Ramp(Tensor<xpu, 1, DType> out, const Tensor<xpu, 1, DType> &in) {
  out = in * range<DType>(0, out.size(0)) + range<DType>(0, in.size(0));
}
MSHADOW_INSTANTIATE(Ramp, float, double, half::half_t, uint8_t);

/// One element of each row replaced.
template <typename xpu, typename DType, typename IType>
MSHADOW_KERNEL void Fill(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                         const Tensor<xpu, 1, DType> &value, const Tensor<xpu, 1, IType> &at) {
  out = mat_fill_row_element(in * 2, value + value, at) - mat_fill_row_element(in, value, at + at);
}
MSHADOW_INSTANTIATE(Fill, Types<float, float>, Types<half::half_t, int32_t>,
                    Types<int32_t, uint8_t>);

/// One element of each row, and nothing else of the matrix.
template <typename xpu, typename DType, typename IType>
MSHADOW_KERNEL void Choose(Tensor<xpu, 1, DType> out, const Tensor<xpu, 2, DType> &in,
                           const Tensor<xpu, 1, IType> &at) {
  out = mat_choose_row_element(in, at);
  out += mat_choose_row_element(in, at) * 2;
}
MSHADOW_INSTANTIATE(Choose, Types<float, float>, Types<half::half_t, int32_t>,
                    Types<bfloat::bf16_t, int64_t>, Types<int32_t, uint8_t>, Types<double, double>);

/// Elements before and after they are written, of whole expressions, in branches.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Gathers(Tensor<xpu, 2, DType> out, Tensor<xpu, 1, DType> picked,
                            const Tensor<xpu, 2, DType> &in, const Tensor<xpu, 1, DType> &bias,
                            const Tensor<xpu, 1, int32_t> &at, const Tensor<xpu, 1, float> &from,
                            bool again) {
  picked = mat_choose_row_element(out, at);
  out = in * in + broadcast<1>(bias, in.shape_);
  picked -= mat_choose_row_element(out, at);
  picked += mat_choose_row_element(
      in * broadcast<1>(bias, in.shape_) + broadcast<1>(range<DType>(0, in.size(1)), in.shape_) +
          broadcast<0>(tcast<DType>(from), in.shape_) * one_hot_encode<DType>(at, in.size(1)),
      at);
  if (again) {
    out = out - broadcast<0>(mat_choose_row_element(in, from), out.shape_);
    picked += 0.5f * sumall_except_dim<0>(out);
  }
}
MSHADOW_INSTANTIATE(Gathers, float, half::half_t);

/// Numbers in a rule that reduces rows: in terms, between sweeps, in stores.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Centroid(Tensor<xpu, 2, DType> out, Tensor<xpu, 1, DType> centre,
                             const Tensor<xpu, 2, DType> &in, const Tensor<xpu, 1, DType> &label) {
  Temporary<xpu, 1, DType> mass(Shape1(in.size(0)), in.stream_);
  auto column = broadcast<1>(range<DType>(0, in.size(1)), in.shape_);
  mass = sumall_except_dim<0>(in - one_hot_encode<DType>(label, in.size(1)));
  centre = sumall_except_dim<0>(in * column);
  centre = centre / mass + range<DType>(0, centre.size(0));
  out = column - broadcast<0>(centre + range<DType>(0, in.size(0)), in.shape_);
}
MSHADOW_INSTANTIATE(Centroid, float, double, bfloat::bf16_t);

/// How often each index occurs, of any number of indices: none is an element of a matrix.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Histogram(Tensor<xpu, 1, DType> counts, const Tensor<xpu, 1, int32_t> &at) {
  counts = reduce_except_dim<1, red::sum>(one_hot_encode<DType>(at, counts.size(0)));
}
MSHADOW_INSTANTIATE(Histogram, float, int32_t);

/// The same beside a matrix with another number of rows; and whether any row has its index.
template <typename xpu, typename DType>
MSHADOW_KERNEL void CountsBeside(Tensor<xpu, 2, DType> out, Tensor<xpu, 1, DType> found,
                                 const Tensor<xpu, 1, int32_t> &at) {
  auto hot = one_hot_encode<DType>(at, out.size(1));
  out *= broadcast_with_axis(reduce_with_axis<red::sum, false>(hot, 0), -1, out.size(0));
  found = reduce_except_dim<0, red::maximum>(hot * 2);
}
MSHADOW_INSTANTIATE(CountsBeside, float, int32_t);

/// Elements of rows of a matrix, and of another one, that may have other numbers of columns.
template <typename xpu, typename DType>
MSHADOW_KERNEL void PickedOfOthers(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                                   const Tensor<xpu, 2, float> &other,
                                   const Tensor<xpu, 1, int32_t> &at) {
  auto of_other = tcast<DType>(mat_choose_row_element(other, at));
  out += broadcast<0>(mat_choose_row_element(in, at) * of_other, out.shape_) * 2;
  out -= broadcast<0>(of_other, out.shape_);
}
MSHADOW_INSTANTIATE(PickedOfOthers, float, int32_t);

/// The same among what is reduced.
template <typename xpu, typename DType>
MSHADOW_KERNEL void SumsOfPicked(Tensor<xpu, 1, DType> sums, const Tensor<xpu, 2, DType> &in,
                                 const Tensor<xpu, 2, DType> &other,
                                 const Tensor<xpu, 1, int32_t> &at) {
  sums = reduce_except_dim<0, red::sum>(
      in * broadcast<0>(mat_choose_row_element(other, at), in.shape_));
}
MSHADOW_INSTANTIATE(SumsOfPicked, float);

/// Elements that are picked to no effect: the indices must name columns all the same.
template <typename xpu, typename DType>
MSHADOW_KERNEL void PickedInVain(Tensor<xpu, 2, DType> out, Tensor<xpu, 1, DType> sums,
                                 const Tensor<xpu, 2, DType> &in,
                                 const Tensor<xpu, 2, DType> &other,
                                 const Tensor<xpu, 1, int32_t> &at) {
  auto picked = broadcast<0>(mat_choose_row_element(other, at), out.shape_);
  sums = reduce_except_dim<0, red::sum>(F<op::right>(picked, in));
  out += F<op::right>(DType(2) * picked, in);
}
MSHADOW_INSTANTIATE(PickedInVain, float);
}  // namespace index_rules
