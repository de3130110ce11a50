// SPDX-License-Identifier: Apache-2.0
// What the shipped rules that reduce columns have no use for: other element types and ranks,
// variants, values of rows beside those of columns, numbers of columns.
#include <mshadow/kernel.h>

namespace column_rules {
using namespace mshadow;
using namespace mshadow::expr;

/// Every reducer in the type of the tensors itself; scales on both sides; any rank.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Reducers(Tensor<xpu, 1, DType> total, Tensor<xpu, 1, DType> top,
                             Tensor<xpu, 1, DType> least, const Tensor<xpu, dim, DType> &in) {
  total = sumall_except_dim<dim - 1>(in) * 3;
  total -= 0.1f * (0.7f * sumall_except_dim<dim - 1>(in * in));
  top = reduce_except_dim<dim - 1, red::maximum>(in);
  least += reduce_except_dim<dim - 1, red::minimum>(in);
}
MSHADOW_INSTANTIATE(Reducers, float, double, half::half_t, bfloat::bf16_t);

/// The same for integers, which wrap, of three dimensions.
template <typename xpu, typename DType>
MSHADOW_KERNEL void IntegerReducers(Tensor<xpu, 1, DType> total, Tensor<xpu, 1, DType> top,
                                    Tensor<xpu, 1, DType> least, const Tensor<xpu, 3, DType> &in) {
  total = sumall_except_dim<2>(in) * 3;
  total -= 2 * sumall_except_dim<2>(in * in);
  top = reduce_except_dim<2, red::maximum>(in);
  least += reduce_except_dim<2, red::minimum>(in);
}
MSHADOW_INSTANTIATE(IntegerReducers, int8_t, uint8_t, int16_t, int32_t, int64_t);

/// Statements in branches; a vector that one sweep reads before another gives it anew; a value of
/// each row, and the only one.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Variants(Tensor<xpu, 2, DType> out, Tensor<xpu, 1, float> loss,
                             const Tensor<xpu, 2, DType> &in, const Tensor<xpu, 1, float> &weight,
                             const Tensor<xpu, 1, float> &rate, bool centre, bool twice) {
  auto x = tcast<float>(in) * broadcast<0>(weight, in.shape_);
  out = tcast<DType>(x * broadcast<1>(loss, in.shape_));
  if (centre) {
    loss = 0.125f * sum_rows(x);
    out -= tcast<DType>(broadcast<1>(loss, in.shape_) * broadcast_scalar(rate, in.shape_));
  } else {
    loss = reduce_except_dim<1, red::maximum>(tcast<float>(out));
  }
  if (twice) {
    out = out + tcast<DType>(broadcast<1>(loss, in.shape_));
    loss *= 2.0f;
  }
  loss += reduce_except_dim<1, red::minimum>(tcast<float>(out));
}
MSHADOW_INSTANTIATE(Variants, float, half::half_t);

/// Elements that are written, reduced and written again; numbers of rows and columns, in sweeps and
/// between them.
template <typename xpu, typename DType>
MSHADOW_KERNEL void InPlace(Tensor<xpu, 2, DType> x, Tensor<xpu, 1, DType> last,
                            const Tensor<xpu, 1, DType> &gain) {
  Temporary<xpu, 1, DType> total(Shape1(x.size(1)), x.stream_);
  auto row = range<DType>(0, x.size(0));
  x = F<op::abs>(x) + broadcast<1>(gain, x.shape_) + broadcast<0>(row, x.shape_);
  total = sum_rows(x);
  x /= broadcast<1>(total, x.shape_);
  total = sum_rows(x * x);
  total = F<op::square_root>(total) + total;
  x = x - broadcast<1>(total, x.shape_);
  last = total * range<DType>(0, last.size(0));
}
MSHADOW_INSTANTIATE(InPlace, float, double, bfloat::bf16_t);

/// A sweep that moves nothing.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Broadcasts(Tensor<xpu, 2, DType> x, const Tensor<xpu, 1, DType> &weight) {
  Temporary<xpu, 1, DType> total(Shape1(x.size(1)), x.stream_);
  total = sum_rows(broadcast<0>(weight, x.shape_));
  x += broadcast<1>(total, x.shape_);
}
MSHADOW_INSTANTIATE(Broadcasts, float);

/// Nothing but a reduction of what other vectors say.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Weighted(Tensor<xpu, 1, double> sum, const Tensor<xpu, 2, DType> &x,
                             const Tensor<xpu, 1, double> &weight) {
  sum += sumall_except_dim<1>(tcast<double>(x) * broadcast<0>(weight, x.shape_));
}
MSHADOW_INSTANTIATE(Weighted, float, int8_t);

/// A temporary with an element for each of the rule's, which both sweeps compute.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Temporaries(Tensor<xpu, 2, DType> out, Tensor<xpu, 1, float> total,
                                const Tensor<xpu, 2, DType> &in) {
  Temporary<xpu, 2, float> bent(in.shape_, in.stream_);
  bent = F<op::tanh>(tcast<float>(in));
  total = sumall_except_dim<1>(bent);
  out = tcast<DType>(bent - broadcast<1>(total, in.shape_));
}
MSHADOW_INSTANTIATE(Temporaries, float, half::half_t);
}  // namespace column_rules
