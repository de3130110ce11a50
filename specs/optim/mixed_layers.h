// SPDX-License-Identifier: Apache-2.0
/// \file mixed_layers.h
/// Optimizers that scale the update of each layer, with a copy of the weights, as in mixed.h. They
/// call the rule of one type, with a gradient that is converted before. The pass that writes the
/// weights writes the copy as well.
///
/// The types of an instance are those of the weights, the copy and, but for Muon's step, the
/// gradient. The states have the type of the weights.
#ifndef SPECS_OPTIM_MIXED_LAYERS_H_
#define SPECS_OPTIM_MIXED_LAYERS_H_

#include "lamb.h"
#include "lars.h"
#include "muon.h"

namespace optim {
using namespace mshadow;
using namespace mshadow::expr;

/// LAMB with a copy of the weights: w = w - lr (phi(|w|) / |r|) r with r = m^ / (sqrt(v^) + eps) +
/// decay w, copy = w, where phi(|w|) is |w| clamped to [lower, upper]; the ratio is 1 if one of the
/// norms is 0. You et al. 2020, Algorithm 2; the order of optim::Lamb.
/// \param weight parameters of one layer, updated in place
/// \param mean running mean of the gradient
/// \param variance running mean of the squared gradient
/// \param copy the new weights in another type
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param beta1 decay rate of the mean
/// \param beta2 decay rate of the variance
/// \param eps added to the corrected root, against division by zero
/// \param decay weight decay, part of the update
/// \param lower least value of phi
/// \param upper greatest value of phi
/// \param step number of this update, from 1
template <typename xpu, int dim, typename WType, typename CType, typename GType>
MSHADOW_KERNEL void MixedLamb(MSHADOW_PARAMETER Tensor<xpu, dim, WType> weight,
                              MSHADOW_STATE(0) Tensor<xpu, dim, WType> mean,
                              MSHADOW_STATE(0) Tensor<xpu, dim, WType> variance,
                              Tensor<xpu, dim, CType> copy,
                              MSHADOW_GRADIENT const Tensor<xpu, dim, GType> &grad,
                              MSHADOW_HYPER double lr = 0.001, MSHADOW_HYPER double beta1 = 0.9,
                              MSHADOW_HYPER double beta2 = 0.999, MSHADOW_HYPER double eps = 1e-6,
                              MSHADOW_HYPER double decay = 0.01, MSHADOW_HYPER double lower = 0.0,
                              MSHADOW_HYPER double upper = 10.0, MSHADOW_STEP int step = 1) {
  Temporary<xpu, dim, WType> g(grad.shape_, grad.stream_);
  g = tcast<WType>(grad);
  Lamb(weight, mean, variance, g, lr, beta1, beta2, eps, decay, lower, upper, step);
  copy = tcast<CType>(weight);
}
MSHADOW_INSTANTIATE(MixedLamb, Types<float, bfloat::bf16_t, bfloat::bf16_t>,
                    Types<float, half::half_t, half::half_t>);

/// LARS with a copy of the weights: m = momentum m + rate (g + decay w), w = w - m, copy = w, with
/// rate = lr eta |w| / (|g| + decay |w| + eps), or lr if one of the norms is 0. You, Gitman and
/// Ginsburg 2017, Algorithm 1; the order of optim::Lars.
/// \param weight parameters of one layer, updated in place
/// \param momentum_buffer running sum of the steps
/// \param copy the new weights in another type
/// \param grad gradient of the loss with respect to the parameters
/// \param lr global learning rate
/// \param momentum decay rate of the buffer
/// \param eta trust coefficient
/// \param eps added to the norm of the update, against division by zero
/// \param decay weight decay
template <typename xpu, int dim, typename WType, typename CType, typename GType>
MSHADOW_KERNEL void MixedLars(MSHADOW_PARAMETER Tensor<xpu, dim, WType> weight,
                              MSHADOW_STATE(0) Tensor<xpu, dim, WType> momentum_buffer,
                              Tensor<xpu, dim, CType> copy,
                              MSHADOW_GRADIENT const Tensor<xpu, dim, GType> &grad,
                              MSHADOW_HYPER double lr = 0.1, MSHADOW_HYPER double momentum = 0.9,
                              MSHADOW_HYPER double eta = 0.001, MSHADOW_HYPER double eps = 1e-9,
                              MSHADOW_HYPER double decay = 1e-4) {
  Temporary<xpu, dim, WType> g(grad.shape_, grad.stream_);
  g = tcast<WType>(grad);
  Lars(weight, momentum_buffer, g, lr, momentum, eta, eps, decay);
  copy = tcast<CType>(weight);
}
MSHADOW_INSTANTIATE(MixedLars, Types<float, bfloat::bf16_t, bfloat::bf16_t>,
                    Types<float, half::half_t, half::half_t>);

/// Muon's step with a copy of the weights: w = (1 - lr decay) w - lr scale direction, copy = w,
/// with the scale of optim::MuonStep. The gradient may be narrow in MuonMomentum, which computes
/// the direction. Jordan 2024; the order of torch.optim.Muon.
/// \param weight parameters, updated in place
/// \param copy the new weights in another type
/// \param direction result of the Newton-Schulz steps
/// \param lr learning rate
/// \param decay decoupled weight decay, multiplied by the learning rate
/// \param match_rms whether the scale is that by which updates are as long as AdamW's
template <typename xpu, typename WType, typename CType>
MSHADOW_KERNEL void MixedMuonStep(MSHADOW_PARAMETER Tensor<xpu, 2, WType> weight,
                                  Tensor<xpu, 2, CType> copy,
                                  const Tensor<xpu, 2, WType> &direction,
                                  MSHADOW_HYPER double lr = 0.001, MSHADOW_HYPER double decay = 0.1,
                                  MSHADOW_HYPER bool match_rms = false) {
  MuonStep(weight, direction, lr, decay, match_rms);
  copy = tcast<CType>(weight);
}
MSHADOW_INSTANTIATE(MixedMuonStep, Types<float, bfloat::bf16_t>, Types<float, half::half_t>);

}  // namespace optim

#endif  // SPECS_OPTIM_MIXED_LAYERS_H_
