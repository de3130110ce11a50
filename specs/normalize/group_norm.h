// SPDX-License-Identifier: Apache-2.0
/// \file group_norm.h
/// Group normalisation, Wu and He 2018: the channels of a sample are divided into groups, each of
/// which has mean 0 and variance 1, then each channel's gain and bias. Channels first: a row is
/// what one sample has of one group.
#ifndef SPECS_NORMALIZE_GROUP_NORM_H_
#define SPECS_NORMALIZE_GROUP_NORM_H_

#include <mshadow/kernel.h>

namespace normalize {
using namespace mshadow;
using namespace mshadow::expr;

/// Group normalisation: y = (x - mean) / sqrt(variance + eps) gain + bias, the variance divided by
/// the number of columns. torch.nn.functional.group_norm, of x as a matrix.
/// \param out normalised rows
/// \param mean of each row, for the backward rule
/// \param inv_std 1 / sqrt(variance + eps) of each row, for the backward rule
/// \param in one row per sample and group
/// \param gain one factor per channel
/// \param bias one summand per channel
/// \param groups number of groups, which divides the number of channels
/// \param eps added to the variance
template <typename xpu, typename DType>
MSHADOW_KERNEL void GroupNorm(Tensor<xpu, 2, DType> out, Tensor<xpu, 1, float> mean,
                              Tensor<xpu, 1, float> inv_std, const Tensor<xpu, 2, DType> &in,
                              const Tensor<xpu, 1, float> &gain, const Tensor<xpu, 1, float> &bias,
                              int64_t groups = 1, MSHADOW_HYPER float eps = 1e-5f) {
  const float inv_count = 1.0f / static_cast<float>(in.size(1));
  const index_t channels = math::max(gain.size(0), index_t(1));
  const index_t samples = in.size(0) / groups, pixels = in.size(1) * groups / channels;
  auto x = tcast<float>(in);
  mean = inv_count * sumall_except_dim<0>(x);
  inv_std = inv_count * sumall_except_dim<0>(F<op::square>(x - broadcast<0>(mean, in.shape_)));
  inv_std = 1.0f / F<op::square_root>(inv_std + eps);
  auto gains = broadcast_with_axis(broadcast_with_axis(gain, 0, pixels), -1, samples);
  auto biases = broadcast_with_axis(broadcast_with_axis(bias, 0, pixels), -1, samples);
  out = tcast<DType>((x - broadcast<0>(mean, in.shape_)) * broadcast<0>(inv_std, in.shape_) *
                         reshape(gains, in.shape_) +
                     reshape(biases, in.shape_));
}
MSHADOW_INSTANTIATE(GroupNorm, float);

/// Backward of group normalisation: with z = (x - mean) inv_std and g = dy gain, dx = (g - mean(g)
/// - z mean(g z)) inv_std, the means being those of a row.
/// \param in_grad gradient of the loss with respect to the inputs
/// \param out_grad gradient of the loss with respect to the outputs; may be in_grad
/// \param in inputs of the forward rule
/// \param mean of each row, from the forward rule
/// \param inv_std 1 / sqrt(variance + eps) of each row, from the forward rule
/// \param gain one factor per channel
/// \param groups number of groups, which divides the number of channels
template <typename xpu, typename DType>
MSHADOW_KERNEL void GroupNormGrad(Tensor<xpu, 2, DType> in_grad,
                                  const Tensor<xpu, 2, DType> &out_grad,
                                  const Tensor<xpu, 2, DType> &in,
                                  const Tensor<xpu, 1, float> &mean,
                                  const Tensor<xpu, 1, float> &inv_std,
                                  const Tensor<xpu, 1, float> &gain, int64_t groups = 1) {
  const float inv_count = 1.0f / static_cast<float>(in.size(1));
  const index_t channels = math::max(gain.size(0), index_t(1));
  const index_t samples = in.size(0) / groups, pixels = in.size(1) * groups / channels;
  Temporary<xpu, 1, float> g_mean(Shape1(in.size(0)), in.stream_);
  Temporary<xpu, 1, float> gz_mean(Shape1(in.size(0)), in.stream_);
  auto z = (tcast<float>(in) - broadcast<0>(mean, in.shape_)) * broadcast<0>(inv_std, in.shape_);
  auto g =
      tcast<float>(out_grad) *
      reshape(broadcast_with_axis(broadcast_with_axis(gain, 0, pixels), -1, samples), in.shape_);
  g_mean = inv_count * sumall_except_dim<0>(g);
  gz_mean = inv_count * sumall_except_dim<0>(g * z);
  in_grad =
      tcast<DType>((g - broadcast<0>(g_mean, in.shape_) - z * broadcast<0>(gz_mean, in.shape_)) *
                   broadcast<0>(inv_std, in.shape_));
}
MSHADOW_INSTANTIATE(GroupNormGrad, float);

/// The rest of the backward of group normalisation, of the same memory as images: dgain = sum(dy z)
/// and dbias = sum(dy) of each channel, over samples and pixels.
/// \param gain_grad gradient of the loss with respect to the gain
/// \param bias_grad gradient of the loss with respect to the bias
/// \param out_grad gradient of the loss with respect to the outputs: samples, channels, pixels
/// \param in inputs of the forward rule: samples, channels, pixels
/// \param mean of each group of each sample, from the forward rule
/// \param inv_std 1 / sqrt(variance + eps) of each group of each sample, from the forward rule
/// \param groups number of groups, which divides the number of channels
template <typename xpu, typename DType>
MSHADOW_KERNEL void GroupNormGradGain(Tensor<xpu, 1, float> gain_grad,
                                      Tensor<xpu, 1, float> bias_grad,
                                      const Tensor<xpu, 3, DType> &out_grad,
                                      const Tensor<xpu, 3, DType> &in,
                                      const Tensor<xpu, 1, float> &mean,
                                      const Tensor<xpu, 1, float> &inv_std, int64_t groups = 1) {
  const index_t cols = in.size(1) * in.size(2) / groups;
  auto dy = tcast<float>(out_grad);
  auto z = (tcast<float>(in) - reshape(broadcast_with_axis(mean, 0, cols), in.shape_)) *
           reshape(broadcast_with_axis(inv_std, 0, cols), in.shape_);
  gain_grad = sumall_except_dim<1>(dy * z);
  bias_grad = sumall_except_dim<1>(dy);
}
MSHADOW_INSTANTIATE(GroupNormGradGain, float);

}  // namespace normalize

#endif  // SPECS_NORMALIZE_GROUP_NORM_H_
