// SPDX-License-Identifier: Apache-2.0
/// \file instance_norm.h
/// Instance normalisation, Ulyanov, Vedaldi and Lempitsky 2016: each channel of each sample has
/// mean 0 and variance 1, then the channel's gain and bias. Channels first: a row is what one
/// sample has of one channel, and gain and bias are repeated for each sample, as PyTorch does it.
#ifndef SPECS_NORMALIZE_INSTANCE_NORM_H_
#define SPECS_NORMALIZE_INSTANCE_NORM_H_

#include <mshadow/kernel.h>

namespace normalize {
using namespace mshadow;
using namespace mshadow::expr;

/// Instance normalisation: y = (x - mean) / sqrt(variance + eps) gain + bias, the variance divided
/// by the number of columns.
/// \param out normalised rows
/// \param mean of each row, for the backward rule
/// \param inv_std 1 / sqrt(variance + eps) of each row, for the backward rule
/// \param in one row per sample and channel; may be out
/// \param gain one factor per row
/// \param bias one summand per row
/// \param eps added to the variance
template <typename xpu, typename DType>
MSHADOW_KERNEL void InstanceNorm(Tensor<xpu, 2, DType> out, Tensor<xpu, 1, float> mean,
                                 Tensor<xpu, 1, float> inv_std, const Tensor<xpu, 2, DType> &in,
                                 const Tensor<xpu, 1, float> &gain,
                                 const Tensor<xpu, 1, float> &bias,
                                 MSHADOW_HYPER float eps = 1e-5f) {
  const float inv_count = 1.0f / static_cast<float>(in.size(1));
  auto x = tcast<float>(in);
  mean = inv_count * sumall_except_dim<0>(x);
  inv_std = inv_count * sumall_except_dim<0>(F<op::square>(x - broadcast<0>(mean, in.shape_)));
  inv_std = 1.0f / F<op::square_root>(inv_std + eps);
  out = tcast<DType>((x - broadcast<0>(mean, in.shape_)) * broadcast<0>(inv_std, in.shape_) *
                         broadcast<0>(gain, in.shape_) +
                     broadcast<0>(bias, in.shape_));
}
MSHADOW_INSTANTIATE(InstanceNorm, float, half::half_t, bfloat::bf16_t);

/// Backward of instance normalisation: with z = (x - mean) inv_std, dgain = sum(dy z) and dbias =
/// sum(dy) over each row, dx = (dy - mean(dy) - z mean(dy z)) gain inv_std. A channel's gradients
/// by gain and bias are the sums over its samples' rows.
/// \param in_grad gradient of the loss with respect to the inputs
/// \param gain_grad gradient of the loss with respect to the gain, one value per row
/// \param bias_grad gradient of the loss with respect to the bias, one value per row
/// \param out_grad gradient of the loss with respect to the outputs; may be in_grad
/// \param in inputs of the forward rule
/// \param mean of each row, from the forward rule
/// \param inv_std 1 / sqrt(variance + eps) of each row, from the forward rule
/// \param gain one factor per row
template <typename xpu, typename DType>
MSHADOW_KERNEL void InstanceNormGrad(Tensor<xpu, 2, DType> in_grad, Tensor<xpu, 1, float> gain_grad,
                                     Tensor<xpu, 1, float> bias_grad,
                                     const Tensor<xpu, 2, DType> &out_grad,
                                     const Tensor<xpu, 2, DType> &in,
                                     const Tensor<xpu, 1, float> &mean,
                                     const Tensor<xpu, 1, float> &inv_std,
                                     const Tensor<xpu, 1, float> &gain) {
  const float inv_count = 1.0f / static_cast<float>(in.size(1));
  auto dy = tcast<float>(out_grad);
  auto z = (tcast<float>(in) - broadcast<0>(mean, in.shape_)) * broadcast<0>(inv_std, in.shape_);
  bias_grad = sumall_except_dim<0>(dy);
  gain_grad = sumall_except_dim<0>(dy * z);
  in_grad = tcast<DType>((dy - broadcast<0>(bias_grad, in.shape_) * inv_count -
                          z * (broadcast<0>(gain_grad, in.shape_) * inv_count)) *
                         broadcast<0>(gain, in.shape_) * broadcast<0>(inv_std, in.shape_));
}
MSHADOW_INSTANTIATE(InstanceNormGrad, float, half::half_t, bfloat::bf16_t);

}  // namespace normalize

#endif  // SPECS_NORMALIZE_INSTANCE_NORM_H_
