// SPDX-License-Identifier: Apache-2.0
/// \file softmax_cross_entropy.h
/// A softmax and the cross entropy of its result, without storing the probabilities.
#ifndef SPECS_LOSS_SOFTMAX_CROSS_ENTROPY_H_
#define SPECS_LOSS_SOFTMAX_CROSS_ENTROPY_H_

#include <mshadow/kernel.h>

namespace loss {
using namespace mshadow;
using namespace mshadow::expr;

/// Cross entropy of a softmax: l = -sum y log(softmax(x)) of each row, computed as
/// log(sum e^x) sum y - sum y x. Bridle 1990.
/// \param loss one value per sample
/// \param in inputs of the softmax, one row per sample
/// \param label one-hot labels, or any distribution, one row per sample
template <typename xpu, typename DType>
MSHADOW_KERNEL void SoftmaxCrossEntropy(Tensor<xpu, 1, float> loss, const Tensor<xpu, 2, DType> &in,
                                        const Tensor<xpu, 2, DType> &label) {
  Temporary<xpu, 1, float> top(Shape1(in.size(0)), in.stream_);
  Temporary<xpu, 1, float> total(Shape1(in.size(0)), in.stream_);
  Temporary<xpu, 1, float> mass(Shape1(in.size(0)), in.stream_);
  auto x = tcast<float>(in);
  auto y = tcast<float>(label);
  top = reduce_except_dim<0, red::maximum>(x);
  auto below = x - broadcast<0>(top, in.shape_);
  total = sumall_except_dim<0>(F<op::exp>(below));
  mass = sumall_except_dim<0>(y);
  loss = sumall_except_dim<0>(y * below);
  loss = F<op::log>(total) * mass - loss;
}
MSHADOW_INSTANTIATE(SoftmaxCrossEntropy, float, half::half_t, bfloat::bf16_t);

/// Backward of the cross entropy of a softmax: dx = scale (softmax(x) - y).
/// \param in_grad gradient of the loss with respect to the inputs of the softmax
/// \param in inputs of the softmax, one row per sample; may be in_grad
/// \param label one-hot labels, or any distribution, one row per sample
/// \param scale factor of the gradient; 1 / batch size for the mean of a batch
template <typename xpu, typename DType>
MSHADOW_KERNEL void SoftmaxCrossEntropyGrad(Tensor<xpu, 2, DType> in_grad,
                                            const Tensor<xpu, 2, DType> &in,
                                            const Tensor<xpu, 2, DType> &label,
                                            MSHADOW_HYPER double scale = 1.0) {
  Temporary<xpu, 1, Promoted<DType>> top(Shape1(in.size(0)), in.stream_);
  Temporary<xpu, 1, Promoted<DType>> total(Shape1(in.size(0)), in.stream_);
  auto x = tcast<Promoted<DType>>(in);
  top = reduce_except_dim<0, red::maximum>(x);
  auto e = F<op::exp>(x - broadcast<0>(top, in.shape_));
  total = sumall_except_dim<0>(e);
  in_grad =
      tcast<DType>(scale * (e / broadcast<0>(total, in.shape_) - tcast<Promoted<DType>>(label)));
}
MSHADOW_INSTANTIATE(SoftmaxCrossEntropyGrad, float, double, half::half_t, bfloat::bf16_t);

/// Cross entropy of a softmax and its gradient, as training needs both: SoftmaxCrossEntropy and
/// SoftmaxCrossEntropyGrad in one.
/// \param loss one value per sample
/// \param in_grad gradient of the loss with respect to the inputs of the softmax
/// \param in inputs of the softmax, one row per sample; may be in_grad
/// \param label one-hot labels, or any distribution, one row per sample
/// \param scale factor of the gradient; 1 / batch size for the mean of a batch
template <typename xpu, typename DType>
MSHADOW_KERNEL void SoftmaxCrossEntropyTrain(Tensor<xpu, 1, float> loss,
                                             Tensor<xpu, 2, DType> in_grad,
                                             const Tensor<xpu, 2, DType> &in,
                                             const Tensor<xpu, 2, DType> &label,
                                             MSHADOW_HYPER float scale = 1.0f) {
  Temporary<xpu, 1, float> top(Shape1(in.size(0)), in.stream_);
  Temporary<xpu, 1, float> total(Shape1(in.size(0)), in.stream_);
  Temporary<xpu, 1, float> mass(Shape1(in.size(0)), in.stream_);
  auto x = tcast<float>(in);
  auto y = tcast<float>(label);
  top = reduce_except_dim<0, red::maximum>(x);
  auto below = x - broadcast<0>(top, in.shape_);
  auto e = F<op::exp>(below);
  total = sumall_except_dim<0>(e);
  mass = sumall_except_dim<0>(y);
  loss = sumall_except_dim<0>(y * below);
  loss = F<op::log>(total) * mass - loss;
  in_grad = tcast<DType>(scale * (e / broadcast<0>(total, in.shape_) - y));
}
MSHADOW_INSTANTIATE(SoftmaxCrossEntropyTrain, float, half::half_t, bfloat::bf16_t);

}  // namespace loss

#endif  // SPECS_LOSS_SOFTMAX_CROSS_ENTROPY_H_
