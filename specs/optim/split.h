// SPDX-License-Identifier: Apache-2.0
/// \file split.h
/// Optimizers of weights in bf16_t that lose nothing: the 16 bits that a bf16_t lacks of a float
/// are a state of their own, the remainder. The two are a float, the master weight. An update joins
/// them, computes in float, and splits the result. So the weights are those of an optimizer with
/// float weights, bit for bit, and no copy of them is needed for the model.
///
/// The weight is the bf16_t that is nearest to the master weight. The remainder says how many
/// floats lie between the two: bits(master) = bits(weight) 2^16 + remainder, from -2^15 to 2^15
/// - 1. Between two bf16_t the larger one (away from 0) is taken. To the even one, 2^16 + 1 floats
/// would be rounded, one more than a remainder can tell apart. A NaN has the remainder 0.
#ifndef SPECS_OPTIM_SPLIT_H_
#define SPECS_OPTIM_SPLIT_H_

#include "ops.h"

namespace optim {
using namespace mshadow;
using namespace mshadow::expr;

/// a + b, modulo 2^32.
struct sum_of_bits {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a, T b) {
    return static_cast<T>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
  }
};

/// The bits of a float; of every NaN, those of one without a remainder.
struct bits_of_one_nan {
  template <typename T>
  MSHADOW_XINLINE static T Map(T bits) {
    return (bits & 0x7fffffff) > 0x7f800000 ? T(0x7fc00000) : bits;
  }
};

/// The bits of the bf16_t that is nearest to a float.
struct nearest_upper_half {
  template <typename T>
  MSHADOW_XINLINE static T Map(T bits) {
    return static_cast<T>((static_cast<uint32_t>(bits) + 0x8000u) >> 16);
  }
};

/// \name Joining and splitting
/// \{
template <typename Weight, typename Remainder>
auto Joined(const Weight &weight, const Remainder &remainder) {
  auto upper = bit_cast<int32_t>(tcast<float>(weight));
  return bit_cast<float>(F<sum_of_bits>(upper, tcast<int32_t>(remainder)));
}

template <typename Master>
auto UpperHalf(const Master &master) {
  auto bits = F<bits_of_one_nan>(bit_cast<int32_t>(master));
  return bit_cast<bfloat::bf16_t>(tcast<int16_t>(F<nearest_upper_half>(bits)));
}

template <typename Master>
auto LowerHalf(const Master &master) {
  return tcast<int16_t>(F<bits_of_one_nan>(bit_cast<int32_t>(master)));
}
/// \}

/// SGDMomentum of split weights: b = momentum b + g, w = w - lr b, where g includes the L2 decay.
/// Polyak 1964; the order of torch.optim.SGD without dampening.
/// \param weight parameters, updated in place: the upper halves of the master weights
/// \param remainder the lower halves of the master weights
/// \param momentum_buffer running sum of gradients
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param momentum decay rate of the buffer
/// \param decay L2 penalty, added to the gradient
template <typename xpu, int dim, typename MType, typename GType>
MSHADOW_KERNEL void SplitSGDMomentum(MSHADOW_PARAMETER Tensor<xpu, dim, bfloat::bf16_t> weight,
                                     MSHADOW_STATE(0) Tensor<xpu, dim, int16_t> remainder,
                                     MSHADOW_STATE(0) Tensor<xpu, dim, MType> momentum_buffer,
                                     MSHADOW_GRADIENT const Tensor<xpu, dim, GType> &grad,
                                     MSHADOW_HYPER double lr = 0.1,
                                     MSHADOW_HYPER double momentum = 0.9,
                                     MSHADOW_HYPER double decay = 0.0) {
  Temporary<xpu, dim, float> b(weight.shape_, weight.stream_);
  Temporary<xpu, dim, float> master(weight.shape_, weight.stream_);
  auto w = Joined(weight, remainder);
  b = momentum * tcast<float>(momentum_buffer) + (tcast<float>(grad) + decay * w);
  momentum_buffer = tcast<MType>(b);
  master = w - lr * b;
  weight = UpperHalf(master);
  remainder = LowerHalf(master);
}
MSHADOW_INSTANTIATE(SplitSGDMomentum, Types<float, bfloat::bf16_t>,
                    Types<bfloat::bf16_t, bfloat::bf16_t>, Types<float, float>);

/// AdamW of split weights: m = beta1 m + (1 - beta1) g, v = beta2 v + (1 - beta2) g^2,
/// w = (1 - lr decay) w - lr / (1 - beta1^t) m / (sqrt(v) / sqrt(1 - beta2^t) + eps).
/// Loshchilov & Hutter 2019, Algorithm 2; the order of torch.optim.AdamW.
/// \param weight parameters, updated in place: the upper halves of the master weights
/// \param remainder the lower halves of the master weights
/// \param exp_avg running mean of the gradient
/// \param exp_avg_sq running mean of the squared gradient
/// \param grad gradient of the loss with respect to the parameters
/// \param lr learning rate
/// \param beta1 decay rate of the mean
/// \param beta2 decay rate of the variance
/// \param eps added to the corrected root, against division by zero
/// \param decay decoupled weight decay, multiplied by the learning rate
/// \param step number of this update, from 1
template <typename xpu, int dim, typename MType, typename GType>
MSHADOW_KERNEL void SplitAdamW(MSHADOW_PARAMETER Tensor<xpu, dim, bfloat::bf16_t> weight,
                               MSHADOW_STATE(0) Tensor<xpu, dim, int16_t> remainder,
                               MSHADOW_STATE(0) Tensor<xpu, dim, MType> exp_avg,
                               MSHADOW_STATE(0) Tensor<xpu, dim, float> exp_avg_sq,
                               MSHADOW_GRADIENT const Tensor<xpu, dim, GType> &grad,
                               MSHADOW_HYPER double lr = 0.001, MSHADOW_HYPER double beta1 = 0.9,
                               MSHADOW_HYPER double beta2 = 0.999, MSHADOW_HYPER double eps = 1e-8,
                               MSHADOW_HYPER double decay = 0.01, MSHADOW_STEP int step = 1) {
  MSHADOW_CHECK_STEP(step);
  const double step_size = lr / bias_correction(beta1, step);
  const double inv_bias2 = 1.0 / math::sqrt(bias_correction(beta2, step));
  Temporary<xpu, dim, float> mean(weight.shape_, weight.stream_);
  Temporary<xpu, dim, float> master(weight.shape_, weight.stream_);
  auto g = tcast<float>(grad);
  mean = beta1 * tcast<float>(exp_avg) + (1.0 - beta1) * g;
  exp_avg = tcast<MType>(mean);
  exp_avg_sq = beta2 * exp_avg_sq + (1.0 - beta2) * F<op::square>(g);
  master = (1.0 - lr * decay) * Joined(weight, remainder) -
           step_size * mean / (F<op::square_root>(exp_avg_sq) * inv_bias2 + eps);
  weight = UpperHalf(master);
  remainder = LowerHalf(master);
}
MSHADOW_INSTANTIATE(SplitAdamW, Types<float, bfloat::bf16_t>, Types<bfloat::bf16_t, bfloat::bf16_t>,
                    Types<float, float>);

}  // namespace optim

#endif  // SPECS_OPTIM_SPLIT_H_
