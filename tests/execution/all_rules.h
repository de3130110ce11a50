// SPDX-License-Identifier: Apache-2.0
// What the shipped rules that reduce everything have no use for: other element types, variants,
// vectors of one that are read and written, rows and columns beside them.
#include <mshadow/kernel.h>

namespace all_rules {
using namespace mshadow;
using namespace mshadow::expr;

/// Every reducer in the type of the tensors itself; scales on both sides.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Reducers(Tensor<xpu, 1, DType> total, Tensor<xpu, 1, DType> top,
                             Tensor<xpu, 1, DType> least, const Tensor<xpu, dim, DType> &in) {
  total = reduce_all<red::sum>(in) * 3;
  total -= 0.1f * (0.7f * reduce_all<red::sum>(in * in));
  top = reduce_all<red::maximum>(in);
  least += reduce_all<red::minimum>(in);
}
MSHADOW_INSTANTIATE(Reducers, float, double, half::half_t, bfloat::bf16_t);

/// The same for integers, which wrap.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void IntegerReducers(Tensor<xpu, 1, DType> total, Tensor<xpu, 1, DType> top,
                                    Tensor<xpu, 1, DType> least,
                                    const Tensor<xpu, dim, DType> &in) {
  total = reduce_all<red::sum>(in) * 3;
  total -= 2 * reduce_all<red::sum>(in * in);
  top = reduce_all<red::maximum>(in);
  least += reduce_all<red::minimum>(in);
}
MSHADOW_INSTANTIATE(IntegerReducers, int8_t, uint8_t, int16_t, int32_t, int64_t);

/// Statements in branches; a value that one sweep reads before another gives it anew; one that only
/// some variants write.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Variants(Tensor<xpu, dim, DType> out, Tensor<xpu, 1, float> loss,
                             Tensor<xpu, 1, float> count, const Tensor<xpu, dim, DType> &in,
                             bool centre, bool twice) {
  auto x = tcast<float>(in);
  out = tcast<DType>(x * broadcast_scalar(loss, in.shape_));
  if (centre) {
    loss = 0.125f * reduce_all<red::sum>(x);
    out -= tcast<DType>(broadcast_scalar(loss, in.shape_));
  } else {
    loss += 1.0f;
  }
  if (twice) {
    count += loss;
    loss += reduce_all<red::maximum>(F<op::abs>(tcast<float>(out)));
  }
}
MSHADOW_INSTANTIATE(Variants, float, half::half_t);

/// Sweeps that write and reduce what they wrote; temporaries that stay from sweep to sweep.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Chain(Tensor<xpu, dim, DType> a, Tensor<xpu, dim, DType> b,
                          const Tensor<xpu, dim, DType> &in) {
  Temporary<xpu, 1, DType> first(Shape1(1), in.stream_), second(Shape1(1), in.stream_);
  a = in * DType(0.5f);
  first = reduce_all<red::maximum>(a);
  b = a - broadcast_scalar(first, in.shape_);
  second = reduce_all<red::minimum>(b);
  second += first;
  a += b * broadcast_scalar(second, in.shape_) + broadcast_scalar(first, in.shape_);
}
MSHADOW_INSTANTIATE(Chain, float, double);

/// A row and a column beside what is reduced: rows of any length, whose lanes begin anywhere.
template <typename xpu, typename DType>
MSHADOW_KERNEL void RowAndColumn(Tensor<xpu, 2, DType> out, Tensor<xpu, 1, DType> norm,
                                 const Tensor<xpu, 2, DType> &in, const Tensor<xpu, 1, DType> &bias,
                                 const Tensor<xpu, 1, DType> &factor) {
  auto x = in * broadcast<0>(factor, in.shape_) + broadcast<1>(bias, in.shape_);
  norm = reduce_all<red::sum>(x * x);
  out = x / (DType(1) + broadcast_scalar(norm, in.shape_));
}
MSHADOW_INSTANTIATE(RowAndColumn, float, double, half::half_t);

/// Vectors of elements beside vectors of one.
template <typename xpu, typename DType>
MSHADOW_KERNEL void VectorNorm(Tensor<xpu, 1, DType> out, Tensor<xpu, 1, DType> norm,
                               const Tensor<xpu, 1, DType> &in) {
  norm = reduce_all<red::sum>(in * in);
  norm = F<op::square_root>(norm);
  out = in / broadcast_scalar(norm, in.shape_);
}
MSHADOW_INSTANTIATE(VectorNorm, float);

/// A value of the caller's, read by elements, by rows, by everything.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void ScaledElements(Tensor<xpu, dim, DType> out, const Tensor<xpu, 1, float> &scale,
                                   const Tensor<xpu, dim, DType> &in) {
  out += tcast<DType>(tcast<float>(in) * broadcast_scalar(scale, in.shape_));
}
MSHADOW_INSTANTIATE(ScaledElements, float, half::half_t, int32_t);

template <typename xpu, typename DType>
MSHADOW_KERNEL void ScaledRows(Tensor<xpu, 2, DType> out, Tensor<xpu, 1, DType> total,
                               const Tensor<xpu, 1, DType> &scale,
                               const Tensor<xpu, 2, DType> &in) {
  auto x = in * broadcast_scalar(scale, in.shape_);
  total = sumall_except_dim<0>(x);
  out = x - broadcast<0>(total, in.shape_);
}
MSHADOW_INSTANTIATE(ScaledRows, float);

/// Numbers of rows and columns, and labels, beside what is reduced.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Numbered(Tensor<xpu, 2, DType> out, Tensor<xpu, 1, float> total,
                             const Tensor<xpu, 2, DType> &in, const Tensor<xpu, 1, float> &label) {
  auto place = broadcast<1>(range<float>(0, in.size(1)), in.shape_) +
               0.5f * broadcast<0>(range<float>(0, in.size(0)), in.shape_);
  auto hit = one_hot_encode<float>(label, in.size(1));
  total = reduce_all<red::sum>(place * tcast<float>(in) * hit);
  out += tcast<DType>((place - hit) * broadcast_scalar(total, in.shape_));
}
MSHADOW_INSTANTIATE(Numbered, float, half::half_t);

/// A sweep that moves nothing.
template <typename xpu, typename DType>
MSHADOW_KERNEL void Broadcasts(Tensor<xpu, 2, DType> x, const Tensor<xpu, 1, DType> &weight) {
  Temporary<xpu, 1, DType> total(Shape1(1), x.stream_);
  total = reduce_all<red::sum>(broadcast<0>(weight, x.shape_));
  x += broadcast_scalar(total, x.shape_);
}
MSHADOW_INSTANTIATE(Broadcasts, float);

/// A temporary with an element for each of the rule's, which both sweeps compute.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Temporaries(Tensor<xpu, dim, DType> out, Tensor<xpu, 1, float> total,
                                const Tensor<xpu, dim, DType> &in) {
  Temporary<xpu, dim, float> bent(in.shape_, in.stream_);
  bent = F<op::tanh>(tcast<float>(in));
  total = reduce_all<red::sum>(bent);
  out = tcast<DType>(bent - broadcast_scalar(total, in.shape_));
}
MSHADOW_INSTANTIATE(Temporaries, float);
}  // namespace all_rules
