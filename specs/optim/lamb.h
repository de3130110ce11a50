// SPDX-License-Identifier: Apache-2.0
/// \file lamb.h
/// LAMB: Adam's direction, as long as the layer's weights. Two passes over memory: the first
/// updates the moments and measures weights and update, the second steps.
#ifndef SPECS_OPTIM_LAMB_H_
#define SPECS_OPTIM_LAMB_H_

#include "ops.h"

namespace optim {
using namespace mshadow;
using namespace mshadow::expr;

/// LAMB: w = w - lr (phi(|w|) / |r|) r with r = m^ / (sqrt(v^) + eps) + decay w, m^ and v^
/// corrected for their start at 0, phi(|w|) = |w| clamped to [lower, upper]; the ratio is 1 if one
/// of the norms is 0. You et al. 2020, Algorithm 2; the order of apex without its clipping by the
/// global norm (optim::ClipByNorm).
/// \param weight parameters of one layer, updated in place
/// \param mean running mean of the gradient
/// \param variance running mean of the squared gradient
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param beta1 decay rate of the mean
/// \param beta2 decay rate of the variance
/// \param eps added to the corrected root, against division by zero
/// \param decay weight decay, part of the update
/// \param lower least value of phi
/// \param upper greatest value of phi
/// \param step number of this update, from 1
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Lamb(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                         MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> mean,
                         MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> variance,
                         MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                         MSHADOW_HYPER double lr = 0.001, MSHADOW_HYPER double beta1 = 0.9,
                         MSHADOW_HYPER double beta2 = 0.999, MSHADOW_HYPER double eps = 1e-6,
                         MSHADOW_HYPER double decay = 0.01, MSHADOW_HYPER double lower = 0.0,
                         MSHADOW_HYPER double upper = 10.0, MSHADOW_STEP int step = 1) {
  MSHADOW_CHECK_STEP(step);
  Temporary<xpu, 1, Promoted<DType>> weight_norm(Shape1(1), weight.stream_);
  Temporary<xpu, 1, Promoted<DType>> update_norm(Shape1(1), weight.stream_);
  Temporary<xpu, 1, Promoted<DType>> ratio(Shape1(1), weight.stream_);
  const double inv_bias1 = 1.0 / bias_correction(beta1, step);
  const double inv_bias2 = 1.0 / math::sqrt(bias_correction(beta2, step));
  auto w = tcast<Promoted<DType>>(weight);
  auto g = tcast<Promoted<DType>>(grad);
  mean = beta1 * mean + (1.0 - beta1) * g;
  variance = beta2 * variance + (1.0 - beta2) * F<op::square>(g);
  auto update = mean * inv_bias1 / (F<op::square_root>(variance) * inv_bias2 + eps) + decay * w;
  weight_norm = reduce_all<red::sum>(F<op::square>(w));
  update_norm = reduce_all<red::sum>(F<op::square>(update));
  weight_norm = F<op::minimum>(F<op::maximum>(F<op::square_root>(weight_norm), lower), upper);
  ratio = lr * F<norm_ratio>(weight_norm, F<op::square_root>(update_norm));
  weight = tcast<DType>(w - broadcast_scalar(ratio, weight.shape_) * update);
}
MSHADOW_INSTANTIATE(Lamb, float, double, half::half_t, bfloat::bf16_t);

/// LANS: m and v are Adam's moments of n = g / |g|, u = 1 / (sqrt(v^) + eps), r = m^ u + decay w,
/// s = n u + decay w, w = w - lr |w| (beta1 r / |r| + (1 - beta1) s / |s|), with |w| clamped to
/// [lower, upper]; a ratio of norms is 1 if one of them is 0. Zheng et al. 2020, Algorithm 2; the
/// order of mxnet.optimizer.LANS.
/// \param weight parameters of one layer, updated in place
/// \param mean running mean of the normalised gradient
/// \param variance running mean of its square
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param beta1 decay rate of the mean, and share of the mean in the update
/// \param beta2 decay rate of the variance
/// \param eps added to the corrected root, against division by zero
/// \param decay weight decay, part of the update
/// \param lower least norm of the weights that counts
/// \param upper greatest norm of the weights that counts
/// \param step number of this update, from 1
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Lans(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                         MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> mean,
                         MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> variance,
                         MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                         MSHADOW_HYPER double lr = 0.001, MSHADOW_HYPER double beta1 = 0.9,
                         MSHADOW_HYPER double beta2 = 0.999, MSHADOW_HYPER double eps = 1e-6,
                         MSHADOW_HYPER double decay = 0.01, MSHADOW_HYPER double lower = 0.0,
                         MSHADOW_HYPER double upper = 10.0, MSHADOW_STEP int step = 1) {
  MSHADOW_CHECK_STEP(step);
  Temporary<xpu, 1, Promoted<DType>> inv_length(Shape1(1), weight.stream_);
  Temporary<xpu, 1, Promoted<DType>> weight_norm(Shape1(1), weight.stream_);
  Temporary<xpu, 1, Promoted<DType>> mean_norm(Shape1(1), weight.stream_);
  Temporary<xpu, 1, Promoted<DType>> grad_norm(Shape1(1), weight.stream_);
  const double inv_bias1 = 1.0 / bias_correction(beta1, step);
  const double inv_bias2 = 1.0 / math::sqrt(bias_correction(beta2, step));
  auto w = tcast<Promoted<DType>>(weight);
  inv_length = reduce_all<red::sum>(F<op::square>(tcast<Promoted<DType>>(grad)));
  inv_length = F<norm_ratio>(1.0, F<op::square_root>(inv_length));
  auto g = tcast<Promoted<DType>>(grad) * broadcast_scalar(inv_length, weight.shape_);
  mean = beta1 * mean + (1.0 - beta1) * g;
  variance = beta2 * variance + (1.0 - beta2) * F<op::square>(g);
  auto unit = 1.0 / (F<op::square_root>(variance) * inv_bias2 + eps);
  auto of_mean = mean * inv_bias1 * unit + decay * w;
  auto of_grad = g * unit + decay * w;
  weight_norm = reduce_all<red::sum>(F<op::square>(w));
  mean_norm = reduce_all<red::sum>(F<op::square>(of_mean));
  grad_norm = reduce_all<red::sum>(F<op::square>(of_grad));
  weight_norm = F<op::minimum>(F<op::maximum>(F<op::square_root>(weight_norm), lower), upper);
  mean_norm = lr * beta1 * F<norm_ratio>(weight_norm, F<op::square_root>(mean_norm));
  grad_norm = lr * (1.0 - beta1) * F<norm_ratio>(weight_norm, F<op::square_root>(grad_norm));
  weight = tcast<DType>(w - (broadcast_scalar(mean_norm, weight.shape_) * of_mean +
                             broadcast_scalar(grad_norm, weight.shape_) * of_grad));
}
MSHADOW_INSTANTIATE(Lans, float, double, half::half_t, bfloat::bf16_t);

}  // namespace optim

#endif  // SPECS_OPTIM_LAMB_H_
