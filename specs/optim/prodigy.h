// SPDX-License-Identifier: Apache-2.0
/// \file prodigy.h
/// Prodigy: Adam that estimates its learning rate, the distance d of the weights from their first
/// values to the solution. An update of a model is ProdigyMoments for each tensor, ProdigyDistance,
/// and ProdigyStep for each tensor; the five tensors of one element belong to the model and stay
/// where they are.
#ifndef SPECS_OPTIM_PRODIGY_H_
#define SPECS_OPTIM_PRODIGY_H_

#include "ops.h"

namespace optim {
using namespace mshadow;
using namespace mshadow::expr;

/// What ProdigyDistance learns from: the estimate, and 1 if there is no gradient.
struct prodigy_distance {
  template <typename T>
  MSHADOW_XINLINE static T Map(T d, T numerator, T denominator) {
    return denominator > T(0) ? mshadow::op::maximum::Map(d, numerator / denominator) : d;
  }
};

/// Prodigy, the states of a tensor: m = beta1 m + (1 - beta1) d g, v = beta2 v + (1 - beta2) (d
/// g)^2, s = beta3 s + lr d^2 / d0 g; it adds lr d^2 / d0 sum(g (p0 - w)) to the numerator, and
/// sum(|s|) to the denominator. Mishchenko and Defazio 2023, Algorithm 4; the order of the authors'
/// package prodigyopt.
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
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void ProdigyMoments(
    const Tensor<xpu, dim, DType> &weight,
    MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> exp_avg,
    MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> exp_avg_sq,
    MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> s,
    const Tensor<xpu, dim, Promoted<DType>> &p0, const Tensor<xpu, 1, Promoted<DType>> &d,
    Tensor<xpu, 1, Promoted<DType>> numerator, Tensor<xpu, 1, Promoted<DType>> denominator,
    MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad, MSHADOW_HYPER double lr = 1.0,
    MSHADOW_HYPER double beta1 = 0.9, MSHADOW_HYPER double beta2 = 0.999,
    MSHADOW_HYPER double beta3 = 0.9994998749374609, MSHADOW_HYPER double d0 = 1e-6) {
  const double scale = lr / d0;
  auto g = tcast<Promoted<DType>>(grad);
  auto distance = broadcast_scalar(d, weight.shape_);
  auto scaled = distance * g;
  auto part = scale * distance * scaled;
  exp_avg = beta1 * exp_avg + (1.0 - beta1) * scaled;
  exp_avg_sq = beta2 * exp_avg_sq + (1.0 - beta2) * F<op::square>(scaled);
  s = beta3 * s + part;
  numerator += reduce_all<red::sum>(part * (p0 - tcast<Promoted<DType>>(weight)));
  denominator += reduce_all<red::sum>(F<op::abs>(s));
}
MSHADOW_INSTANTIATE(ProdigyMoments, float, double, half::half_t, bfloat::bf16_t);

/// Prodigy, the estimate: last = d, d = max(d, coefficient numerator / denominator), where d stays
/// as it is without a denominator; then numerator = beta3 numerator and denominator = 0, for the
/// next step.
/// \param d estimate of the distance, one element
/// \param last estimate before, which this step still uses
/// \param numerator sum from ProdigyMoments
/// \param denominator sum from ProdigyMoments
/// \param beta3 decay rate of the sums
/// \param coefficient factor of the estimate
template <typename xpu, typename DType>
MSHADOW_KERNEL void ProdigyDistance(Tensor<xpu, 1, DType> d, Tensor<xpu, 1, DType> last,
                                    Tensor<xpu, 1, DType> numerator,
                                    Tensor<xpu, 1, DType> denominator,
                                    MSHADOW_HYPER double beta3 = 0.9994998749374609,
                                    MSHADOW_HYPER double coefficient = 1.0) {
  last = F<op::identity>(d);
  d = F<prodigy_distance>(d, coefficient * numerator, denominator);
  numerator = beta3 * numerator;
  denominator = 0.0;
}
MSHADOW_INSTANTIATE(ProdigyDistance, float, double);

/// Prodigy, the step: w = (1 - lr last decay) w - lr last m / (sqrt(v) + d eps).
/// \param weight parameters, updated in place
/// \param exp_avg running mean from ProdigyMoments
/// \param exp_avg_sq running mean of squares from ProdigyMoments
/// \param d estimate of the distance, one element
/// \param last estimate before, one element
/// \param lr factor of the estimated learning rate
/// \param eps added to the root, relative to d
/// \param decay decoupled weight decay, multiplied by the learning rate
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void ProdigyStep(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                                const Tensor<xpu, dim, Promoted<DType>> &exp_avg,
                                const Tensor<xpu, dim, Promoted<DType>> &exp_avg_sq,
                                const Tensor<xpu, 1, Promoted<DType>> &d,
                                const Tensor<xpu, 1, Promoted<DType>> &last,
                                MSHADOW_HYPER double lr = 1.0, MSHADOW_HYPER double eps = 1e-8,
                                MSHADOW_HYPER double decay = 0.0) {
  auto w = tcast<Promoted<DType>>(weight);
  auto rate = lr * broadcast_scalar(last, weight.shape_);
  auto root = F<op::square_root>(exp_avg_sq) + eps * broadcast_scalar(d, weight.shape_);
  weight = tcast<DType>(w - rate * (exp_avg / root + decay * w));
}
MSHADOW_INSTANTIATE(ProdigyStep, float, double, half::half_t, bfloat::bf16_t);

}  // namespace optim

#endif  // SPECS_OPTIM_PRODIGY_H_
