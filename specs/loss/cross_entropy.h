// SPDX-License-Identifier: Apache-2.0
/// \file cross_entropy.h
/// Gradients of losses by the inputs of the last layer.
#ifndef SPECS_LOSS_CROSS_ENTROPY_H_
#define SPECS_LOSS_CROSS_ENTROPY_H_

#include <mshadow/kernel.h>

namespace loss {
using namespace mshadow;
using namespace mshadow::expr;

/// Gradient of the cross entropy of a softmax by the softmax's inputs: dx = scale (p - y). The same
/// for a sigmoid and binary labels. Bridle 1990.
/// \param in_grad gradient of the loss with respect to the inputs of the softmax
/// \param prob probabilities, the softmax's output; may be in_grad
/// \param label one-hot labels, or any distribution of the same shape
/// \param scale factor of the gradient; 1 / batch size for the mean of a batch
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void CrossEntropyGrad(Tensor<xpu, dim, DType> in_grad,
                                     const Tensor<xpu, dim, DType> &prob,
                                     const Tensor<xpu, dim, DType> &label,
                                     MSHADOW_HYPER double scale = 1.0) {
  in_grad = tcast<DType>(scale * (tcast<Promoted<DType>>(prob) - tcast<Promoted<DType>>(label)));
}
MSHADOW_INSTANTIATE(CrossEntropyGrad, float, double, half::half_t, bfloat::bf16_t);

/// Gradient of the cross entropy with smoothed labels: dx = scale (p - (1 - smoothing) y -
/// smoothing / classes). Szegedy et al. 2016, section 7.
/// \param in_grad gradient of the loss with respect to the inputs of the softmax
/// \param prob probabilities, the softmax's output; may be in_grad. The classes are the columns
/// \param label one-hot labels
/// \param smoothing share of a label that is spread over all classes
/// \param scale factor of the gradient; 1 / batch size for the mean of a batch
template <typename xpu, typename DType>
MSHADOW_KERNEL void SmoothedCrossEntropyGrad(Tensor<xpu, 2, DType> in_grad,
                                             const Tensor<xpu, 2, DType> &prob,
                                             const Tensor<xpu, 2, DType> &label,
                                             MSHADOW_HYPER double smoothing = 0.1,
                                             MSHADOW_HYPER double scale = 1.0) {
  const double on = 1.0 - smoothing;
  const double off = smoothing / static_cast<double>(prob.size(1));
  auto target = on * tcast<Promoted<DType>>(label) + off;
  in_grad = tcast<DType>(scale * (tcast<Promoted<DType>>(prob) - target));
}
MSHADOW_INSTANTIATE(SmoothedCrossEntropyGrad, float, double, half::half_t, bfloat::bf16_t);

}  // namespace loss

#endif  // SPECS_LOSS_CROSS_ENTROPY_H_
