// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace draws {
using namespace mshadow;
using namespace mshadow::expr;

/// A step whose result is rounded at random, after some of the gradient is dropped.
/// \param weight parameters, updated in place
/// \param grad gradient of the loss
/// \param lr learning rate
/// \param keep share of the gradient that is kept
/// \param seed seed of the training run
/// \param step number of this update
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void NoisyStep(Tensor<xpu, dim, DType> weight, const Tensor<xpu, dim, DType> &grad,
                              float lr, double keep, int64_t seed, int64_t step) {
  auto kept = random_bernoulli<uint8_t>(grad.shape_, keep, seed, 2 * step);
  auto next = tcast<float>(weight) - where(kept, lr * tcast<float>(grad), 0.0f);
  weight = round_stochastic<DType>(next, random_uniform<float>(weight.shape_, seed, 2 * step + 1));
}
MSHADOW_INSTANTIATE(NoisyStep, half::half_t, bfloat::bf16_t);

}  // namespace draws
