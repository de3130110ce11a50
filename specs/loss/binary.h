// SPDX-License-Identifier: Apache-2.0
/// \file binary.h
/// Losses of yes-or-no labels: each element of a tensor is the logit of one decision.
#ifndef SPECS_LOSS_BINARY_H_
#define SPECS_LOSS_BINARY_H_

#include <mshadow/kernel.h>

namespace loss {
using namespace mshadow;
using namespace mshadow::expr;

/// Cross entropy of a sigmoid: l = -(w y log(s) + (1 - y) log(1 - s)), s = sigmoid(x), w the weight
/// of positive labels, computed as (1 - y) x + (1 + (w - 1) y) log(1 + e^-x), which does not
/// overflow. torch.nn.functional.binary_cross_entropy_with_logits without a reduction.
/// \param loss one value per element
/// \param in logits
/// \param label 1 or 0, or a probability
/// \param pos_weight w
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void BinaryCrossEntropyWithLogits(Tensor<xpu, dim, DType> loss,
                                                 const Tensor<xpu, dim, DType> &in,
                                                 const Tensor<xpu, dim, DType> &label,
                                                 MSHADOW_HYPER float pos_weight = 1.0f) {
  auto factor = 1.0f + (pos_weight - 1.0f) * label;
  loss = (1.0f - label) * in + factor * F<op::softplus>(-in);
}
MSHADOW_INSTANTIATE(BinaryCrossEntropyWithLogits, float);

/// Backward of the cross entropy of a sigmoid: dx = scale ((1 + (w - 1) y) sigmoid(x) - w y).
/// \param in_grad gradient of the loss with respect to the logits
/// \param in logits; may be in_grad
/// \param label 1 or 0, or a probability
/// \param pos_weight w
/// \param scale factor of the gradient; 1 / number of elements for their mean
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void BinaryCrossEntropyWithLogitsGrad(Tensor<xpu, dim, DType> in_grad,
                                                     const Tensor<xpu, dim, DType> &in,
                                                     const Tensor<xpu, dim, DType> &label,
                                                     MSHADOW_HYPER float pos_weight = 1.0f,
                                                     MSHADOW_HYPER float scale = 1.0f) {
  auto factor = 1.0f + (pos_weight - 1.0f) * label;
  in_grad = scale * (factor * F<op::sigmoid>(in) - pos_weight * label);
}
MSHADOW_INSTANTIATE(BinaryCrossEntropyWithLogitsGrad, float);

/// Focal loss: l = -a (1 - p)^gamma log(p), p = sigmoid(z) being the probability of the label. The
/// logit z of the label is x for label 1 and -x for label 0, and a is alpha or 1 - alpha. Lin et
/// al. 2017, equation 5; torchvision.ops.sigmoid_focal_loss.
/// \param loss one value per element
/// \param in logits
/// \param label 1 or 0
/// \param alpha the weight of label 1, from 0 to 1
/// \param gamma how much less elements count that are classified well, at least 0
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void SigmoidFocalLoss(Tensor<xpu, dim, DType> loss,
                                     const Tensor<xpu, dim, DType> &in,
                                     const Tensor<xpu, dim, DType> &label,
                                     MSHADOW_HYPER float alpha = 0.25f,
                                     MSHADOW_HYPER float gamma = 2.0f) {
  auto z = in * (2.0f * label - 1.0f);
  auto weight = (1.0f - alpha) + (2.0f * alpha - 1.0f) * label;
  loss = weight * F<op::power>(F<op::sigmoid>(-z), gamma) * F<op::softplus>(-z);
}
MSHADOW_INSTANTIATE(SigmoidFocalLoss, float);

/// Backward of the focal loss: dz = -scale a q^gamma (q - gamma (1 - q) log(1 - q)), q = 1 - p, and
/// dx = dz for label 1, -dz for label 0.
/// \param in_grad gradient of the loss with respect to the logits
/// \param in logits; may be in_grad
/// \param label 1 or 0
/// \param alpha the weight of label 1, from 0 to 1
/// \param gamma how much less elements count that are classified well, at least 0
/// \param scale factor of the gradient; 1 / number of elements for their mean
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void SigmoidFocalLossGrad(Tensor<xpu, dim, DType> in_grad,
                                         const Tensor<xpu, dim, DType> &in,
                                         const Tensor<xpu, dim, DType> &label,
                                         MSHADOW_HYPER float alpha = 0.25f,
                                         MSHADOW_HYPER float gamma = 2.0f,
                                         MSHADOW_HYPER float scale = 1.0f) {
  auto sign = 2.0f * label - 1.0f;
  auto weight = (1.0f - alpha) + (2.0f * alpha - 1.0f) * label;
  auto q = F<op::sigmoid>(-in * sign);
  auto slope = q + gamma * (1.0f - q) * F<op::softplus>(-in * sign);
  in_grad = -scale * sign * weight * F<op::power>(q, gamma) * slope;
}
MSHADOW_INSTANTIATE(SigmoidFocalLossGrad, float);

/// Hinge loss: l = max(0, margin - y x). Cortes and Vapnik 1995; keras.losses.hinge for margin 1.
/// \param loss one value per element
/// \param in what a classifier says: positive for label 1
/// \param label 1 or -1
/// \param margin above which an element counts as classified well
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void HingeLoss(Tensor<xpu, dim, DType> loss, const Tensor<xpu, dim, DType> &in,
                              const Tensor<xpu, dim, DType> &label,
                              MSHADOW_HYPER float margin = 1.0f) {
  loss = F<op::relu>(margin - label * in);
}
MSHADOW_INSTANTIATE(HingeLoss, float);

/// Backward of the hinge loss: dx = -scale y where y x < margin, else 0.
/// \param in_grad gradient of the loss with respect to the inputs
/// \param in inputs of the forward rule; may be in_grad
/// \param label 1 or -1
/// \param margin above which an element counts as classified well
/// \param scale factor of the gradient; 1 / number of elements for their mean
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void HingeLossGrad(Tensor<xpu, dim, DType> in_grad,
                                  const Tensor<xpu, dim, DType> &in,
                                  const Tensor<xpu, dim, DType> &label,
                                  MSHADOW_HYPER float margin = 1.0f,
                                  MSHADOW_HYPER float scale = 1.0f) {
  in_grad = where(label * in < margin, -scale * label, 0.0f);
}
MSHADOW_INSTANTIATE(HingeLossGrad, float);

/// Dice loss of each row: l = 1 - (2 sum(p y) + smooth) / (sum(p) + sum(y) + smooth), p =
/// sigmoid(x). Milletari, Navab and Ahmadi 2016, section 3, with sums in the place of sums of
/// squares, as monai.losses.DiceLoss has it with sigmoid=True.
/// \param loss one value per row
/// \param in logits of the pixels, one row per image and class
/// \param label 1 or 0 for each pixel
/// \param smooth added to both parts of the quotient, positive
template <typename xpu, typename DType>
MSHADOW_KERNEL void DiceLoss(Tensor<xpu, 1, DType> loss, const Tensor<xpu, 2, DType> &in,
                             const Tensor<xpu, 2, DType> &label,
                             MSHADOW_HYPER float smooth = 1e-5f) {
  Temporary<xpu, 1, DType> both(Shape1(in.size(0)), in.stream_);
  Temporary<xpu, 1, DType> total(Shape1(in.size(0)), in.stream_);
  auto p = F<op::sigmoid>(in);
  both = 2.0f * sumall_except_dim<0>(p * label);
  total = sumall_except_dim<0>(p + label);
  loss = 1.0f - (both + smooth) / (total + smooth);
}
MSHADOW_INSTANTIATE(DiceLoss, float);

/// Backward of the Dice loss: dx = scale p (1 - p) (d - 2 y) / (sum(p) + sum(y) + smooth), where d
/// is the quotient in the loss.
/// \param in_grad gradient of the loss with respect to the logits
/// \param in logits; may be in_grad
/// \param label 1 or 0 for each pixel
/// \param smooth added to both parts of the quotient, positive
/// \param scale factor of the gradient; 1 / number of rows for their mean
template <typename xpu, typename DType>
MSHADOW_KERNEL void DiceLossGrad(Tensor<xpu, 2, DType> in_grad, const Tensor<xpu, 2, DType> &in,
                                 const Tensor<xpu, 2, DType> &label,
                                 MSHADOW_HYPER float smooth = 1e-5f,
                                 MSHADOW_HYPER float scale = 1.0f) {
  Temporary<xpu, 1, DType> share(Shape1(in.size(0)), in.stream_);
  Temporary<xpu, 1, DType> total(Shape1(in.size(0)), in.stream_);
  auto p = F<op::sigmoid>(in);
  share = 2.0f * sumall_except_dim<0>(p * label);
  total = sumall_except_dim<0>(p + label);
  total = 1.0f / (total + smooth);
  share = (share + smooth) * total;
  in_grad = p * (1.0f - p) * (broadcast<0>(share, in.shape_) - 2.0f * label) *
            broadcast<0>(scale * total, in.shape_);
}
MSHADOW_INSTANTIATE(DiceLossGrad, float);

}  // namespace loss

#endif  // SPECS_LOSS_BINARY_H_
