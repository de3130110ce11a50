// SPDX-License-Identifier: Apache-2.0
/// \file rmsprop.h
/// RMSProp: plain, with momentum, centered, and in Graves' form. In the centered forms the
/// difference v - m^2, a variance, is taken as 0 where rounding makes it negative: the libraries
/// cited return NaN there.
#ifndef SPECS_OPTIM_RMSPROP_H_
#define SPECS_OPTIM_RMSPROP_H_

#include "ops.h"

namespace optim {
using namespace mshadow;
using namespace mshadow::expr;

/// RMSProp: v = alpha v + (1 - alpha) g^2, w = w - lr g / (sqrt(v) + eps), where g includes the L2
/// decay. Tieleman & Hinton 2012, lecture 6.5; the order of torch.optim.RMSprop.
/// \param weight parameters, updated in place
/// \param square_avg running mean of the squared gradient
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param alpha decay rate of the variance
/// \param eps added to the root, against division by zero
/// \param decay L2 penalty, added to the gradient
/// \param maximize whether g is the negative gradient
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void RMSProp(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                            MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> square_avg,
                            MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                            MSHADOW_HYPER double lr = 0.001, MSHADOW_HYPER double alpha = 0.99,
                            MSHADOW_HYPER double eps = 1e-8, MSHADOW_HYPER double decay = 0.0,
                            MSHADOW_HYPER bool maximize = false) {
  const double sign = maximize ? -1.0 : 1.0;
  auto w = tcast<Promoted<DType>>(weight);
  auto g = sign * tcast<Promoted<DType>>(grad) + decay * w;
  square_avg = alpha * square_avg + (1.0 - alpha) * F<op::square>(g);
  weight = tcast<DType>(w - lr * g / (F<op::square_root>(square_avg) + eps));
}
MSHADOW_INSTANTIATE(RMSProp, float, double, half::half_t, bfloat::bf16_t);

/// RMSProp with momentum: b = momentum b + g / (sqrt(v) + eps), w = w - lr b.
/// torch.optim.RMSprop(momentum > 0).
/// \param weight parameters, updated in place
/// \param square_avg running mean of the squared gradient
/// \param momentum_buffer running sum of normalised gradients
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param alpha decay rate of the variance
/// \param momentum decay rate of the buffer
/// \param eps added to the root, against division by zero
/// \param decay L2 penalty, added to the gradient
/// \param maximize whether g is the negative gradient
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void RMSPropMomentum(
    MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
    MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> square_avg,
    MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> momentum_buffer,
    MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad, MSHADOW_HYPER double lr = 0.0003,
    MSHADOW_HYPER double alpha = 0.99, MSHADOW_HYPER double momentum = 0.9,
    MSHADOW_HYPER double eps = 1e-8, MSHADOW_HYPER double decay = 0.0,
    MSHADOW_HYPER bool maximize = false) {
  const double sign = maximize ? -1.0 : 1.0;
  auto w = tcast<Promoted<DType>>(weight);
  auto g = sign * tcast<Promoted<DType>>(grad) + decay * w;
  square_avg = alpha * square_avg + (1.0 - alpha) * F<op::square>(g);
  momentum_buffer = momentum * momentum_buffer + g / (F<op::square_root>(square_avg) + eps);
  weight = tcast<DType>(w - lr * momentum_buffer);
}
MSHADOW_INSTANTIATE(RMSPropMomentum, float, double, half::half_t, bfloat::bf16_t);

/// Centered RMSProp: m = alpha m + (1 - alpha) g, v = alpha v + (1 - alpha) g^2,
/// w = w - lr g / (sqrt(v - m^2) + eps). torch.optim.RMSprop(centered=True).
/// \param weight parameters, updated in place
/// \param square_avg running mean of the squared gradient
/// \param grad_avg running mean of the gradient
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param alpha decay rate of both means
/// \param eps added to the root, against division by zero
/// \param decay L2 penalty, added to the gradient
/// \param maximize whether g is the negative gradient
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void RMSPropCentered(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                                    MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> square_avg,
                                    MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> grad_avg,
                                    MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                                    MSHADOW_HYPER double lr = 0.001,
                                    MSHADOW_HYPER double alpha = 0.99,
                                    MSHADOW_HYPER double eps = 1e-8,
                                    MSHADOW_HYPER double decay = 0.0,
                                    MSHADOW_HYPER bool maximize = false) {
  const double sign = maximize ? -1.0 : 1.0;
  auto w = tcast<Promoted<DType>>(weight);
  auto g = sign * tcast<Promoted<DType>>(grad) + decay * w;
  square_avg = alpha * square_avg + (1.0 - alpha) * F<op::square>(g);
  grad_avg = alpha * grad_avg + (1.0 - alpha) * g;
  auto centered = F<op::maximum>(square_avg - F<op::square>(grad_avg), 0.0);
  weight = tcast<DType>(w - lr * g / (F<op::square_root>(centered) + eps));
}
MSHADOW_INSTANTIATE(RMSPropCentered, float, double, half::half_t, bfloat::bf16_t);

/// Centered RMSProp with momentum: b = momentum b + g / (sqrt(v - m^2) + eps), w = w - lr b, with m
/// and v of RMSPropCentered. torch.optim.RMSprop(centered=True, momentum=...).
/// \param weight parameters, updated in place
/// \param square_avg running mean of the squared gradient
/// \param grad_avg running mean of the gradient
/// \param momentum_buffer running sum of the steps
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param alpha decay rate of both means
/// \param momentum decay rate of the buffer
/// \param eps added to the root, against division by zero
/// \param decay L2 penalty, added to the gradient
/// \param maximize whether g is the negative gradient
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void RMSPropCenteredMomentum(
    MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
    MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> square_avg,
    MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> grad_avg,
    MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> momentum_buffer,
    MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad, MSHADOW_HYPER double lr = 0.001,
    MSHADOW_HYPER double alpha = 0.99, MSHADOW_HYPER double momentum = 0.9,
    MSHADOW_HYPER double eps = 1e-8, MSHADOW_HYPER double decay = 0.0,
    MSHADOW_HYPER bool maximize = false) {
  const double sign = maximize ? -1.0 : 1.0;
  auto w = tcast<Promoted<DType>>(weight);
  auto g = sign * tcast<Promoted<DType>>(grad) + decay * w;
  square_avg = alpha * square_avg + (1.0 - alpha) * F<op::square>(g);
  grad_avg = alpha * grad_avg + (1.0 - alpha) * g;
  auto centered = F<op::maximum>(square_avg - F<op::square>(grad_avg), 0.0);
  momentum_buffer = momentum * momentum_buffer + g / (F<op::square_root>(centered) + eps);
  weight = tcast<DType>(w - lr * momentum_buffer);
}
MSHADOW_INSTANTIATE(RMSPropCenteredMomentum, float, double, half::half_t, bfloat::bf16_t);

/// Graves' RMSProp: n = rho n + (1 - rho) g^2, m = rho m + (1 - rho) g,
/// d = momentum d - lr g / sqrt(n - m^2 + eps), w = w + d: epsilon inside the root, the learning
/// rate inside the buffer. Graves 2013, equations 38 to 45.
/// \param weight parameters, updated in place
/// \param variance running mean of the squared gradient
/// \param mean running mean of the gradient
/// \param delta running update
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param rho decay rate of both means
/// \param momentum decay rate of the running update
/// \param eps added inside the root, against division by zero
/// \param decay L2 penalty, added to the gradient
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void RMSPropGraves(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                                  MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> variance,
                                  MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> mean,
                                  MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> delta,
                                  MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                                  MSHADOW_HYPER double lr = 0.0001, MSHADOW_HYPER double rho = 0.95,
                                  MSHADOW_HYPER double momentum = 0.9,
                                  MSHADOW_HYPER double eps = 1e-4,
                                  MSHADOW_HYPER double decay = 0.0) {
  auto w = tcast<Promoted<DType>>(weight);
  auto g = tcast<Promoted<DType>>(grad) + decay * w;
  variance = rho * variance + (1.0 - rho) * F<op::square>(g);
  mean = rho * mean + (1.0 - rho) * g;
  auto centered = F<op::maximum>(variance - F<op::square>(mean), 0.0);
  delta = momentum * delta - lr * g / F<op::square_root>(centered + eps);
  weight = tcast<DType>(w + delta);
}
MSHADOW_INSTANTIATE(RMSPropGraves, float, double, half::half_t, bfloat::bf16_t);

/// MXNet's RMSProp of the gradient clip(rescale_grad g) + wd w; the new weights are clipped, too.
/// The order of mxnet.optimizer.RMSProp of MXNet 2.0.0.beta; release 1 clips the decay, too, and
/// has epsilon inside the root (Mxnet1RMSProp).
/// \param weight parameters, updated in place
/// \param variance running mean of the squared gradient
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param rho decay rate of the variance
/// \param epsilon added to the root, against division by zero
/// \param wd L2 penalty, added after the clip
/// \param rescale_grad factor of the gradient
/// \param clip_gradient limit of a gradient's magnitude; negative: none
/// \param clip_weights limit of a weight's magnitude; negative: none
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void MxnetRMSProp(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                                 MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> variance,
                                 MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                                 MSHADOW_HYPER double lr = 0.001, MSHADOW_HYPER double rho = 0.9,
                                 MSHADOW_HYPER double epsilon = 1e-8, MSHADOW_HYPER double wd = 0.0,
                                 MSHADOW_HYPER double rescale_grad = 1.0,
                                 MSHADOW_HYPER double clip_gradient = -1.0,
                                 MSHADOW_HYPER double clip_weights = -1.0) {
  auto w = tcast<Promoted<DType>>(weight);
  auto clipped =
      F<clip_unless_negative>(rescale_grad * tcast<Promoted<DType>>(grad), clip_gradient);
  auto g = clipped + wd * w;
  variance = rho * variance + (1.0 - rho) * F<op::square>(g);
  auto updated = w - lr * g / (F<op::square_root>(variance) + epsilon);
  weight = tcast<DType>(F<clip_unless_negative>(updated, clip_weights));
}
MSHADOW_INSTANTIATE(MxnetRMSProp, float, double, half::half_t, bfloat::bf16_t);

/// RMSProp of MXNet 1, of the gradient clip(rescale_grad g + wd w): w = w - lr g / sqrt(v +
/// epsilon), and the new weights are clipped, too. The order of MXNet 1.9.1,
/// mxnet.optimizer.RMSProp and rmsprop_update.
/// \param weight parameters, updated in place
/// \param variance running mean of the squared gradient
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param rho decay rate of the variance
/// \param epsilon added inside the root, against division by zero
/// \param wd L2 penalty, added before the clip
/// \param rescale_grad factor of the gradient
/// \param clip_gradient limit of a gradient's magnitude; negative: none
/// \param clip_weights limit of a weight's magnitude; negative: none
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Mxnet1RMSProp(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                                  MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> variance,
                                  MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad,
                                  MSHADOW_HYPER double lr = 0.001, MSHADOW_HYPER double rho = 0.9,
                                  MSHADOW_HYPER double epsilon = 1e-8,
                                  MSHADOW_HYPER double wd = 0.0,
                                  MSHADOW_HYPER double rescale_grad = 1.0,
                                  MSHADOW_HYPER double clip_gradient = -1.0,
                                  MSHADOW_HYPER double clip_weights = -1.0) {
  auto w = tcast<Promoted<DType>>(weight);
  auto g =
      F<clip_unless_negative>(rescale_grad * tcast<Promoted<DType>>(grad) + wd * w, clip_gradient);
  variance = rho * variance + (1.0 - rho) * F<op::square>(g);
  auto updated = w - lr * g / F<op::square_root>(variance + epsilon);
  weight = tcast<DType>(F<clip_unless_negative>(updated, clip_weights));
}
MSHADOW_INSTANTIATE(Mxnet1RMSProp, float, double, half::half_t, bfloat::bf16_t);

/// MXNet's centered RMSProp, Graves' form of the gradient clip(rescale_grad g) + wd w; the new
/// weights are clipped, too. The order of mxnet.optimizer.RMSProp(centered=True) of MXNet
/// 2.0.0.beta; release 1 clips the decay, too (Mxnet1RMSPropAlex).
/// \param weight parameters, updated in place
/// \param variance running mean of the squared gradient
/// \param mean running mean of the gradient
/// \param delta running update
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param rho decay rate of both means
/// \param momentum decay rate of the running update
/// \param epsilon added inside the root, against division by zero
/// \param wd L2 penalty, added after the clip
/// \param rescale_grad factor of the gradient
/// \param clip_gradient limit of a gradient's magnitude; negative: none
/// \param clip_weights limit of a weight's magnitude; negative: none
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void MxnetRMSPropAlex(
    MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
    MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> variance,
    MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> mean,
    MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> delta,
    MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad, MSHADOW_HYPER double lr = 0.0003,
    MSHADOW_HYPER double rho = 0.9, MSHADOW_HYPER double momentum = 0.9,
    MSHADOW_HYPER double epsilon = 1e-8, MSHADOW_HYPER double wd = 0.0,
    MSHADOW_HYPER double rescale_grad = 1.0, MSHADOW_HYPER double clip_gradient = -1.0,
    MSHADOW_HYPER double clip_weights = -1.0) {
  auto w = tcast<Promoted<DType>>(weight);
  auto clipped =
      F<clip_unless_negative>(rescale_grad * tcast<Promoted<DType>>(grad), clip_gradient);
  auto g = clipped + wd * w;
  variance = rho * variance + (1.0 - rho) * F<op::square>(g);
  mean = rho * mean + (1.0 - rho) * g;
  auto centered = F<op::maximum>(variance - F<op::square>(mean), 0.0);
  delta = momentum * delta - lr * g / F<op::square_root>(centered + epsilon);
  weight = tcast<DType>(F<clip_unless_negative>(w + delta, clip_weights));
}
MSHADOW_INSTANTIATE(MxnetRMSPropAlex, float, double, half::half_t, bfloat::bf16_t);

/// Centered RMSProp of MXNet 1: as MxnetRMSPropAlex, of the gradient clip(rescale_grad g + wd w):
/// the decay is clipped, too. The order of MXNet 1.9.1, mxnet.optimizer.RMSProp(centered=True) and
/// rmspropalex_update.
/// \param weight parameters, updated in place
/// \param variance running mean of the squared gradient
/// \param mean running mean of the gradient
/// \param delta running update
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param rho decay rate of both means
/// \param momentum decay rate of the running update
/// \param epsilon added inside the root, against division by zero
/// \param wd L2 penalty, added before the clip
/// \param rescale_grad factor of the gradient
/// \param clip_gradient limit of a gradient's magnitude; negative: none
/// \param clip_weights limit of a weight's magnitude; negative: none
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Mxnet1RMSPropAlex(
    MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
    MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> variance,
    MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> mean,
    MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> delta,
    MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad, MSHADOW_HYPER double lr = 0.0003,
    MSHADOW_HYPER double rho = 0.9, MSHADOW_HYPER double momentum = 0.9,
    MSHADOW_HYPER double epsilon = 1e-8, MSHADOW_HYPER double wd = 0.0,
    MSHADOW_HYPER double rescale_grad = 1.0, MSHADOW_HYPER double clip_gradient = -1.0,
    MSHADOW_HYPER double clip_weights = -1.0) {
  auto w = tcast<Promoted<DType>>(weight);
  auto g =
      F<clip_unless_negative>(rescale_grad * tcast<Promoted<DType>>(grad) + wd * w, clip_gradient);
  variance = rho * variance + (1.0 - rho) * F<op::square>(g);
  mean = rho * mean + (1.0 - rho) * g;
  auto centered = F<op::maximum>(variance - F<op::square>(mean), 0.0);
  delta = momentum * delta - lr * g / F<op::square_root>(centered + epsilon);
  weight = tcast<DType>(F<clip_unless_negative>(w + delta, clip_weights));
}
MSHADOW_INSTANTIATE(Mxnet1RMSPropAlex, float, double, half::half_t, bfloat::bf16_t);

/// TensorFlow's RMSProp: v = rho v + (1 - rho) g^2, b = momentum b + lr g / sqrt(v + eps),
/// w = w - b: epsilon inside the root, the learning rate inside the buffer. Tieleman & Hinton 2012;
/// the order of ApplyRMSProp and of tf.keras' optimizer RMSprop.
/// \param weight parameters, updated in place
/// \param velocity running mean of the squared gradient
/// \param momentum_buffer running update
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param rho decay rate of the mean
/// \param momentum decay rate of the buffer
/// \param eps added inside the root
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void TensorFlowRMSProp(
    MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
    MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> velocity,
    MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> momentum_buffer,
    MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad, MSHADOW_HYPER double lr = 0.001,
    MSHADOW_HYPER double rho = 0.9, MSHADOW_HYPER double momentum = 0.0,
    MSHADOW_HYPER double eps = 1e-7) {
  auto g = tcast<Promoted<DType>>(grad);
  velocity = rho * velocity + (1.0 - rho) * F<op::square>(g);
  momentum_buffer = momentum * momentum_buffer + lr * g / F<op::square_root>(velocity + eps);
  weight = tcast<DType>(tcast<Promoted<DType>>(weight) - momentum_buffer);
}
MSHADOW_INSTANTIATE(TensorFlowRMSProp, float, double, half::half_t, bfloat::bf16_t);

/// TensorFlow's centered RMSProp: as TensorFlowRMSProp, with v - m^2 in the place of v, where
/// m = rho m + (1 - rho) g. Graves 2013, with TensorFlow's sign of the buffer; the order of
/// ApplyCenteredRMSProp and of tf.keras' optimizer RMSprop(centered=True).
/// \param weight parameters, updated in place
/// \param velocity running mean of the squared gradient
/// \param average_grad running mean of the gradient
/// \param momentum_buffer running update
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param rho decay rate of both means
/// \param momentum decay rate of the buffer
/// \param eps added inside the root
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void TensorFlowRMSPropCentered(
    MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
    MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> velocity,
    MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> average_grad,
    MSHADOW_STATE(0) Tensor<xpu, dim, Promoted<DType>> momentum_buffer,
    MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad, MSHADOW_HYPER double lr = 0.001,
    MSHADOW_HYPER double rho = 0.9, MSHADOW_HYPER double momentum = 0.0,
    MSHADOW_HYPER double eps = 1e-7) {
  auto g = tcast<Promoted<DType>>(grad);
  velocity = rho * velocity + (1.0 - rho) * F<op::square>(g);
  average_grad = rho * average_grad + (1.0 - rho) * g;
  auto centered = F<op::maximum>(velocity - F<op::square>(average_grad), 0.0);
  momentum_buffer = momentum * momentum_buffer + lr * g / F<op::square_root>(centered + eps);
  weight = tcast<DType>(tcast<Promoted<DType>>(weight) - momentum_buffer);
}
MSHADOW_INSTANTIATE(TensorFlowRMSPropCentered, float, double, half::half_t, bfloat::bf16_t);

}  // namespace optim

#endif  // SPECS_OPTIM_RMSPROP_H_
