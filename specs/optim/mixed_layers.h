// SPDX-License-Identifier: Apache-2.0
/// \file mixed_layers.h
/// Optimizers that scale the update of each layer or of the model, with a copy of the weights, as
/// in mixed.h. All but Adafactor call the rule of one type, with a gradient that is converted
/// before. The pass that writes the weights writes the copy as well.
///
/// The types of an instance are those of the weights, the copy and the gradient, as far as the rule
/// has them. The states have the type of the weights.
#ifndef SPECS_OPTIM_MIXED_LAYERS_H_
#define SPECS_OPTIM_MIXED_LAYERS_H_

#include "adafactor.h"
#include "lamb.h"
#include "lars.h"
#include "muon.h"
#include "novograd.h"
#include "prodigy.h"

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

/// LANS with a copy of the weights: u = 1 / (sqrt(v^) + eps), r = m^ u + decay w,
/// s = n u + decay w, w = w - lr |w| (beta1 r / |r| + (1 - beta1) s / |s|), copy = w. m and v are
/// Adam's moments of n = g / |g|, and |w| is clamped to [lower, upper]; a ratio of norms is 1 if
/// one of them is 0. Zheng et al. 2020, Algorithm 2; the order of optim::Lans.
/// \param weight parameters of one layer, updated in place
/// \param mean running mean of the normalised gradient
/// \param variance running mean of its square
/// \param copy the new weights in another type
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param beta1 decay rate of the mean, and share of the mean in the update
/// \param beta2 decay rate of the variance
/// \param eps added to the corrected root, against division by zero
/// \param decay weight decay, part of the update
/// \param lower least norm of the weights that counts
/// \param upper greatest norm of the weights that counts
/// \param step number of this update, from 1
template <typename xpu, int dim, typename WType, typename CType, typename GType>
MSHADOW_KERNEL void MixedLans(MSHADOW_PARAMETER Tensor<xpu, dim, WType> weight,
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
  Lans(weight, mean, variance, g, lr, beta1, beta2, eps, decay, lower, upper, step);
  copy = tcast<CType>(weight);
}
MSHADOW_INSTANTIATE(MixedLans, Types<float, bfloat::bf16_t, bfloat::bf16_t>,
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

/// NovoGrad with a copy of the weights: v = beta2 v + (1 - beta2) |g|^2 (at first |g|^2),
/// m = beta1 m + g / (sqrt(v) + eps) + decay w, w = w - lr m, copy = w. Ginsburg et al. 2019,
/// Algorithm 1.
/// \param weight parameters of one layer, updated in place
/// \param mean running sum of the normalised gradient
/// \param variance running mean of the gradient's squared length, one element
/// \param copy the new weights in another type
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param beta1 decay rate of the mean
/// \param beta2 decay rate of the variance
/// \param eps added to the root, against division by zero
/// \param decay decoupled weight decay
/// \param step number of this update, from 1
template <typename xpu, int dim, typename WType, typename CType, typename GType>
MSHADOW_KERNEL void MixedNovoGrad(MSHADOW_PARAMETER Tensor<xpu, dim, WType> weight,
                                  MSHADOW_STATE(0) Tensor<xpu, dim, WType> mean,
                                  MSHADOW_STATE(0) Tensor<xpu, 1, WType> variance,
                                  Tensor<xpu, dim, CType> copy,
                                  MSHADOW_GRADIENT const Tensor<xpu, dim, GType> &grad,
                                  MSHADOW_HYPER double lr = 0.01, MSHADOW_HYPER double beta1 = 0.95,
                                  MSHADOW_HYPER double beta2 = 0.98,
                                  MSHADOW_HYPER double eps = 1e-8,
                                  MSHADOW_HYPER double decay = 0.001, MSHADOW_STEP int step = 1) {
  Temporary<xpu, dim, WType> g(grad.shape_, grad.stream_);
  g = tcast<WType>(grad);
  NovoGrad(weight, mean, variance, g, lr, beta1, beta2, eps, decay, step);
  copy = tcast<CType>(weight);
}
MSHADOW_INSTANTIATE(MixedNovoGrad, Types<float, bfloat::bf16_t, bfloat::bf16_t>,
                    Types<float, half::half_t, half::half_t>);

/// Adafactor's step with a copy of the weights: u = g / sqrt(r c / mean(r)),
/// w = w - rate u / max(1, rms(u) / threshold), copy = w, with rate = lr max(eps, rms(w)). The
/// gradient may be narrow in AdafactorRows and AdafactorColumns, which compute r and c. Shazeer and
/// Stern 2018, Algorithm 4; the order of optim::Adafactor.
/// \param weight parameters, updated in place
/// \param copy the new weights in another type
/// \param row_mean running mean of the squared gradient of each row, after AdafactorRows
/// \param column_mean that of each column, after AdafactorColumns
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate, relative to the size of the parameters
/// \param eps least size of the parameters that counts
/// \param threshold greatest root mean square of an update
template <typename xpu, typename WType, typename CType, typename GType>
MSHADOW_KERNEL void MixedAdafactor(MSHADOW_PARAMETER Tensor<xpu, 2, WType> weight,
                                   Tensor<xpu, 2, CType> copy,
                                   const Tensor<xpu, 1, WType> &row_mean,
                                   const Tensor<xpu, 1, WType> &column_mean,
                                   MSHADOW_GRADIENT const Tensor<xpu, 2, GType> &grad,
                                   MSHADOW_HYPER double lr = 0.01, MSHADOW_HYPER double eps = 1e-3,
                                   MSHADOW_HYPER double threshold = 1.0) {
  Temporary<xpu, 1, WType> row_root(Shape1(weight.size(0)), weight.stream_);
  Temporary<xpu, 1, WType> column_root(Shape1(weight.size(1)), weight.stream_);
  Temporary<xpu, 1, WType> mean_row(Shape1(1), weight.stream_);
  Temporary<xpu, 1, WType> mean_update(Shape1(1), weight.stream_);
  Temporary<xpu, 1, WType> size(Shape1(1), weight.stream_);
  const double inv_count = 1.0 / static_cast<double>(weight.shape_.Size());
  row_root = F<op::square_root>(row_mean);
  MSHADOW_STAGE();  // A call of Adafactor would store a converted gradient across this.
  column_root = F<op::square_root>(column_mean);
  MSHADOW_STAGE();
  auto root = broadcast<0>(row_root, weight.shape_) * broadcast<1>(column_root, weight.shape_);
  auto update = tcast<WType>(grad) / root;
  mean_row = inv_count * reduce_all<red::sum>(broadcast<0>(row_mean, weight.shape_));
  mean_update = inv_count * reduce_all<red::sum>(F<op::square>(update));
  size = inv_count * reduce_all<red::sum>(F<op::square>(weight));
  size = lr * F<op::maximum>(F<op::square_root>(size), eps);
  size *= F<adafactor_rate>(mean_row, mean_update, threshold);
  weight -= broadcast_scalar(size, weight.shape_) * update;
  copy = tcast<CType>(weight);
}
MSHADOW_INSTANTIATE(MixedAdafactor, Types<float, bfloat::bf16_t, bfloat::bf16_t>,
                    Types<float, half::half_t, half::half_t>);

/// The step of PyTorch's Adafactor for matrices, with a copy of the weights:
/// u = g / sqrt(max(r c / max(mean(r), eps1), eps1^2)),
/// w = (1 - lr decay) w - rate u / max(1, rms(u) / threshold), copy = w, with
/// rate = min(lr, 1 / sqrt(t)) max(eps2, rms(w)), and r and c as in optim::TorchAdafactor. Shazeer
/// and Stern 2018, Algorithm 4; the order of torch.optim.Adafactor.
/// \param weight parameters, updated in place
/// \param copy the new weights in another type
/// \param row_var running mean of the squared gradient of each row, after AdafactorRows
/// \param col_var that of each column, after AdafactorColumns
/// \param grad gradient of the loss with respect to the parameters
/// \param lr greatest learning rate, relative to the size of the parameters
/// \param eps1 least mean of the squared gradient
/// \param eps2 least size of the parameters that counts
/// \param threshold greatest root mean square of an update
/// \param decay decoupled weight decay, multiplied by the learning rate
/// \param step number of this update, from 1
template <typename xpu, typename WType, typename CType, typename GType>
MSHADOW_KERNEL void MixedTorchAdafactor(
    MSHADOW_PARAMETER Tensor<xpu, 2, WType> weight, Tensor<xpu, 2, CType> copy,
    const Tensor<xpu, 1, WType> &row_var, const Tensor<xpu, 1, WType> &col_var,
    MSHADOW_GRADIENT const Tensor<xpu, 2, GType> &grad, MSHADOW_HYPER double lr = 0.01,
    MSHADOW_HYPER double eps1 = 1.1920929e-7, MSHADOW_HYPER double eps2 = 1e-3,
    MSHADOW_HYPER double threshold = 1.0, MSHADOW_HYPER double decay = 0.0,
    MSHADOW_STEP int step = 1) {
  Temporary<xpu, 2, WType> g(grad.shape_, grad.stream_);
  g = tcast<WType>(grad);
  TorchAdafactor(weight, row_var, col_var, g, lr, eps1, eps2, threshold, decay, step);
  copy = tcast<CType>(weight);
}
MSHADOW_INSTANTIATE(MixedTorchAdafactor, Types<float, bfloat::bf16_t, bfloat::bf16_t>,
                    Types<float, half::half_t, half::half_t>);

/// PyTorch's Adafactor for tensors that are not matrices, with a copy of the weights:
/// v = beta2 v + (1 - beta2) g^2 with beta2 = 1 - t^beta2_decay, u = g / max(sqrt(v), eps1), and
/// the step of MixedTorchAdafactor. The order of torch.optim.Adafactor for vectors.
/// \param weight parameters, updated in place
/// \param variance running mean of the squared gradient
/// \param copy the new weights in another type
/// \param grad gradient of the loss with respect to the parameters
/// \param lr greatest learning rate, relative to the size of the parameters
/// \param beta2_decay power of t in beta2
/// \param eps1 least root of the variance
/// \param eps2 least size of the parameters that counts
/// \param threshold greatest root mean square of an update
/// \param decay decoupled weight decay, multiplied by the learning rate
/// \param step number of this update, from 1
template <typename xpu, int dim, typename WType, typename CType, typename GType>
MSHADOW_KERNEL void MixedTorchAdafactorVector(
    MSHADOW_PARAMETER Tensor<xpu, dim, WType> weight,
    MSHADOW_STATE(0) Tensor<xpu, dim, WType> variance, Tensor<xpu, dim, CType> copy,
    MSHADOW_GRADIENT const Tensor<xpu, dim, GType> &grad, MSHADOW_HYPER double lr = 0.01,
    MSHADOW_HYPER double beta2_decay = -0.8, MSHADOW_HYPER double eps1 = 1.1920929e-7,
    MSHADOW_HYPER double eps2 = 1e-3, MSHADOW_HYPER double threshold = 1.0,
    MSHADOW_HYPER double decay = 0.0, MSHADOW_STEP int step = 1) {
  Temporary<xpu, dim, WType> g(grad.shape_, grad.stream_);
  g = tcast<WType>(grad);
  TorchAdafactorVector(weight, variance, g, lr, beta2_decay, eps1, eps2, threshold, decay, step);
  copy = tcast<CType>(weight);
}
MSHADOW_INSTANTIATE(MixedTorchAdafactorVector, Types<float, bfloat::bf16_t, bfloat::bf16_t>,
                    Types<float, half::half_t, half::half_t>);

/// Prodigy with a narrow gradient, the states of a tensor: m = beta1 m + (1 - beta1) d g,
/// v = beta2 v + (1 - beta2) (d g)^2, s = beta3 s + lr d^2 / d0 g; it adds lr d^2 / d0 sum(g (p0 -
/// w)) to the numerator, and sum(|s|) to the denominator. Mishchenko and Defazio 2023, Algorithm 4;
/// the order of optim::ProdigyMoments.
/// \param weight parameters
/// \param exp_avg running mean of d times the gradient
/// \param exp_avg_sq running mean of its square
/// \param s running sum of gradients
/// \param p0 parameters before the first step
/// \param d estimate of the distance, one element
/// \param numerator sum for ProdigyDistance, one element
/// \param denominator sum for ProdigyDistance, one element
/// \param grad gradient of the loss with respect to the parameters
/// \param lr factor of the estimated learning rate
/// \param beta1 decay rate of the mean
/// \param beta2 decay rate of the variance
/// \param beta3 decay rate of the sums; the root of beta2 in the paper
/// \param d0 first value of d
template <typename xpu, int dim, typename WType, typename GType>
MSHADOW_KERNEL void MixedProdigyMoments(
    const Tensor<xpu, dim, WType> &weight, MSHADOW_STATE(0) Tensor<xpu, dim, WType> exp_avg,
    MSHADOW_STATE(0) Tensor<xpu, dim, WType> exp_avg_sq, MSHADOW_STATE(0) Tensor<xpu, dim, WType> s,
    const Tensor<xpu, dim, WType> &p0, const Tensor<xpu, 1, WType> &d,
    Tensor<xpu, 1, WType> numerator, Tensor<xpu, 1, WType> denominator,
    MSHADOW_GRADIENT const Tensor<xpu, dim, GType> &grad, MSHADOW_HYPER double lr = 1.0,
    MSHADOW_HYPER double beta1 = 0.9, MSHADOW_HYPER double beta2 = 0.999,
    MSHADOW_HYPER double beta3 = 0.9994998749374609, MSHADOW_HYPER double d0 = 1e-6) {
  Temporary<xpu, dim, WType> g(grad.shape_, grad.stream_);
  g = tcast<WType>(grad);
  ProdigyMoments(weight, exp_avg, exp_avg_sq, s, p0, d, numerator, denominator, g, lr, beta1, beta2,
                 beta3, d0);
}
MSHADOW_INSTANTIATE(MixedProdigyMoments, Types<float, bfloat::bf16_t>, Types<float, half::half_t>);

/// Prodigy's step with a copy of the weights: w = (1 - lr last decay) w - lr last m / (sqrt(v) + d
/// eps), copy = w. Call it after MixedProdigyMoments and ProdigyDistance. Mishchenko and Defazio
/// 2023, Algorithm 4; the order of optim::ProdigyStep.
/// \param weight parameters, updated in place
/// \param copy the new weights in another type
/// \param exp_avg running mean from MixedProdigyMoments
/// \param exp_avg_sq running mean of squares from MixedProdigyMoments
/// \param d estimate of the distance, one element
/// \param last estimate before, one element
/// \param lr factor of the estimated learning rate
/// \param eps added to the root, relative to d
/// \param decay decoupled weight decay, multiplied by the learning rate
template <typename xpu, int dim, typename WType, typename CType>
MSHADOW_KERNEL void MixedProdigyStep(MSHADOW_PARAMETER Tensor<xpu, dim, WType> weight,
                                     Tensor<xpu, dim, CType> copy,
                                     const Tensor<xpu, dim, WType> &exp_avg,
                                     const Tensor<xpu, dim, WType> &exp_avg_sq,
                                     const Tensor<xpu, 1, WType> &d,
                                     const Tensor<xpu, 1, WType> &last,
                                     MSHADOW_HYPER double lr = 1.0, MSHADOW_HYPER double eps = 1e-8,
                                     MSHADOW_HYPER double decay = 0.0) {
  ProdigyStep(weight, exp_avg, exp_avg_sq, d, last, lr, eps, decay);
  copy = tcast<CType>(weight);
}
MSHADOW_INSTANTIATE(MixedProdigyStep, Types<float, bfloat::bf16_t>, Types<float, half::half_t>);

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
