// SPDX-License-Identifier: Apache-2.0
/// \file divergence.h
/// Losses that compare distributions, and regressions.
#ifndef SPECS_LOSS_DIVERGENCE_H_
#define SPECS_LOSS_DIVERGENCE_H_

#include <mshadow/kernel.h>

namespace loss {
using namespace mshadow;
using namespace mshadow::expr;

/// Kullback-Leibler divergence, element by element: l = y (log(y) - x), and 0 where y is 0.
/// Kullback and Leibler 1951; torch.nn.functional.kl_div without a reduction. The gradient by x is
/// -y.
/// \param loss one value per element; the sum of a row is the divergence of its distributions
/// \param in logarithms of predicted probabilities
/// \param label probabilities
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void KlDiv(Tensor<xpu, dim, DType> loss, const Tensor<xpu, dim, DType> &in,
                          const Tensor<xpu, dim, DType> &label) {
  loss = where(label == 0.0f, 0.0f, label * (F<op::log>(label) - in));
}
MSHADOW_INSTANTIATE(KlDiv, float);

/// Backward of the divergence: dx = -scale y.
/// \param in_grad gradient of the loss with respect to the logarithms
/// \param label probabilities; may be in_grad
/// \param scale factor of the gradient; 1 / number of rows for the mean of their divergences
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void KlDivGrad(Tensor<xpu, dim, DType> in_grad, const Tensor<xpu, dim, DType> &label,
                              MSHADOW_HYPER float scale = 1.0f) {
  in_grad = -scale * label;
}
MSHADOW_INSTANTIATE(KlDivGrad, float);

/// Distillation: with p = softmax(teacher / T) and q = softmax(in / T) of each row, l = T^2 sum(p
/// log(p / q)) and the gradient dx = scale T (q - p). Hinton, Vinyals and Dean 2015, section 2.
/// \param loss one value per row
/// \param in_grad gradient of the loss with respect to the student's logits
/// \param in logits of the student, one row per sample; may be in_grad
/// \param teacher logits of the teacher
/// \param temperature T, positive
/// \param scale factor of the gradient; 1 / batch size for the mean of a batch
template <typename xpu, typename DType>
MSHADOW_KERNEL void DistillationTrain(Tensor<xpu, 1, DType> loss, Tensor<xpu, 2, DType> in_grad,
                                      const Tensor<xpu, 2, DType> &in,
                                      const Tensor<xpu, 2, DType> &teacher,
                                      MSHADOW_HYPER float temperature = 1.0f,
                                      MSHADOW_HYPER float scale = 1.0f) {
  Temporary<xpu, 1, DType> top(Shape1(in.size(0)), in.stream_),
      top_t(Shape1(in.size(0)), in.stream_);
  Temporary<xpu, 1, DType> sum(Shape1(in.size(0)), in.stream_),
      sum_t(Shape1(in.size(0)), in.stream_);
  const float inverse = 1.0f / temperature;
  top = reduce_except_dim<0, red::maximum>(in);
  top_t = reduce_except_dim<0, red::maximum>(teacher);
  auto x = inverse * (in - broadcast<0>(top, in.shape_));
  auto t = inverse * (teacher - broadcast<0>(top_t, in.shape_));
  auto e = F<op::exp>(x), e_t = F<op::exp>(t);
  sum = sumall_except_dim<0>(e);
  sum_t = sumall_except_dim<0>(e_t);
  loss = sumall_except_dim<0>(e_t * (t - x));
  loss = temperature * temperature * (loss / sum_t + F<op::log>(sum) - F<op::log>(sum_t));
  in_grad = scale * temperature *
            (e / broadcast<0>(sum, in.shape_) - e_t / broadcast<0>(sum_t, in.shape_));
}
MSHADOW_INSTANTIATE(DistillationTrain, float);

/// Quantile loss: l = max(q d, (q - 1) d), d = y - x. Koenker and Bassett 1978.
/// \param loss one value per element
/// \param in predicted quantiles
/// \param label values
/// \param quantile q, from 0 to 1; 0.5: half the absolute error, whose minimum is the median
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void QuantileLoss(Tensor<xpu, dim, DType> loss, const Tensor<xpu, dim, DType> &in,
                                 const Tensor<xpu, dim, DType> &label,
                                 MSHADOW_HYPER float quantile = 0.5f) {
  auto d = label - in;
  loss = F<op::maximum>(quantile * d, (quantile - 1.0f) * d);
}
MSHADOW_INSTANTIATE(QuantileLoss, float);

/// Backward of the quantile loss: dx = -scale q where y > x, scale (1 - q) where y < x, else 0.
/// \param in_grad gradient of the loss with respect to the predictions
/// \param in predicted quantiles; may be in_grad
/// \param label values
/// \param quantile q, from 0 to 1
/// \param scale factor of the gradient; 1 / number of elements for their mean
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void QuantileLossGrad(Tensor<xpu, dim, DType> in_grad,
                                     const Tensor<xpu, dim, DType> &in,
                                     const Tensor<xpu, dim, DType> &label,
                                     MSHADOW_HYPER float quantile = 0.5f,
                                     MSHADOW_HYPER float scale = 1.0f) {
  in_grad = scale * ((1.0f - quantile) * (label < in) - quantile * (label > in));
}
MSHADOW_INSTANTIATE(QuantileLossGrad, float);

}  // namespace loss

#endif  // SPECS_LOSS_DIVERGENCE_H_
