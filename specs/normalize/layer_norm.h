// SPDX-License-Identifier: Apache-2.0
/// \file layer_norm.h
/// Layer normalisation, Ba, Kiros and Hinton 2016: each row has mean 0 and variance 1, then gain
/// and bias.
#ifndef SPECS_NORMALIZE_LAYER_NORM_H_
#define SPECS_NORMALIZE_LAYER_NORM_H_

#include <mshadow/kernel.h>

namespace normalize {
using namespace mshadow;
using namespace mshadow::expr;

/// Layer normalisation: y = (x - mean) / sqrt(variance + eps) gain + bias, the variance divided by
/// the number of columns.
/// \param out normalised rows
/// \param mean of each row, for the backward rule
/// \param inv_std 1 / sqrt(variance + eps) of each row, for the backward rule
/// \param in one row per sample; may be out
/// \param gain one factor per column
/// \param bias one summand per column
/// \param eps added to the variance
template <typename xpu, typename DType>
MSHADOW_KERNEL void LayerNorm(Tensor<xpu, 2, DType> out, Tensor<xpu, 1, float> mean,
                              Tensor<xpu, 1, float> inv_std, const Tensor<xpu, 2, DType> &in,
                              const Tensor<xpu, 1, DType> &gain, const Tensor<xpu, 1, DType> &bias,
                              MSHADOW_HYPER float eps = 1e-5f) {
  const float inv_count = 1.0f / static_cast<float>(in.size(1));
  auto x = tcast<float>(in);
  mean = inv_count * sumall_except_dim<0>(x);
  inv_std = inv_count * sumall_except_dim<0>(F<op::square>(x - broadcast<0>(mean, in.shape_)));
  inv_std = 1.0f / F<op::square_root>(inv_std + eps);
  out = tcast<DType>((x - broadcast<0>(mean, in.shape_)) * broadcast<0>(inv_std, in.shape_) *
                         tcast<float>(broadcast<1>(gain, in.shape_)) +
                     tcast<float>(broadcast<1>(bias, in.shape_)));
}
MSHADOW_INSTANTIATE(LayerNorm, float, half::half_t, bfloat::bf16_t);

/// Backward of layer normalisation: dx = (g - mean(g) - z mean(g z)) inv_std, with g = dy gain and
/// z = (x - mean) inv_std. The gradients with respect to gain and bias are LayerNormGradGain's.
/// \param in_grad gradient of the loss with respect to the inputs
/// \param out_grad gradient of the loss with respect to the outputs; may be in_grad
/// \param in inputs of the forward rule
/// \param mean of each row, from the forward rule
/// \param inv_std 1 / sqrt(variance + eps) of each row, from the forward rule
/// \param gain one factor per column
template <typename xpu, typename DType>
MSHADOW_KERNEL void LayerNormGrad(Tensor<xpu, 2, DType> in_grad,
                                  const Tensor<xpu, 2, DType> &out_grad,
                                  const Tensor<xpu, 2, DType> &in,
                                  const Tensor<xpu, 1, float> &mean,
                                  const Tensor<xpu, 1, float> &inv_std,
                                  const Tensor<xpu, 1, DType> &gain) {
  Temporary<xpu, 1, float> mean_g(Shape1(in.size(0)), in.stream_);
  Temporary<xpu, 1, float> mean_gz(Shape1(in.size(0)), in.stream_);
  const float inv_count = 1.0f / static_cast<float>(in.size(1));
  auto g = tcast<float>(out_grad) * tcast<float>(broadcast<1>(gain, in.shape_));
  auto z = (tcast<float>(in) - broadcast<0>(mean, in.shape_)) * broadcast<0>(inv_std, in.shape_);
  mean_g = inv_count * sumall_except_dim<0>(g);
  mean_gz = inv_count * sumall_except_dim<0>(g * z);
  in_grad =
      tcast<DType>((g - broadcast<0>(mean_g, in.shape_) - z * broadcast<0>(mean_gz, in.shape_)) *
                   broadcast<0>(inv_std, in.shape_));
}
MSHADOW_INSTANTIATE(LayerNormGrad, float, half::half_t, bfloat::bf16_t);

/// Backward of layer normalisation with respect to its gain and bias: dgain = sum(dy z) and dbias =
/// sum(dy) over the rows, with z = (x - mean) inv_std.
/// \param gain_grad gradient of the loss with respect to the gain
/// \param bias_grad gradient of the loss with respect to the bias
/// \param out_grad gradient of the loss with respect to the outputs
/// \param in inputs of the forward rule
/// \param mean of each row, from the forward rule
/// \param inv_std 1 / sqrt(variance + eps) of each row, from the forward rule
template <typename xpu, typename DType>
MSHADOW_KERNEL void LayerNormGradGain(Tensor<xpu, 1, float> gain_grad,
                                      Tensor<xpu, 1, float> bias_grad,
                                      const Tensor<xpu, 2, DType> &out_grad,
                                      const Tensor<xpu, 2, DType> &in,
                                      const Tensor<xpu, 1, float> &mean,
                                      const Tensor<xpu, 1, float> &inv_std) {
  auto g = tcast<float>(out_grad);
  auto z = (tcast<float>(in) - broadcast<0>(mean, in.shape_)) * broadcast<0>(inv_std, in.shape_);
  gain_grad = sum_rows(g * z);
  bias_grad = sum_rows(g);
}
MSHADOW_INSTANTIATE(LayerNormGradGain, float, half::half_t, bfloat::bf16_t);

/// The whole backward of layer normalisation: the results of LayerNormGradGain and LayerNormGrad,
/// in one pass over memory where that is faster.
/// \param in_grad gradient of the loss with respect to the inputs
/// \param gain_grad gradient of the loss with respect to the gain
/// \param bias_grad gradient of the loss with respect to the bias
/// \param out_grad gradient of the loss with respect to the outputs; may be in_grad
/// \param in inputs of the forward rule
/// \param mean of each row, from the forward rule
/// \param inv_std 1 / sqrt(variance + eps) of each row, from the forward rule
/// \param gain one factor per column
template <typename xpu, typename DType>
MSHADOW_KERNEL void LayerNormBackward(
    Tensor<xpu, 2, DType> in_grad, Tensor<xpu, 1, float> gain_grad, Tensor<xpu, 1, float> bias_grad,
    const Tensor<xpu, 2, DType> &out_grad, const Tensor<xpu, 2, DType> &in,
    const Tensor<xpu, 1, float> &mean, const Tensor<xpu, 1, float> &inv_std,
    const Tensor<xpu, 1, DType> &gain) {
  LayerNormGradGain(gain_grad, bias_grad, out_grad, in, mean, inv_std);
  LayerNormGrad(in_grad, out_grad, in, mean, inv_std, gain);
}
MSHADOW_INSTANTIATE(LayerNormBackward, float, half::half_t, bfloat::bf16_t);

}  // namespace normalize

#endif  // SPECS_NORMALIZE_LAYER_NORM_H_
