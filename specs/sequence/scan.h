// SPDX-License-Identifier: Apache-2.0
/// \file scan.h
/// Rules along sequences: a row is a sequence, and a column a time.
#ifndef SPECS_SEQUENCE_SCAN_H_
#define SPECS_SEQUENCE_SCAN_H_

#include <mshadow/kernel.h>

namespace sequence {
using namespace mshadow;
using namespace mshadow::expr;

/// An exponential moving average, h[t] = decay h[t - 1] + (1 - decay) x[t] with h[-1] = 0.
/// Brown 1956.
/// \param out the averages; may be in
/// \param in one sequence in each row
/// \param decay the weight of the average so far
template <typename xpu, typename DType>
MSHADOW_KERNEL void ExponentialAverage(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in,
                                       MSHADOW_HYPER float decay = 0.9f) {
  Temporary<xpu, 2, float> average(in.shape_, in.stream_);
  average = linear_recurrence(decay, (1.0f - decay) * tcast<float>(in));
  out = tcast<DType>(average);
}
MSHADOW_INSTANTIATE(ExponentialAverage, float, half::half_t, bfloat::bf16_t);

/// The states of a selective state-space model, and what each of them adds to the output:
/// h[t] = exp(step[t] rate) h[t - 1] + step[t] b[t] x[t], y[t] = c[t] h[t]. Gu and Dao 2023
/// ("Mamba"), section 3.2, whose discretisation of b is the first-order one. A row has one state of
/// one channel; the output of a channel is the sum over its states.
/// \param out y
/// \param state h, for the backward rule
/// \param in x
/// \param step the size of each step, positive
/// \param b the weights of the input
/// \param c the weights of the state in the output
/// \param rate the rate of decay of each row's state, negative
template <typename xpu, typename DType>
MSHADOW_KERNEL void SelectiveScan(Tensor<xpu, 2, DType> out, Tensor<xpu, 2, float> state,
                                  const Tensor<xpu, 2, DType> &in,
                                  const Tensor<xpu, 2, DType> &step, const Tensor<xpu, 2, DType> &b,
                                  const Tensor<xpu, 2, DType> &c,
                                  const Tensor<xpu, 1, float> &rate) {
  auto size = tcast<float>(step);
  state = linear_recurrence(F<op::exp>(size * broadcast<0>(rate, in.shape_)),
                            size * tcast<float>(b) * tcast<float>(in));
  out = tcast<DType>(tcast<float>(c) * state);
}
MSHADOW_INSTANTIATE(SelectiveScan, float, half::half_t, bfloat::bf16_t);

/// A sample of a categorical distribution for each row, by inversion of its cumulative
/// distribution (Devroye 1986, section III.2.1): the number of classes whose cumulative softmax is
/// not above the row's uniform number.
/// \param sample the index of the class
/// \param logits one row of classes for each sample
/// \param uniform a random number in [0, 1) for each row
template <typename xpu, typename DType>
MSHADOW_KERNEL void SampleCategorical(Tensor<xpu, 1, float> sample,
                                      const Tensor<xpu, 2, DType> &logits,
                                      const Tensor<xpu, 1, float> &uniform) {
  Temporary<xpu, 1, float> top(Shape1(logits.size(0)), logits.stream_);
  Temporary<xpu, 1, float> level(Shape1(logits.size(0)), logits.stream_);
  Temporary<xpu, 2, float> cumulative(logits.shape_, logits.stream_);
  auto x = tcast<float>(logits);
  top = reduce_except_dim<0, red::maximum>(x);
  cumulative = inclusive_scan<red::sum>(F<op::exp>(x - broadcast<0>(top, logits.shape_)));
  level = reduce_except_dim<0, red::maximum>(cumulative);
  level = level * uniform;
  sample = sumall_except_dim<0>(F<op::le>(cumulative, broadcast<0>(level, logits.shape_)));
}
MSHADOW_INSTANTIATE(SampleCategorical, float, half::half_t, bfloat::bf16_t);

/// Generalised advantage estimation, from the last time to the first: A[t] = delta[t] + decay
/// going[t] A[t + 1], delta[t] = reward[t] + discount going[t] V[t + 1] - V[t]. Schulman et al.
/// 2016, equation 16, with the decay discount lambda. For lambda = 1 and V = 0 these are the
/// discounted returns.
/// \param advantage A, one episode in each row
/// \param reward the reward of each time
/// \param value V[t] of each time
/// \param next V[t + 1] of each time
/// \param going 0 if the episode ends with this time, else 1
/// \param discount the weight of the next time's value
/// \param lambda the weight of the next time's advantage
template <typename xpu, typename DType>
MSHADOW_KERNEL void AdvantageEstimate(Tensor<xpu, 2, DType> advantage,
                                      const Tensor<xpu, 2, DType> &reward,
                                      const Tensor<xpu, 2, DType> &value,
                                      const Tensor<xpu, 2, DType> &next,
                                      const Tensor<xpu, 2, DType> &going,
                                      MSHADOW_HYPER float discount = 0.99f,
                                      MSHADOW_HYPER float lambda = 0.95f) {
  Temporary<xpu, 2, float> backwards(reward.shape_, reward.stream_);
  const float decay = discount * lambda;
  auto goes = tcast<float>(flip(going, 1));
  auto delta = tcast<float>(flip(reward, 1)) + discount * goes * tcast<float>(flip(next, 1)) -
               tcast<float>(flip(value, 1));
  backwards = linear_recurrence(decay * goes, delta);
  MSHADOW_STAGE();
  advantage = tcast<DType>(flip(backwards, 1));
}
MSHADOW_INSTANTIATE(AdvantageEstimate, float, half::half_t, bfloat::bf16_t);

}  // namespace sequence

#endif  // SPECS_SEQUENCE_SCAN_H_
