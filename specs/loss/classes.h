// SPDX-License-Identifier: Apache-2.0
/// \file classes.h
/// Losses of classifiers whose labels are numbers of classes: with smoothed labels and rows that
/// are ignored, and with margins.
#ifndef SPECS_LOSS_CLASSES_H_
#define SPECS_LOSS_CLASSES_H_

#include <mshadow/kernel.h>

namespace loss {
using namespace mshadow;
using namespace mshadow::expr;

/// Cross entropy of a softmax with smoothed labels: with n = log(sum e^x), l = (1 - smoothing) (n -
/// x_c) + smoothing (n - mean(x)) of each row, c being its class; 0 for rows with the label
/// ignore_index. Szegedy et al. 2016, section 7; torch.nn.functional.cross_entropy without a
/// reduction, with its options label_smoothing and ignore_index.
/// \param loss one value per row
/// \param in inputs of the softmax, one row per sample
/// \param label number of each row's class, from 0
/// \param ignore_index the label of rows that do not count
/// \param smoothing share of a label that is spread over all classes
template <typename xpu, typename DType, typename IType>
MSHADOW_KERNEL void SmoothedSparseSoftmaxCrossEntropy(Tensor<xpu, 1, float> loss,
                                                      const Tensor<xpu, 2, DType> &in,
                                                      const Tensor<xpu, 1, IType> &label,
                                                      MSHADOW_HYPER int64_t ignore_index = -100,
                                                      MSHADOW_HYPER float smoothing = 0.1f) {
  Temporary<xpu, 1, float> top(Shape1(in.size(0)), in.stream_);
  Temporary<xpu, 1, float> total(Shape1(in.size(0)), in.stream_);
  Temporary<xpu, 1, float> all(Shape1(in.size(0)), in.stream_);
  const float share = smoothing / static_cast<float>(in.size(1));
  auto x = tcast<float>(in);
  top = reduce_except_dim<0, red::maximum>(x);
  auto below = x - broadcast<0>(top, in.shape_);
  total = sumall_except_dim<0>(F<op::exp>(below));
  all = sumall_except_dim<0>(below);
  loss = sumall_except_dim<0>(where(one_hot_encode<float>(label, in.size(1)), below, 0.0f));
  loss = where(tcast<float>(label != ignore_index),
               F<op::log>(total) - (1.0f - smoothing) * loss - share * all, 0.0f);
}
MSHADOW_INSTANTIATE(SmoothedSparseSoftmaxCrossEntropy, Types<float, float>, Types<float, int64_t>);

/// Backward of the cross entropy with smoothed labels: dx = scale (softmax(x) - (1 - smoothing)
/// [column = class] - smoothing / classes), and 0 in rows with the label ignore_index.
/// \param in_grad gradient of the loss with respect to the inputs of the softmax
/// \param in inputs of the softmax, one row per sample; may be in_grad
/// \param label number of each row's class, from 0
/// \param ignore_index the label of rows that do not count
/// \param smoothing share of a label that is spread over all classes
/// \param scale factor of the gradient; for the mean of a batch 1 / number of the rows that count
template <typename xpu, typename DType, typename IType>
MSHADOW_KERNEL void SmoothedSparseSoftmaxCrossEntropyGrad(Tensor<xpu, 2, DType> in_grad,
                                                          const Tensor<xpu, 2, DType> &in,
                                                          const Tensor<xpu, 1, IType> &label,
                                                          MSHADOW_HYPER int64_t ignore_index = -100,
                                                          MSHADOW_HYPER float smoothing = 0.1f,
                                                          MSHADOW_HYPER float scale = 1.0f) {
  Temporary<xpu, 1, float> top(Shape1(in.size(0)), in.stream_);
  Temporary<xpu, 1, float> total(Shape1(in.size(0)), in.stream_);
  Temporary<xpu, 1, float> factor(Shape1(in.size(0)), in.stream_);
  const float share = smoothing / static_cast<float>(in.size(1));
  auto x = tcast<float>(in);
  top = reduce_except_dim<0, red::maximum>(x);
  auto e = F<op::exp>(x - broadcast<0>(top, in.shape_));
  total = sumall_except_dim<0>(e);
  factor = scale * tcast<float>(label != ignore_index);
  auto target = (1.0f - smoothing) * one_hot_encode<float>(label, in.size(1)) + share;
  in_grad = tcast<DType>(
      where(broadcast<0>(factor, in.shape_),
            broadcast<0>(factor, in.shape_) * (e / broadcast<0>(total, in.shape_) - target), 0.0f));
}
MSHADOW_INSTANTIATE(SmoothedSparseSoftmaxCrossEntropyGrad, Types<float, float>,
                    Types<float, int64_t>);

/// How many rows count: count = sum_i [c_i != ignore_index], by which the sum of the losses is
/// divided for the mean of torch.nn.functional.cross_entropy.
/// \param count one element
/// \param label number of each row's class
/// \param ignore_index the label of rows that do not count
template <typename xpu, typename IType>
MSHADOW_KERNEL void CountLabels(Tensor<xpu, 1, float> count, const Tensor<xpu, 1, IType> &label,
                                MSHADOW_HYPER int64_t ignore_index = -100) {
  count = reduce_all<red::sum>(tcast<float>(label != ignore_index));
}
MSHADOW_INSTANTIATE(CountLabels, int64_t);

/// Hinge loss of several classes: l = sum(max(0, margin - x_c + x_j)) / classes of each row, over
/// the classes j other than the row's class c. Weston and Watkins 1999;
/// torch.nn.functional.multi_margin_loss without a reduction, for p = 1.
/// \param loss one value per row
/// \param in a value for each class, one row per sample
/// \param label number of each row's class, from 0; on the CPU another one is an error
/// \param margin by which the value of the class should exceed the others
template <typename xpu, typename DType, typename IType>
MSHADOW_KERNEL void MultiMarginLoss(Tensor<xpu, 1, DType> loss, const Tensor<xpu, 2, DType> &in,
                                    const Tensor<xpu, 1, IType> &label,
                                    MSHADOW_HYPER float margin = 1.0f) {
  Temporary<xpu, 1, DType> own(Shape1(in.size(0)), in.stream_);
  const float share = 1.0f / static_cast<float>(in.size(1));
  own = margin - mat_choose_row_element(in, label);
  loss = sumall_except_dim<0>(F<op::relu>(in + broadcast<0>(own, in.shape_)));
  loss = share * (loss - F<op::relu>(mat_choose_row_element(in, label) + own));
}
MSHADOW_INSTANTIATE(MultiMarginLoss, Types<float, float>, Types<float, int64_t>);

/// Backward of the hinge loss of several classes: dx_j = scale / classes where margin - x_c + x_j >
/// 0, and dx_c is minus the sum of those.
/// \param in_grad gradient of the loss with respect to the inputs
/// \param in inputs of the forward rule; may be in_grad
/// \param label number of each row's class, from 0; on the CPU another one is an error
/// \param margin by which the value of the class should exceed the others
/// \param scale factor of the gradient; 1 / batch size for the mean of a batch
template <typename xpu, typename DType, typename IType>
MSHADOW_KERNEL void MultiMarginLossGrad(Tensor<xpu, 2, DType> in_grad,
                                        const Tensor<xpu, 2, DType> &in,
                                        const Tensor<xpu, 1, IType> &label,
                                        MSHADOW_HYPER float margin = 1.0f,
                                        MSHADOW_HYPER float scale = 1.0f) {
  Temporary<xpu, 1, DType> own(Shape1(in.size(0)), in.stream_);
  Temporary<xpu, 1, DType> count(Shape1(in.size(0)), in.stream_);
  Temporary<xpu, 2, DType> over(in.shape_, in.stream_);
  const float share = scale / static_cast<float>(in.size(1));
  auto is_own = one_hot_encode<DType>(label, in.size(1));
  own = margin - mat_choose_row_element(in, label);
  over = (1.0f - is_own) * (in + broadcast<0>(own, in.shape_) > 0.0f);
  count = sumall_except_dim<0>(over);
  in_grad = share * (over - is_own * broadcast<0>(count, in.shape_));
}
MSHADOW_INSTANTIATE(MultiMarginLossGrad, Types<float, float>, Types<float, int64_t>);

}  // namespace loss

#endif  // SPECS_LOSS_CLASSES_H_
