// SPDX-License-Identifier: Apache-2.0
/// \file pipeline.h
/// A training step with mixed precision, in two passes over memory: gradients are unscaled, checked
/// for Inf and NaN, and clipped by their global norm and by value; an optimizer updates the
/// weights, of which there is a copy in fewer bits and a running average. The rules run in this
/// order:
///
/// 1. GradientSquares for each tensor: the first pass
/// 2. GradientFactor once, on a few elements: the factor of all gradients
/// 3. AdamBias once, on one element, for Adam and AdamW
/// 4. PipelineSGDMomentum, PipelineAdam, PipelineAdamW or PipelineLion for each tensor: the second
///    pass
///
/// All results stay in memory. The host never waits for one, not even to skip a step.
#ifndef SPECS_OPTIM_PIPELINE_H_
#define SPECS_OPTIM_PIPELINE_H_

#include "ops.h"

namespace optim {
using namespace mshadow;
using namespace mshadow::expr;

/// 1, and 0 for Inf and NaN.
struct is_finite {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a) {
    return a - a == T(0) ? T(1) : T(0);
  }
};

/// `fresh`, and `old` where `taken` is 0.
struct fresh_if {
  template <typename T>
  MSHADOW_XINLINE static T Map(T taken, T old, T fresh) {
    return taken != T(0) ? fresh : old;
  }
};

/// 1 if a is at least b, else 0.
struct at_least {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a, T b) {
    return a >= b ? T(1) : T(0);
  }
};

/// 1 - beta^step.
struct bias_after {
  template <typename T>
  MSHADOW_XINLINE static T Map(T step, T beta) {
    return T(1) - mshadow::math::pow(beta, step);
  }
};

/// The squared length of a gradient, unscaled: squares = sum((g / scale)^2), in float. It is Inf or
/// NaN if an element is, and if it is too large for float.
/// \param squares one element
/// \param grad gradient of `scale` times the loss
/// \param scale factor of the loss, one element: a state of GradientFactor
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void GradientSquares(Tensor<xpu, 1, float> squares,
                                    MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                                    const Tensor<xpu, 1, float> &scale) {
  squares = reduce_all<red::sum>(
      F<op::square>(tcast<float>(grad) / broadcast_scalar(scale, grad.shape_)));
}
MSHADOW_INSTANTIATE(GradientSquares, float, half::half_t, bfloat::bf16_t);

/// The factor of all gradients: factor = min(1, limit / (norm + 1e-6)) / scale, norm =
/// sqrt(sum(squares)), and the next scale. A step with a norm that is not finite is not taken: it
/// does not count, and halves the scale; `interval` steps that are taken double the scale. The
/// clip is that of Pascanu, Mikolov and Bengio 2013, with the constant of
/// torch.nn.utils.clip_grad_norm_; the scale that of Micikevicius et al. 2018, section 3.2, with
/// the constants of torch.amp.GradScaler.
/// \param factor result: what a gradient is multiplied by, one element
/// \param taken result: whether the step is taken, 1 or 0, one element
/// \param norm result: length of all gradients together, unscaled, one element
/// \param scale factor of the loss in the next step, one element
/// \param streak number of steps taken since the scale changed, one element
/// \param step number of steps taken, one element
/// \param squares an element for each tensor, from GradientSquares
/// \param limit greatest length; infinite: none
/// \param growth factor of the scale after `interval` steps
/// \param backoff factor of the scale after a step that is not taken
/// \param interval number of steps after which the scale grows
template <typename xpu>
MSHADOW_KERNEL void GradientFactor(
    Tensor<xpu, 1, float> factor, Tensor<xpu, 1, float> taken, Tensor<xpu, 1, float> norm,
    MSHADOW_STATE(65536) Tensor<xpu, 1, float> scale, MSHADOW_STATE(0) Tensor<xpu, 1, float> streak,
    MSHADOW_STEP Tensor<xpu, 1, float> step, const Tensor<xpu, 1, float> &squares,
    MSHADOW_HYPER float limit = 1.0f, MSHADOW_HYPER float growth = 2.0f,
    MSHADOW_HYPER float backoff = 0.5f, MSHADOW_HYPER float interval = 2000.0f) {
  norm = reduce_all<red::sum>(squares);
  taken = F<is_finite>(norm);
  norm = F<op::square_root>(norm);
  factor = F<op::minimum>(limit / (norm + 1e-6f), 1.0f) / scale;
  step = step + taken;
  streak = taken * (streak + 1.0f);
  auto grows = F<at_least>(streak, interval);
  scale = scale * F<fresh_if>(taken, backoff, F<fresh_if>(grows, 1.0f, growth));
  streak = streak * (1.0f - grows);
}
MSHADOW_INSTANTIATE(GradientFactor, Types<>);

/// Adam's bias corrections from a step in memory, in double: inv_bias1 = 1 / (1 - beta1^step),
/// inv_bias2 = 1 / sqrt(1 - beta2^step).
/// \param inv_bias1 result, one element
/// \param inv_bias2 result, one element
/// \param step number of this update, from 1: the state of GradientFactor, one element
/// \param beta1 decay rate of the mean
/// \param beta2 decay rate of the variance
template <typename xpu>
MSHADOW_KERNEL void AdamBias(Tensor<xpu, 1, float> inv_bias1, Tensor<xpu, 1, float> inv_bias2,
                             const Tensor<xpu, 1, float> &step, MSHADOW_HYPER float beta1 = 0.9f,
                             MSHADOW_HYPER float beta2 = 0.999f) {
  const double b1 = beta1, b2 = beta2;
  auto t = tcast<double>(step);
  inv_bias1 = tcast<float>(1.0 / F<bias_after>(t, b1));
  inv_bias2 = tcast<float>(1.0 / F<op::square_root>(F<bias_after>(t, b2)));
}
MSHADOW_INSTANTIATE(AdamBias, Types<>);

/// \name What the second passes share
/// \{

/// The gradient as an update uses it: unscaled, clipped by the norm and by value.
template <typename Grad, typename One>
auto Clipped(const Grad &grad, const One &factor, float clip) {
  return F<op::clip>(tcast<float>(grad) * broadcast_scalar(factor, grad.shape_), clip);
}

/// `fresh` if the step is taken, else `old`.
template <typename Old, typename One, typename Fresh>
auto IfTaken(const One &taken, const Old &old, const Fresh &fresh) {
  return F<fresh_if>(broadcast_scalar(taken, old.shape_), old, fresh);
}

/// The mean after one more value.
template <typename Mean, typename Value>
auto RunningMean(float beta, const Mean &mean, const Value &value) {
  return beta * mean + (1.0f - beta) * value;
}

/// lr m^ / (sqrt(v^) + eps), by which Adam and AdamW move a weight.
template <typename Mean, typename One>
auto AdamStep(float lr, float eps, const Mean &mean, const Mean &variance, const One &inv_bias1,
              const One &inv_bias2) {
  auto root = F<op::square_root>(variance) * broadcast_scalar(inv_bias2, variance.shape_) + eps;
  return lr * broadcast_scalar(inv_bias1, mean.shape_) * mean / root;
}
/// \}

/// SGD with momentum for g = clip(factor grad) + decay w: b = momentum b + g, w = w - lr b,
/// copy = w, average = ema average + (1 - ema) w. If the step is not taken, all stay as they are.
/// The order of torch.optim.SGD without dampening.
/// \param weight parameters, updated in place
/// \param momentum_buffer running sum of gradients
/// \param average running mean of the weights; begins as the weights
/// \param copy the weights in another type
/// \param grad gradient of the loss, times a scale
/// \param factor factor of the gradient, from GradientFactor, one element
/// \param taken whether the step is taken, from GradientFactor, one element
/// \param lr learning rate
/// \param momentum decay rate of the buffer
/// \param decay L2 penalty, added to the clipped gradient
/// \param clip greatest magnitude of an element of the gradient; infinite: no limit
/// \param ema decay rate of the average
template <typename xpu, int dim, typename GType, typename CType>
MSHADOW_KERNEL void PipelineSGDMomentum(
    MSHADOW_PARAMETER Tensor<xpu, dim, float> weight,
    MSHADOW_STATE(0) Tensor<xpu, dim, float> momentum_buffer, Tensor<xpu, dim, float> average,
    Tensor<xpu, dim, CType> copy, MSHADOW_GRADIENT const Tensor<xpu, dim, GType> &grad,
    const Tensor<xpu, 1, float> &factor, const Tensor<xpu, 1, float> &taken,
    MSHADOW_HYPER float lr = 0.1f, MSHADOW_HYPER float momentum = 0.9f,
    MSHADOW_HYPER float decay = 0.0f, MSHADOW_HYPER float clip = 1e30f,
    MSHADOW_HYPER float ema = 0.999f) {
  auto g = Clipped(grad, factor, clip) + decay * weight;
  momentum_buffer = IfTaken(taken, momentum_buffer, momentum * momentum_buffer + g);
  weight = IfTaken(taken, weight, weight - lr * momentum_buffer);
  copy = tcast<CType>(weight);
  average = IfTaken(taken, average, RunningMean(ema, average, weight));
}
MSHADOW_INSTANTIATE(PipelineSGDMomentum, Types<float, bfloat::bf16_t>, Types<float, float>,
                    Types<half::half_t, half::half_t>, Types<bfloat::bf16_t, bfloat::bf16_t>);

/// Adam for g = clip(factor grad) + decay w: m = beta1 m + (1 - beta1) g,
/// v = beta2 v + (1 - beta2) g^2, w = w - lr m^ / (sqrt(v^) + eps), copy = w,
/// average = ema average + (1 - ema) w. If the step is not taken, all stay as they are. The order
/// of optim::Adam.
/// \param weight parameters, updated in place
/// \param mean running mean of the gradient
/// \param variance running variance of the gradient
/// \param average running mean of the weights; begins as the weights
/// \param copy the weights in another type
/// \param grad gradient of the loss, times a scale
/// \param factor factor of the gradient, from GradientFactor, one element
/// \param taken whether the step is taken, from GradientFactor, one element
/// \param inv_bias1 from AdamBias, one element
/// \param inv_bias2 from AdamBias, one element
/// \param lr learning rate
/// \param beta1 decay rate of the mean
/// \param beta2 decay rate of the variance
/// \param eps added to the corrected root, against division by zero
/// \param decay L2 penalty, added to the clipped gradient
/// \param clip greatest magnitude of an element of the gradient; infinite: no limit
/// \param ema decay rate of the average
template <typename xpu, int dim, typename GType, typename CType>
MSHADOW_KERNEL void PipelineAdam(
    MSHADOW_PARAMETER Tensor<xpu, dim, float> weight, MSHADOW_STATE(0) Tensor<xpu, dim, float> mean,
    MSHADOW_STATE(0) Tensor<xpu, dim, float> variance, Tensor<xpu, dim, float> average,
    Tensor<xpu, dim, CType> copy, MSHADOW_GRADIENT const Tensor<xpu, dim, GType> &grad,
    const Tensor<xpu, 1, float> &factor, const Tensor<xpu, 1, float> &taken,
    const Tensor<xpu, 1, float> &inv_bias1, const Tensor<xpu, 1, float> &inv_bias2,
    MSHADOW_HYPER float lr = 0.001f, MSHADOW_HYPER float beta1 = 0.9f,
    MSHADOW_HYPER float beta2 = 0.999f, MSHADOW_HYPER float eps = 1e-8f,
    MSHADOW_HYPER float decay = 0.0f, MSHADOW_HYPER float clip = 1e30f,
    MSHADOW_HYPER float ema = 0.999f) {
  auto g = Clipped(grad, factor, clip) + decay * weight;
  mean = IfTaken(taken, mean, RunningMean(beta1, mean, g));
  variance = IfTaken(taken, variance, RunningMean(beta2, variance, F<op::square>(g)));
  auto step = AdamStep(lr, eps, mean, variance, inv_bias1, inv_bias2);
  weight = IfTaken(taken, weight, weight - step);
  copy = tcast<CType>(weight);
  average = IfTaken(taken, average, RunningMean(ema, average, weight));
}
MSHADOW_INSTANTIATE(PipelineAdam, Types<float, bfloat::bf16_t>, Types<float, float>,
                    Types<half::half_t, half::half_t>, Types<bfloat::bf16_t, bfloat::bf16_t>);

/// AdamW for g = clip(factor grad): m = beta1 m + (1 - beta1) g, v = beta2 v + (1 - beta2) g^2,
/// w = (1 - lr decay) w - lr m^ / (sqrt(v^) + eps), copy = w, average = ema average + (1 - ema) w.
/// If the step is not taken, all stay as they are. The order of optim::AdamW.
/// \param weight parameters, updated in place
/// \param mean running mean of the gradient
/// \param variance running variance of the gradient
/// \param average running mean of the weights; begins as the weights
/// \param copy the weights in another type
/// \param grad gradient of the loss, times a scale
/// \param factor factor of the gradient, from GradientFactor, one element
/// \param taken whether the step is taken, from GradientFactor, one element
/// \param inv_bias1 from AdamBias, one element
/// \param inv_bias2 from AdamBias, one element
/// \param lr learning rate
/// \param beta1 decay rate of the mean
/// \param beta2 decay rate of the variance
/// \param eps added to the corrected root, against division by zero
/// \param decay decoupled weight decay, multiplied by the learning rate
/// \param clip greatest magnitude of an element of the gradient; infinite: no limit
/// \param ema decay rate of the average
template <typename xpu, int dim, typename GType, typename CType>
MSHADOW_KERNEL void PipelineAdamW(
    MSHADOW_PARAMETER Tensor<xpu, dim, float> weight, MSHADOW_STATE(0) Tensor<xpu, dim, float> mean,
    MSHADOW_STATE(0) Tensor<xpu, dim, float> variance, Tensor<xpu, dim, float> average,
    Tensor<xpu, dim, CType> copy, MSHADOW_GRADIENT const Tensor<xpu, dim, GType> &grad,
    const Tensor<xpu, 1, float> &factor, const Tensor<xpu, 1, float> &taken,
    const Tensor<xpu, 1, float> &inv_bias1, const Tensor<xpu, 1, float> &inv_bias2,
    MSHADOW_HYPER float lr = 0.001f, MSHADOW_HYPER float beta1 = 0.9f,
    MSHADOW_HYPER float beta2 = 0.999f, MSHADOW_HYPER float eps = 1e-8f,
    MSHADOW_HYPER float decay = 0.01f, MSHADOW_HYPER float clip = 1e30f,
    MSHADOW_HYPER float ema = 0.999f) {
  auto g = Clipped(grad, factor, clip);
  mean = IfTaken(taken, mean, RunningMean(beta1, mean, g));
  variance = IfTaken(taken, variance, RunningMean(beta2, variance, F<op::square>(g)));
  auto step = AdamStep(lr, eps, mean, variance, inv_bias1, inv_bias2);
  weight = IfTaken(taken, weight, (1.0f - lr * decay) * weight - step);
  copy = tcast<CType>(weight);
  average = IfTaken(taken, average, RunningMean(ema, average, weight));
}
MSHADOW_INSTANTIATE(PipelineAdamW, Types<float, bfloat::bf16_t>, Types<float, float>,
                    Types<half::half_t, half::half_t>, Types<bfloat::bf16_t, bfloat::bf16_t>);

/// Lion for g = clip(factor grad): w = w - lr (sign(beta1 m + (1 - beta1) g) + decay w),
/// m = beta2 m + (1 - beta2) g, copy = w, average = ema average + (1 - ema) w. If the step is not
/// taken, all stay as they are. The order of optim::Lion.
/// \param weight parameters, updated in place
/// \param mean running mean of the gradient
/// \param average running mean of the weights; begins as the weights
/// \param copy the weights in another type
/// \param grad gradient of the loss, times a scale
/// \param factor factor of the gradient, from GradientFactor, one element
/// \param taken whether the step is taken, from GradientFactor, one element
/// \param lr learning rate; every weight moves by as much
/// \param beta1 weight of the mean in the step
/// \param beta2 decay rate of the mean
/// \param decay decoupled weight decay, multiplied by the learning rate
/// \param clip greatest magnitude of an element of the gradient; infinite: no limit
/// \param ema decay rate of the average
template <typename xpu, int dim, typename GType, typename CType>
MSHADOW_KERNEL void PipelineLion(MSHADOW_PARAMETER Tensor<xpu, dim, float> weight,
                                 MSHADOW_STATE(0) Tensor<xpu, dim, float> mean,
                                 Tensor<xpu, dim, float> average, Tensor<xpu, dim, CType> copy,
                                 MSHADOW_GRADIENT const Tensor<xpu, dim, GType> &grad,
                                 const Tensor<xpu, 1, float> &factor,
                                 const Tensor<xpu, 1, float> &taken,
                                 MSHADOW_HYPER float lr = 0.0001f, MSHADOW_HYPER float beta1 = 0.9f,
                                 MSHADOW_HYPER float beta2 = 0.99f,
                                 MSHADOW_HYPER float decay = 0.0f, MSHADOW_HYPER float clip = 1e30f,
                                 MSHADOW_HYPER float ema = 0.999f) {
  auto g = Clipped(grad, factor, clip);
  auto direction = F<op::sign>(RunningMean(beta1, mean, g));
  weight = IfTaken(taken, weight, weight - lr * (direction + decay * weight));
  mean = IfTaken(taken, mean, RunningMean(beta2, mean, g));
  copy = tcast<CType>(weight);
  average = IfTaken(taken, average, RunningMean(ema, average, weight));
}
MSHADOW_INSTANTIATE(PipelineLion, Types<float, bfloat::bf16_t>, Types<float, float>,
                    Types<half::half_t, half::half_t>, Types<bfloat::bf16_t, bfloat::bf16_t>);

}  // namespace optim

#endif  // SPECS_OPTIM_PIPELINE_H_
