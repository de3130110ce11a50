// SPDX-License-Identifier: Apache-2.0
/// \file softmax.h
/// Softmax of the rows of a matrix, and its variants. The largest value of a row is subtracted
/// first, so that no exponential overflows.
#ifndef SPECS_ACTIVATION_SOFTMAX_H_
#define SPECS_ACTIVATION_SOFTMAX_H_

#include "ops.h"

namespace activation {
using namespace mshadow;
using namespace mshadow::expr;

/// Softmax: y = e^x / sum e^x over each row. Bridle 1990.
/// \param out probabilities, one row per sample
/// \param in inputs, one row per sample; may be out
template <typename xpu, typename DType>
MSHADOW_KERNEL void Softmax(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  Temporary<xpu, 1, Promoted<DType>> top(Shape1(in.size(0)), in.stream_);
  Temporary<xpu, 1, Promoted<DType>> total(Shape1(in.size(0)), in.stream_);
  auto x = tcast<Promoted<DType>>(in);
  top = reduce_except_dim<0, red::maximum>(x);
  auto e = F<op::exp>(x - broadcast<0>(top, in.shape_));
  total = sumall_except_dim<0>(e);
  out = tcast<DType>(e / broadcast<0>(total, in.shape_));
}
MSHADOW_INSTANTIATE(Softmax, float, double, half::half_t, bfloat::bf16_t);

/// Backward of softmax: dx = y (dy - sum dy y).
/// \param in_grad gradient of the loss with respect to the inputs, one row per sample
/// \param out_grad gradient of the loss with respect to the probabilities; may be in_grad
/// \param out probabilities, the output of the forward rule
template <typename xpu, typename DType>
MSHADOW_KERNEL void SoftmaxGrad(Tensor<xpu, 2, DType> in_grad,
                                const Tensor<xpu, 2, DType> &out_grad,
                                const Tensor<xpu, 2, DType> &out) {
  Temporary<xpu, 1, Promoted<DType>> inner(Shape1(out.size(0)), out.stream_);
  auto y = tcast<Promoted<DType>>(out);
  auto dy = tcast<Promoted<DType>>(out_grad);
  inner = sumall_except_dim<0>(dy * y);
  in_grad = tcast<DType>(y * (dy - broadcast<0>(inner, out.shape_)));
}
MSHADOW_INSTANTIATE(SoftmaxGrad, float, double, half::half_t, bfloat::bf16_t);

/// Logarithm of softmax: y = x - log(sum e^x) over each row.
/// \param out logarithms of probabilities, one row per sample
/// \param in inputs, one row per sample; may be out
template <typename xpu, typename DType>
MSHADOW_KERNEL void LogSoftmax(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  Temporary<xpu, 1, Promoted<DType>> top(Shape1(in.size(0)), in.stream_);
  Temporary<xpu, 1, Promoted<DType>> total(Shape1(in.size(0)), in.stream_);
  auto x = tcast<Promoted<DType>>(in);
  top = reduce_except_dim<0, red::maximum>(x);
  auto below = x - broadcast<0>(top, in.shape_);
  total = sumall_except_dim<0>(F<op::exp>(below));
  total = F<op::log>(total);
  out = tcast<DType>(below - broadcast<0>(total, in.shape_));
}
MSHADOW_INSTANTIATE(LogSoftmax, float, double, half::half_t, bfloat::bf16_t);

/// Backward of the logarithm of softmax: dx = dy - e^y sum dy.
/// \param in_grad gradient of the loss with respect to the inputs, one row per sample
/// \param out_grad gradient of the loss with respect to the logarithms; may be in_grad
/// \param out logarithms of probabilities, the output of the forward rule
template <typename xpu, typename DType>
MSHADOW_KERNEL void LogSoftmaxGrad(Tensor<xpu, 2, DType> in_grad,
                                   const Tensor<xpu, 2, DType> &out_grad,
                                   const Tensor<xpu, 2, DType> &out) {
  Temporary<xpu, 1, Promoted<DType>> total(Shape1(out.size(0)), out.stream_);
  auto dy = tcast<Promoted<DType>>(out_grad);
  total = sumall_except_dim<0>(dy);
  in_grad =
      tcast<DType>(dy - F<op::exp>(tcast<Promoted<DType>>(out)) * broadcast<0>(total, out.shape_));
}
MSHADOW_INSTANTIATE(LogSoftmaxGrad, float, double, half::half_t, bfloat::bf16_t);

/// The logarithm of a softmax's denominator, as CTC needs it, Graves et al. 2006: y = log(sum e^x)
/// of each row. It is -Inf for a row of -Inf, and +Inf for a row with a +Inf.
/// \param out one value per row
/// \param in inputs, one row per sample
template <typename xpu, typename DType>
MSHADOW_KERNEL void LogSumExp(Tensor<xpu, 1, DType> out, const Tensor<xpu, 2, DType> &in) {
  Temporary<xpu, 1, Promoted<DType>> top(Shape1(in.size(0)), in.stream_);
  Temporary<xpu, 1, Promoted<DType>> total(Shape1(in.size(0)), in.stream_);
  auto x = tcast<Promoted<DType>>(in);
  top = reduce_except_dim<0, red::maximum>(x);
  top = F<finite_or_zero>(top);  // Inf - Inf is NaN
  total = sumall_except_dim<0>(F<op::exp>(x - broadcast<0>(top, in.shape_)));
  out = tcast<DType>(top + F<op::log>(total));
}
MSHADOW_INSTANTIATE(LogSumExp, float, double, half::half_t, bfloat::bf16_t);

}  // namespace activation

#endif  // SPECS_ACTIVATION_SOFTMAX_H_
