// SPDX-License-Identifier: Apache-2.0
/// \file rms_norm.h
/// Normalisation of rows by their length: root mean square, and L2.
#ifndef SPECS_NORMALIZE_RMS_NORM_H_
#define SPECS_NORMALIZE_RMS_NORM_H_

#include <mshadow/kernel.h>

namespace normalize {
using namespace mshadow;
using namespace mshadow::expr;

/// RMS normalisation: y = x / sqrt(mean(x^2) + eps) gain. Zhang and Sennrich 2019.
/// \param out normalised rows
/// \param inv_rms 1 / sqrt(mean(x^2) + eps) of each row, for the backward rule
/// \param in one row per sample; may be out
/// \param gain one factor per column
/// \param eps added to the mean
template <typename xpu, typename DType>
MSHADOW_KERNEL void RmsNorm(Tensor<xpu, 2, DType> out, Tensor<xpu, 1, float> inv_rms,
                            const Tensor<xpu, 2, DType> &in, const Tensor<xpu, 1, DType> &gain,
                            MSHADOW_HYPER float eps = 1e-5f) {
  const float inv_count = 1.0f / static_cast<float>(in.size(1));
  auto x = tcast<float>(in);
  inv_rms = inv_count * sumall_except_dim<0>(F<op::square>(x));
  inv_rms = 1.0f / F<op::square_root>(inv_rms + eps);
  out = tcast<DType>(x * broadcast<0>(inv_rms, in.shape_) *
                     tcast<float>(broadcast<1>(gain, in.shape_)));
}
MSHADOW_INSTANTIATE(RmsNorm, float, half::half_t, bfloat::bf16_t);

/// Backward of RMS normalisation: dx = (g - z mean(g z)) inv_rms, with g = dy gain and
/// z = x inv_rms. The gradient with respect to the gain is RmsNormGradGain's.
/// \param in_grad gradient of the loss with respect to the inputs
/// \param out_grad gradient of the loss with respect to the outputs; may be in_grad
/// \param in inputs of the forward rule
/// \param inv_rms 1 / sqrt(mean(x^2) + eps) of each row, from the forward rule
/// \param gain one factor per column
template <typename xpu, typename DType>
MSHADOW_KERNEL void RmsNormGrad(Tensor<xpu, 2, DType> in_grad,
                                const Tensor<xpu, 2, DType> &out_grad,
                                const Tensor<xpu, 2, DType> &in,
                                const Tensor<xpu, 1, float> &inv_rms,
                                const Tensor<xpu, 1, DType> &gain) {
  Temporary<xpu, 1, float> mean_gz(Shape1(in.size(0)), in.stream_);
  const float inv_count = 1.0f / static_cast<float>(in.size(1));
  auto g = tcast<float>(out_grad) * tcast<float>(broadcast<1>(gain, in.shape_));
  auto z = tcast<float>(in) * broadcast<0>(inv_rms, in.shape_);
  mean_gz = inv_count * sumall_except_dim<0>(g * z);
  in_grad =
      tcast<DType>((g - z * broadcast<0>(mean_gz, in.shape_)) * broadcast<0>(inv_rms, in.shape_));
}
MSHADOW_INSTANTIATE(RmsNormGrad, float, half::half_t, bfloat::bf16_t);

/// Backward of RMS normalisation with respect to its gain: dgain = sum(dy z) over the rows, with z
/// = x inv_rms.
/// \param gain_grad gradient of the loss with respect to the gain
/// \param out_grad gradient of the loss with respect to the outputs
/// \param in inputs of the forward rule
/// \param inv_rms 1 / sqrt(mean(x^2) + eps) of each row, from the forward rule
template <typename xpu, typename DType>
MSHADOW_KERNEL void RmsNormGradGain(Tensor<xpu, 1, float> gain_grad,
                                    const Tensor<xpu, 2, DType> &out_grad,
                                    const Tensor<xpu, 2, DType> &in,
                                    const Tensor<xpu, 1, float> &inv_rms) {
  auto z = tcast<float>(in) * broadcast<0>(inv_rms, in.shape_);
  gain_grad = sum_rows(tcast<float>(out_grad) * z);
}
MSHADOW_INSTANTIATE(RmsNormGradGain, float, half::half_t, bfloat::bf16_t);

/// The whole backward of RMS normalisation: the results of RmsNormGradGain and RmsNormGrad, in one
/// pass over memory where that is faster.
/// \param in_grad gradient of the loss with respect to the inputs
/// \param gain_grad gradient of the loss with respect to the gain
/// \param out_grad gradient of the loss with respect to the outputs; may be in_grad
/// \param in inputs of the forward rule
/// \param inv_rms 1 / sqrt(mean(x^2) + eps) of each row, from the forward rule
/// \param gain one factor per column
template <typename xpu, typename DType>
MSHADOW_KERNEL void RmsNormBackward(Tensor<xpu, 2, DType> in_grad, Tensor<xpu, 1, float> gain_grad,
                                    const Tensor<xpu, 2, DType> &out_grad,
                                    const Tensor<xpu, 2, DType> &in,
                                    const Tensor<xpu, 1, float> &inv_rms,
                                    const Tensor<xpu, 1, DType> &gain) {
  RmsNormGradGain(gain_grad, out_grad, in, inv_rms);
  RmsNormGrad(in_grad, out_grad, in, inv_rms, gain);
}
MSHADOW_INSTANTIATE(RmsNormBackward, float, half::half_t, bfloat::bf16_t);

/// L2 normalisation: y = x / sqrt(sum(x^2) + eps) of each row.
/// \param out rows of length 1, or less where eps matters
/// \param in one row per sample; may be out
/// \param eps added to the sum
template <typename xpu, typename DType>
MSHADOW_KERNEL void L2Normalize(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                                MSHADOW_HYPER double eps = 1e-10) {
  Temporary<xpu, 1, Promoted<DType>> length(Shape1(in.size(0)), in.stream_);
  auto x = tcast<Promoted<DType>>(in);
  length = sumall_except_dim<0>(F<op::square>(x));
  length = F<op::square_root>(length + eps);
  out = tcast<DType>(x / broadcast<0>(length, in.shape_));
}
MSHADOW_INSTANTIATE(L2Normalize, float, double, half::half_t, bfloat::bf16_t);

/// Backward of L2 normalisation: dx = (dy - y sum(dy y)) / sqrt(sum(x^2) + eps), with
/// y = x / sqrt(sum(x^2) + eps), of each row.
/// \param in_grad gradient of the loss with respect to the inputs
/// \param out_grad gradient of the loss with respect to the outputs; may be in_grad
/// \param in inputs of the forward rule
/// \param eps added to the sum, as in the forward rule
template <typename xpu, typename DType>
MSHADOW_KERNEL void L2NormalizeGrad(Tensor<xpu, 2, DType> in_grad,
                                    const Tensor<xpu, 2, DType> &out_grad,
                                    const Tensor<xpu, 2, DType> &in,
                                    MSHADOW_HYPER double eps = 1e-10) {
  using Wide = Promoted<DType>;
  Temporary<xpu, 1, Wide> inv_norm(Shape1(in.size(0)), in.stream_);
  Temporary<xpu, 1, Wide> inner(Shape1(in.size(0)), in.stream_);
  auto x = tcast<Wide>(in);
  auto dy = tcast<Wide>(out_grad);
  inv_norm = sumall_except_dim<0>(F<op::square>(x));
  inner = sumall_except_dim<0>(dy * x);
  inv_norm = Wide(1) / F<op::square_root>(inv_norm + static_cast<Wide>(eps));
  inner *= inv_norm * inv_norm;
  in_grad =
      tcast<DType>((dy - x * broadcast<0>(inner, in.shape_)) * broadcast<0>(inv_norm, in.shape_));
}
MSHADOW_INSTANTIATE(L2NormalizeGrad, float, double, half::half_t, bfloat::bf16_t);

}  // namespace normalize

#endif  // SPECS_NORMALIZE_RMS_NORM_H_
