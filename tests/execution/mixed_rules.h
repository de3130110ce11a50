// SPDX-License-Identifier: Apache-2.0
// Rules that reduce several kinds of things, one after the other.
#include <mshadow/kernel.h>

namespace mixed_rules {
using namespace mshadow;
using namespace mshadow::expr;

/// Layer norm backwards: two sums of each row, then two of each column. Ba et al. 2016, section 3.
template <typename xpu, typename DType>
MSHADOW_KERNEL void LayerNormGrad(Tensor<xpu, 2, DType> in_grad, Tensor<xpu, 1, float> gain_grad,
                                  Tensor<xpu, 1, float> shift_grad,
                                  const Tensor<xpu, 2, DType> &out_grad,
                                  const Tensor<xpu, 2, DType> &in,
                                  const Tensor<xpu, 1, float> &gain,
                                  const Tensor<xpu, 1, float> &mean,
                                  const Tensor<xpu, 1, float> &rstd) {
  Temporary<xpu, 1, float> inner(Shape1(in.size(0)), in.stream_);
  Temporary<xpu, 1, float> total(Shape1(in.size(0)), in.stream_);
  auto dy = tcast<float>(out_grad);
  auto normed = (tcast<float>(in) - broadcast<0>(mean, in.shape_)) * broadcast<0>(rstd, in.shape_);
  auto scaled = dy * broadcast<1>(gain, in.shape_);
  const float count = 1.0f / in.size(1);
  inner = count * sumall_except_dim<0>(scaled * normed);
  total = count * sumall_except_dim<0>(scaled);
  in_grad = tcast<DType>((scaled - broadcast<0>(total, in.shape_) -
                          normed * broadcast<0>(inner, in.shape_)) *
                         broadcast<0>(rstd, in.shape_));
  gain_grad += sum_rows(dy * normed);
  shift_grad += sum_rows(dy);
}
MSHADOW_INSTANTIATE(LayerNormGrad, float, half::half_t);

/// Sums of one product by rows, by columns and of everything; elements between them, of which the
/// temporary ones go with those that need them.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Sums(Tensor<xpu, 2, DType> out, Tensor<xpu, 1, DType> rows,
                         Tensor<xpu, 1, DType> columns, Tensor<xpu, 1, DType> all,
                         const Tensor<xpu, 2, DType> &a, const Tensor<xpu, 2, DType> &b) {
  Temporary<xpu, 2, DType> product(a.shape_, a.stream_);
  Temporary<xpu, 2, DType> rest(a.shape_, a.stream_);
  product = a * b;
  rows = sumall_except_dim<0>(product);
  rest = product - broadcast<0>(rows, a.shape_);
  columns = sum_rows(rest * rest);
  out = rest + broadcast<1>(columns, a.shape_);
  all = reduce_all<red::maximum>(out);
}
MSHADOW_INSTANTIATE(Sums, float, double);

/// A softmax of each row, then sums of its columns, which read what the rows became.
template <typename xpu, typename DType>
MSHADOW_KERNEL void SoftmaxColumns(Tensor<xpu, 2, DType> out, Tensor<xpu, 1, float> columns,
                                   const Tensor<xpu, 2, DType> &in) {
  Temporary<xpu, 1, float> top(Shape1(in.size(0)), in.stream_);
  Temporary<xpu, 1, float> total(Shape1(in.size(0)), in.stream_);
  auto x = tcast<float>(in);
  top = reduce_except_dim<0, red::maximum>(x);
  auto e = F<op::exp>(x - broadcast<0>(top, in.shape_));
  total = sumall_except_dim<0>(e);
  out = tcast<DType>(e / broadcast<0>(total, in.shape_));
  columns += 0.5f * sum_rows(tcast<float>(out));
}
MSHADOW_INSTANTIATE(SoftmaxColumns, float, half::half_t, bfloat::bf16_t);

/// One product by rows and by columns, in the type of the tensors.
template <typename xpu, typename DType>
MSHADOW_KERNEL void ProductSums(Tensor<xpu, 1, DType> rows, Tensor<xpu, 1, DType> columns,
                                Tensor<xpu, 1, DType> top, const Tensor<xpu, 2, DType> &a,
                                const Tensor<xpu, 2, DType> &b) {
  rows = sumall_except_dim<0>(a * b);
  columns = sum_rows(a * b);
  top = reduce_except_dim<1, red::maximum>(a * b - a);
}
MSHADOW_INSTANTIATE(ProductSums, float, double, int32_t, half::half_t);

/// Columns of what the rows then overwrite; values of columns in a later pass.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Overwritten(Tensor<xpu, 2, DType> x, Tensor<xpu, 2, DType> out,
                                Tensor<xpu, 1, DType> rows, Tensor<xpu, 1, DType> columns,
                                const Tensor<xpu, 2, DType> &in, const Tensor<xpu, 1, DType> &gain,
                                float scale) {
  columns = sum_rows(x * in * broadcast<1>(gain, in.shape_) * scale);
  rows = sumall_except_dim<0>(x * broadcast<1>(gain, in.shape_));
  x = in - broadcast<0>(rows, in.shape_) * x;
  rows += sumall_except_dim<0>(x);
  columns += reduce_except_dim<1, red::minimum>(x);
  out = x * broadcast<1>(columns, x.shape_);
}
MSHADOW_INSTANTIATE(Overwritten, float, double);

/// Values of one kernel in the next ones, where they are broadcast; elements of rows.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Values(Tensor<xpu, 2, DType> out, Tensor<xpu, 1, DType> picked,
                           const Tensor<xpu, 2, DType> &in, const Tensor<xpu, 1, int32_t> &at) {
  Temporary<xpu, 1, DType> mean(Shape1(in.size(1)), in.stream_);
  Temporary<xpu, 1, DType> top(Shape1(in.size(0)), in.stream_);
  mean = sum_rows(in);
  picked = mat_choose_row_element(in, at);
  top = reduce_except_dim<0, red::maximum>(in - broadcast<1>(mean, in.shape_));
  out = in - broadcast<1>(mean, in.shape_) - broadcast<0>(top, in.shape_);
  mean = sum_rows(out);
  out += broadcast<1>(mean, in.shape_) * broadcast<0>(picked, in.shape_);
}
MSHADOW_INSTANTIATE(Values, float, half::half_t);

/// In branches.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Branches(Tensor<xpu, 2, DType> out, Tensor<xpu, 1, DType> rows,
                             Tensor<xpu, 1, DType> columns, const Tensor<xpu, 2, DType> &in,
                             bool by_rows, bool centre) {
  out = in * DType(0.5f);
  if (by_rows) {
    rows = sumall_except_dim<0>(out);
    if (centre) out -= broadcast<0>(rows, in.shape_);
  } else {
    columns = sum_rows(out);
    if (centre) out -= broadcast<1>(columns, in.shape_);
  }
  rows += reduce_except_dim<0, red::maximum>(out);
}
MSHADOW_INSTANTIATE(Branches, float);

/// Two dimensions of channels, columns and everything.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Images(Tensor<xpu, 4, DType> out, Tensor<xpu, 1, DType> mean,
                           Tensor<xpu, 1, DType> top, Tensor<xpu, 1, DType> columns,
                           Tensor<xpu, 1, DType> all, const Tensor<xpu, 4, DType> &in,
                           const Tensor<xpu, 1, DType> &place) {
  Temporary<xpu, 1, DType> least(Shape1(in.size(2)), in.stream_);
  mean = sumall_except_dim<1>(in);
  out = in - broadcast<1>(mean, in.shape_);
  least = reduce_except_dim<2, red::minimum>(out);
  top = reduce_except_dim<2, red::maximum>(out);
  top -= least;
  out += broadcast<2>(place, in.shape_);
  columns = sumall_except_dim<3>(out);
  all = reduce_all<red::maximum>(out);
}
MSHADOW_INSTANTIATE(Images, float);

/// Of any rank: columns, then everything.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void AnyRank(Tensor<xpu, dim, DType> out, Tensor<xpu, 1, DType> all,
                            const Tensor<xpu, dim, DType> &in) {
  Temporary<xpu, 1, DType> mean(Shape1(in.size(dim - 1)), in.stream_);
  mean = sumall_except_dim<dim - 1>(in);
  out = in - broadcast<dim - 1>(mean, in.shape_);
  all = reduce_all<red::sum>(out * out);
}
MSHADOW_INSTANTIATE(AnyRank, float, int32_t);
}  // namespace mixed_rules
