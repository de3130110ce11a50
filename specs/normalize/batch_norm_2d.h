// SPDX-License-Identifier: Apache-2.0
/// \file batch_norm_2d.h
/// Batch normalisation of images, Ioffe and Szegedy 2015: each channel has mean 0 and variance 1
/// over the pixels of the batch, then gain and bias. Channels are the second dimension of four; for
/// those that come last there is batch_norm.h.
#ifndef SPECS_NORMALIZE_BATCH_NORM_2D_H_
#define SPECS_NORMALIZE_BATCH_NORM_2D_H_

#include <mshadow/kernel.h>

namespace normalize {
using namespace mshadow;
using namespace mshadow::expr;

/// Batch normalisation in training: y = (x - mean) / sqrt(variance + eps) gain + bias, the variance
/// divided by the number of pixels in the batch. The running statistics move by `momentum` towards
/// the batch's, whose variance is divided by that number less one for it, as in PyTorch.
/// \param out normalised images
/// \param mean of each channel, for the backward rule
/// \param inv_std 1 / sqrt(variance + eps) of each channel, for the backward rule
/// \param running_mean moving average of the means
/// \param running_var moving average of the variances
/// \param in (batch, channel, y, x); may be out
/// \param gain one factor per channel
/// \param bias one summand per channel
/// \param momentum weight of this batch in the running statistics
/// \param eps added to the variance
template <typename xpu, typename DType>
MSHADOW_KERNEL void BatchNorm2d(Tensor<xpu, 4, DType> out, Tensor<xpu, 1, float> mean,
                                Tensor<xpu, 1, float> inv_std,
                                MSHADOW_STATE(0) Tensor<xpu, 1, float> running_mean,
                                MSHADOW_STATE(1) Tensor<xpu, 1, float> running_var,
                                const Tensor<xpu, 4, DType> &in, const Tensor<xpu, 1, float> &gain,
                                const Tensor<xpu, 1, float> &bias,
                                MSHADOW_HYPER float momentum = 0.1f,
                                MSHADOW_HYPER float eps = 1e-5f) {
  const float count = static_cast<float>(in.size(0) * in.size(2) * in.size(3));
  const float inv_count = 1.0f / count;
  const float unbiased = count > 1.0f ? count / (count - 1.0f) : 1.0f;
  auto x = tcast<float>(in);
  mean = inv_count * sumall_except_dim<1>(x);
  inv_std = inv_count * sumall_except_dim<1>(F<op::square>(x - broadcast<1>(mean, in.shape_)));
  running_mean += momentum * (mean - running_mean);
  running_var += momentum * (unbiased * inv_std - running_var);
  inv_std = 1.0f / F<op::square_root>(inv_std + eps);
  out = tcast<DType>((x - broadcast<1>(mean, in.shape_)) * broadcast<1>(inv_std, in.shape_) *
                         broadcast<1>(gain, in.shape_) +
                     broadcast<1>(bias, in.shape_));
}
MSHADOW_INSTANTIATE(BatchNorm2d, float, half::half_t, bfloat::bf16_t);

/// Backward of batch normalisation: dgain = sum(dy z), dbias = sum(dy), and dx = (dy - dbias / n -
/// z dgain / n) gain inv_std, with z = (x - mean) inv_std and sums over the n pixels of a channel.
/// \param in_grad gradient of the loss with respect to the inputs
/// \param gain_grad gradient of the loss with respect to the gain
/// \param bias_grad gradient of the loss with respect to the bias
/// \param out_grad gradient of the loss with respect to the outputs; may be in_grad
/// \param in inputs of the forward rule
/// \param mean of each channel, from the forward rule
/// \param inv_std 1 / sqrt(variance + eps) of each channel, from the forward rule
/// \param gain one factor per channel
template <typename xpu, typename DType>
MSHADOW_KERNEL void BatchNorm2dGrad(Tensor<xpu, 4, DType> in_grad, Tensor<xpu, 1, float> gain_grad,
                                    Tensor<xpu, 1, float> bias_grad,
                                    const Tensor<xpu, 4, DType> &out_grad,
                                    const Tensor<xpu, 4, DType> &in,
                                    const Tensor<xpu, 1, float> &mean,
                                    const Tensor<xpu, 1, float> &inv_std,
                                    const Tensor<xpu, 1, float> &gain) {
  Temporary<xpu, 1, float> factor(Shape1(in.size(1)), in.stream_);
  Temporary<xpu, 1, float> mean_g(Shape1(in.size(1)), in.stream_);
  Temporary<xpu, 1, float> mean_gz(Shape1(in.size(1)), in.stream_);
  const float count = static_cast<float>(in.size(0) * in.size(2) * in.size(3));
  const float inv_count = 1.0f / count;
  auto g = tcast<float>(out_grad);
  auto z = (tcast<float>(in) - broadcast<1>(mean, in.shape_)) * broadcast<1>(inv_std, in.shape_);
  bias_grad = sumall_except_dim<1>(g);
  gain_grad = sumall_except_dim<1>(g * z);
  mean_g = inv_count * bias_grad;
  mean_gz = inv_count * gain_grad;
  factor = gain * inv_std;
  in_grad =
      tcast<DType>((g - broadcast<1>(mean_g, in.shape_) - z * broadcast<1>(mean_gz, in.shape_)) *
                   broadcast<1>(factor, in.shape_));
}
MSHADOW_INSTANTIATE(BatchNorm2dGrad, float, half::half_t, bfloat::bf16_t);

/// Batch normalisation at inference: y = (x - mean) / sqrt(variance + eps) gain + bias with the
/// running statistics.
/// \param out normalised images
/// \param in (batch, channel, y, x); may be out
/// \param running_mean mean of each channel
/// \param running_var variance of each channel
/// \param gain one factor per channel
/// \param bias one summand per channel
/// \param eps added to the variance
template <typename xpu, typename DType>
MSHADOW_KERNEL void BatchNorm2dInference(Tensor<xpu, 4, DType> out, const Tensor<xpu, 4, DType> &in,
                                         const Tensor<xpu, 1, float> &running_mean,
                                         const Tensor<xpu, 1, float> &running_var,
                                         const Tensor<xpu, 1, float> &gain,
                                         const Tensor<xpu, 1, float> &bias,
                                         MSHADOW_HYPER float eps = 1e-5f) {
  Temporary<xpu, 1, float> factor(Shape1(in.size(1)), in.stream_);
  factor = gain / F<op::square_root>(running_var + eps);
  out = tcast<DType>((tcast<float>(in) - broadcast<1>(running_mean, in.shape_)) *
                         broadcast<1>(factor, in.shape_) +
                     broadcast<1>(bias, in.shape_));
}
MSHADOW_INSTANTIATE(BatchNorm2dInference, float, half::half_t, bfloat::bf16_t);

}  // namespace normalize

#endif  // SPECS_NORMALIZE_BATCH_NORM_2D_H_
